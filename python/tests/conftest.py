"""What the tests have in common."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "corpus"


def command_line(*arguments):
    """The command: the one of the crate, when URIGREP names it, else that of the package."""
    own = os.environ.get("URIGREP")
    start = [own] if own else [sys.executable, "-m", "urigrep"]
    return [*start, "--no-config", *map(str, arguments)]


@pytest.fixture(scope="session")
def command():
    """Runs the command."""

    def run(*arguments, **options):
        return subprocess.run(command_line(*arguments), capture_output=True, **options)

    return run


@pytest.fixture(scope="session")
def command_json(command):
    """The objects that the command prints."""
    import json

    def run(*arguments):
        ran = command("--json", "--sort=path", *arguments)
        assert ran.returncode in (0, 1), ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines()]

    return run


MESSAGE = """From {sender}@a.example Mon May  6 07:08:{second:02} 2024
From: {sender}@a.example
Message-ID: <{number}@a.example>
Subject: number {number}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

See http://lists.example/find?group=3D{number}&month=
=3D2 and <urn:isbn:0451450523>.

"""


@pytest.fixture(scope="session")
def mbox(tmp_path_factory):
    """A mailbox of 500 messages."""
    path = tmp_path_factory.mktemp("mail") / "list.mbox"
    texts = (MESSAGE.format(sender="jo", number=n, second=n % 60) for n in range(500))
    path.write_text("".join(texts))
    return path
