"""Runs the picker under a pseudoterminal, and prints its last screen and what it printed at the end.

usage: pick.py COLUMNS ROWS OUTPUT_FILE KEYS COMMAND...

KEYS are typed one by one; \\t, \\r, \\e, and \\xHH are escapes.
"""

import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
import time

from terminal import read_until_quiet


class Screen:
    """As much of a terminal as the picker uses: it moves to a line, writes it, and clears the rest."""

    def __init__(self, columns, rows):
        self.columns, self.lines, self.row = columns, [""] * rows, 0

    def feed(self, text):
        for part in re.split(r"(\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07)", text):
            move = re.fullmatch(r"\x1b\[(\d+);1H", part)
            if move:
                self.row = int(move.group(1)) - 1
                self.lines[self.row] = ""
            elif part == "\x1b[J":
                self.lines[self.row + 1 :] = [""] * (len(self.lines) - self.row - 1)
            elif not part.startswith("\x1b"):
                self.lines[self.row] += part.replace("\r", "").replace("\n", "")
                assert len(self.lines[self.row]) <= self.columns, self.lines[self.row]


def main():
    columns, rows, output, keys, *command = sys.argv[1:]
    columns, rows = int(columns), int(rows)
    keys = keys.encode().decode("unicode_escape").replace("\\e", "\x1b")
    child, descriptor = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
        target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.execvp(command[0], command)
    screen = Screen(columns, rows)
    raw = read_until_quiet(descriptor, 1.0, 10)
    last = b""
    for key in keys:
        os.write(descriptor, key.encode())
        data = read_until_quiet(descriptor, 0.15, 5)
        raw += data
    text = raw.decode()
    # Of the alternate screen, only what it showed before it was left counts.
    text, _, _ = text.partition("\x1b[?1049l")
    screen.feed(text)
    for _ in range(100):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.05)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        status = -1
    print("\n".join(line.rstrip() for line in screen.lines))
    print("STATUS", os.waitstatus_to_exitcode(status) if status >= 0 else "killed")
    copied = re.findall(r"\x1b\]52;c;([^\x07]*)\x07", text)
    print("COPIED", *copied)


main()
