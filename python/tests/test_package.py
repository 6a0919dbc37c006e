"""The package: the command it installs, its keywords, its types."""

import ast
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import urigrep
from conftest import ROOT

STUBS = Path(urigrep.__file__).with_name("_urigrep.pyi")


def test_version():
    assert urigrep.__version__ == tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["version"]


def test_command_is_installed(tmp_path):
    (tmp_path / "a.txt").write_text("see http://a.example/")
    for start in ([Path(sysconfig.get_path("scripts")) / "urigrep"], [sys.executable, "-m", "urigrep"]):
        ran = subprocess.run([*start, "-n", "a.txt"], cwd=tmp_path, capture_output=True, text=True)
        assert (ran.returncode, ran.stdout) == (0, "1:http://a.example/\n"), ran.stderr
        assert subprocess.run([*start, "none.txt"], cwd=tmp_path, capture_output=True).returncode == 2
    ran = subprocess.run([sys.executable, "-m", "urigrep", "--version"], capture_output=True, text=True)
    assert ran.stdout == f"urigrep {urigrep.__version__}\n"


def test_stubs_name_all_there_is():
    tree = ast.parse(STUBS.read_text())
    names = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    missing = {name for name in urigrep.__all__ if not name.startswith("_")} - names
    assert not missing
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and (of := getattr(urigrep, node.name, None)) is not None:
            in_stubs = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            public = {name for name in vars(of) if not name.startswith("_")}
            assert public <= in_stubs | {"offset", "reason"}, (node.name, public - in_stubs)
            assert {name for name in in_stubs if not name.startswith("_")} <= set(dir(of)), node.name


def test_stubs_name_the_keywords():
    tree = ast.parse(STUBS.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    def keywords(name):
        node = classes[name]
        own = {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
        bases = [base.id for base in node.bases if base.id in classes]
        return own.union(*map(keywords, bases))

    for of, name in (("find", "TextOptions"), ("scan", "ScanOptions"), ("audit", "AuditOptions")):
        assert keywords(name) == set(urigrep.option_names(of)), of
