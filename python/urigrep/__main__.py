"""The command: ``python -m urigrep`` and ``urigrep``."""

import sys

from ._urigrep import command


def main() -> None:
    sys.exit(command(["urigrep", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
