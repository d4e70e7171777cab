"""What a line of a page is: its text, cleaned, and where and how it is set."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_ODD = re.compile(r"[\x00\x7f-\x9f\ue000-\uf8ff\u200b-\u200f\u202a-\u202e\u2060\ufeff\ufffd\ufffe\uffff\xad]")


class Run(NamedTuple):
    """Characters of one font, size and baseline. `start`, `end` count in the page's text."""

    start: int
    end: int
    size: float
    baseline: float
    upright: bool
    font: str
    bold: bool
    italic: bool
    maths: bool


@dataclass(slots=True)
class Line:
    """One line as printed. `hyphen`: it ended in a hyphen, now cut off, that may only be there for the line's end.

    `bold`, `italic`, `maths` are shares of its letters; `lead` is what stands
    in bold, or else in italics, at its start; `lead_bold` says which.
    """

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    baseline: float
    upright: bool
    hyphen: bool
    bold: float
    italic: float
    maths: float
    lead: str
    lead_bold: bool
    gaps: int


def clean(text: str) -> str:
    """Ligatures opened, control and private characters gone, white space single, NFC."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    return unicodedata.normalize("NFC", re.sub(r"[^\S\x0b-\x1f]+|\r", " ", _ODD.sub("", text.translate(_LIGATURES))))


def read_line(
    page: int,
    text: str,
    offset: int,
    runs: Sequence[Run],
    edges: tuple[float, float, float, float],
    spaces: np.ndarray,
    *,
    hyphen: bool,
) -> Line:
    """The line whose raw characters are `text`, from `offset` of the page as runs count. `spaces`: between glyphs."""
    end = offset + len(text)
    weight: defaultdict[float, int] = defaultdict(int)
    for run in runs:
        weight[run.size] += run.end - run.start
    size = max(weight, key=lambda key: (weight[key], key))
    levels: defaultdict[float, int] = defaultdict(int)
    for run in runs:
        if run.size == size:
            levels[run.baseline] += run.end - run.start
    baseline = max(levels, key=lambda key: (levels[key], key))
    pieces: list[str] = []
    total = bold = italic = maths = 0
    for run in runs:
        piece = text[run.start - offset : run.end - offset]
        if run.size < 0.85 * size and run.baseline < baseline - 0.15 * size and is_note(piece, "".join(pieces)):
            pieces.append(" ")
            continue
        pieces.append(piece)
        count = len(piece)
        total += count
        bold += count * run.bold
        italic += count * run.italic
        maths += count * run.maths
    first = runs[0]
    lead = ""
    if first.bold or first.italic:
        stop = next((run.start for run in runs if not (run.bold if first.bold else run.italic)), end)
        lead = clean(text[: stop - offset]).strip()
    total = total or 1
    return Line(
        page,
        clean("".join(pieces)).strip(),
        *edges,
        size=size,
        baseline=round(baseline, 1),
        upright=all(run.upright for run in runs),
        hyphen=hyphen,
        bold=bold / total,
        italic=italic / total,
        maths=maths / total,
        lead=lead,
        lead_bold=first.bold,
        gaps=_gaps(spaces[spaces > 1.5 * size], text),
    )


def _gaps(wide: np.ndarray, text: str) -> int:
    """How many spaces are too wide for prose; none where a justified line is stretched, all its spaces alike."""
    text = text.strip()
    if len(wide) > 1 and len(text) > 20 and len(wide) == text.count(" ") and np.ptp(wide) < 0.3:
        return 0
    return len(wide)


_UNITS = re.compile(r"(?:^|[\s\d/·.(])(?:[cmknµμ]?m|ft|in|dm|km|mm|cm|kg|sec|min)$")


def is_note(piece: str, before: str) -> bool:
    """Whether a raised piece is a note or citation number rather than an exponent."""
    mark = piece.strip()
    if not mark or not re.fullmatch(r"[\d,;–—\-\s*†‡§¶#∗⁎]+|[a-z]", mark):
        return False
    before = before.rstrip()
    if re.fullmatch(r"[a-z]", mark):  # after a word it may be an exponent
        return bool(re.search(r"[^\W\d_]{2}[.,;:]$", before))
    if re.search(r"[^\W\d_]{2}$|\d{3}s$|[.,;:)\]”\"’'%]$", before):
        return not _UNITS.search(before)
    return not before
