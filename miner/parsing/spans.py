"""The spans of a paragraph in few bytes, as projects and corpora store them."""

from __future__ import annotations

import struct
import zlib

from miner.records import Span

UNITS_PER_POINT = 100  # precision of stored boxes
_MAX_INT32 = 2**31 - 1


def pack_spans(spans: tuple[Span, ...]) -> bytes | None:
    """All starts, all ends, all pages, all x0 and so on as 32-bit integers, deflated; None for no spans."""
    if not spans:
        return None
    numbers: list[int] = []
    boxes = [span.box for span in spans]
    numbers += (span.start for span in spans)
    numbers += (span.end for span in spans)
    numbers += (box.page for box in boxes)
    for side in range(1, 5):
        numbers += (max(-_MAX_INT32, min(_MAX_INT32, round(box[side] * UNITS_PER_POINT))) for box in boxes)
    return zlib.compress(struct.pack(f"<{len(numbers)}i", *numbers), 1)
