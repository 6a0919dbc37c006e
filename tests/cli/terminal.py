"""Reads what a program shows on a pseudoterminal."""

import os
import select
import time


def read_until_quiet(descriptor, quiet, limit, answer=lambda data: None, is_enough=lambda shown: False):
    """Reads until nothing comes for some seconds, or it is enough; `answer` sees each piece."""
    shown, end = b"", time.monotonic() + limit
    while time.monotonic() < end and not is_enough(shown):
        ready, _, _ = select.select([descriptor], [], [], quiet)
        if not ready:
            break
        try:
            data = os.read(descriptor, 65536)
        except OSError:
            break
        if not data:
            break
        answer(data)
        shown += data
    return shown
