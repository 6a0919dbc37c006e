"""Runs a shell under a pseudoterminal, types a command line and Tab, and prints what the shell shows.

usage: press.py SHELL_COMMAND SETUP_LINE TYPED_TEXT
"""

import os
import pty
import signal
import struct
import sys
import fcntl
import termios

from terminal import read_until_quiet


def main():
    shell, setup, typed = sys.argv[1:]
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
    os.write(descriptor, typed.encode() + b"\t")
    shown = read_until_quiet(descriptor, 1.5, 10, answer)
    os.write(descriptor, b"\t")
    shown += read_until_quiet(descriptor, 1.5, 10, answer)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    sys.stdout.buffer.write(shown)


main()
