"""Pausing Python's garbage collector, whose full passes stop all threads, the window's too."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 50_000  # objects; a pass over ten times as many takes half a second


@contextmanager
def gc_paused() -> Iterator[None]:
    """No garbage collection inside; if many objects were made there, later collections do not traverse them either.

    For many objects without reference cycles, which are freed by their reference counts. After few objects nothing is
    frozen: `gc.freeze` also keeps the garbage there is, until the project is closed.
    """
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > _MANY:
            gc.freeze()
        gc.enable()
