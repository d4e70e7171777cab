"""Work on a hundred thousand small things beside a window."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def calm() -> Iterator[None]:
    """What is made inside is not looked through for garbage, then or later: that would stop all threads for 100 ms.

    For things that do not point at each other in circles, which go by themselves.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
