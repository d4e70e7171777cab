"""Work on a hundred thousand small things beside a window."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 50_000  # things; looking through ten times as many stops all threads for half a second


@contextmanager
def calm() -> Iterator[None]:
    """What is made inside is not looked through for garbage, nor later where it is much: that stops all threads.

    For things that do not point at each other in circles, which go by themselves. Where it is little nothing is set
    aside, since with it goes what garbage there is, until the project is closed.
    """
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > _MANY:
            gc.freeze()
        gc.enable()
