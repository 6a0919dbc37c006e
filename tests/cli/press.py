"""Runs a shell under a pseudoterminal, types a command line and Tab, and prints what the shell shows.

usage: press.py SHELL_COMMAND SETUP_LINE TYPED_TEXT
"""

import os
import pty
import select
import signal
import struct
import sys
import time
import fcntl
import termios


def read_until_quiet(descriptor, quiet, limit):
    """Reads until nothing comes for some seconds."""
    shown, end = b"", time.monotonic() + limit
    while time.monotonic() < end:
        ready, _, _ = select.select([descriptor], [], [], quiet)
        if not ready:
            break
        try:
            data = os.read(descriptor, 65536)
        except OSError:
            break
        if not data:
            break
        # fish and elvish ask the terminal for its kind and the place of the cursor
        if b"\x1b[c" in data or b"\x1b[0c" in data:
            os.write(descriptor, b"\x1b[?62;c")
        if b"\x1b[6n" in data:
            os.write(descriptor, b"\x1b[1;1R")
        shown += data
    return shown


def main():
    shell, setup, typed = sys.argv[1:]
    child, descriptor = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", PS1="$ ", LC_ALL="C.UTF-8")
        os.execvp("sh", ["sh", "-c", "exec " + shell])
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    read_until_quiet(descriptor, 1.0, 10)
    os.write(descriptor, setup.encode() + b"\r")
    read_until_quiet(descriptor, 1.0, 10)
    os.write(descriptor, typed.encode() + b"\t")
    shown = read_until_quiet(descriptor, 1.5, 10)
    os.write(descriptor, b"\t")
    shown += read_until_quiet(descriptor, 1.5, 10)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    sys.stdout.buffer.write(shown)


main()
