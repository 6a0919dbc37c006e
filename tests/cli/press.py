"""Runs a shell under a pseudoterminal, types command lines and Tab, and tells which lines are not completed as expected.

usage: press.py SHELL_COMMAND SETUP_LINE (TYPED_TEXT EXPECTED_TEXT)...
"""

import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios

from terminal import read_until_quiet

# They move the cursor, set colours, and set titles.
SEQUENCE = re.compile(r"\x1b(?:\[[^A-Za-z~]*[A-Za-z~]|\][^\x07\\]*[\x07\\]|.)", re.DOTALL)


def is_shown(shown, expected):
    plain = SEQUENCE.sub("", shown.decode(errors="replace"))
    # A shell may print only what is missing, and move back and forth while it does.
    return expected in plain or expected.rsplit(",")[-1] in re.sub(r"[ \r\n\b]", "", plain)


def main():
    shell, setup, *lines = sys.argv[1:]
    child, descriptor = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", PS1="$ ", LC_ALL="C.UTF-8")
        os.execvp("sh", ["sh", "-c", "exec " + shell])

    def answer(data):
        # fish and elvish ask the terminal for its kind and the place of the cursor
        if b"\x1b[c" in data or b"\x1b[0c" in data:
            os.write(descriptor, b"\x1b[?62;c")
        if b"\x1b[6n" in data:
            os.write(descriptor, b"\x1b[1;1R")

    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    read_until_quiet(descriptor, 1.0, 10, answer)
    os.write(descriptor, setup.encode() + b"\r")
    read_until_quiet(descriptor, 1.0, 10, answer)
    wrong = []
    for typed, expected in zip(lines[::2], lines[1::2], strict=True):
        # fish ignores a Tab now and then while it is busy with the line before.
        for _ in range(3):
            shown = b""
            # Some shells show the values at the second Tab; a machine with other work to do answers late.
            for keys, quiet in (typed.encode() + b"\t", 1.5), (b"\t", 4):
                if not is_shown(shown, expected):
                    os.write(descriptor, keys)
                    shown += read_until_quiet(descriptor, quiet, 10, answer, lambda read: is_shown(shown + read, expected))
            # ^C leaves a menu, and ^U empties a line. Bash has no menus, and completes nothing more after a ^C that comes
            # while it does.
            for key in [b"\x15"] if shell.startswith("bash") else [b"\x03", b"\x15"]:
                os.write(descriptor, key)
                read_until_quiet(descriptor, 0.3, 10, answer)
            if is_shown(shown, expected):
                break
        else:
            wrong.append(f"{typed!r} shows {shown!r}")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    sys.exit("\n".join(wrong) or 0)


main()
