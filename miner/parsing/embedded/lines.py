"""What a line of a page is: its text, cleaned, and where and how it is set."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
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
    """One line as printed. `hyphen`: it ended in a hyphen that may only be there for the line's end, and that is cut off.

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
    return unicodedata.normalize("NFC", re.sub(r"[^\S\x0b-\x1f]+|\r", " ", _ODD.sub("", text.translate(_LIGATURES))))


def read_line(
    text: str, start: int, end: int, runs: list[Run], boxes: np.ndarray, white: np.ndarray, page: int, hyphen: bool
) -> Line:
    sizes: Counter[float] = Counter()
    for run in runs:
        sizes[run.size] += run.end - run.start
    size = sizes.most_common(1)[0][0]
    levels: Counter[float] = Counter()
    for run in runs:
        if run.size == size:
            levels[round(run.baseline, 1)] += run.end - run.start
    baseline = levels.most_common(1)[0][0]
    pieces: list[str] = []
    total = bold = italic = maths = 0
    for run in runs:
        piece = text[run.start : min(run.end, end)]
        if run.size < 0.85 * size and run.baseline < baseline - 0.15 * size and is_note(piece, "".join(pieces)):
            pieces.append(" " if piece[-1:] == " " else "")
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
        lead = clean(text[first.start : stop]).strip()
    mine = boxes[runs[0].start : end][~white[runs[0].start : end]]
    gaps = int((mine[1:, 0] - mine[:-1, 2] > 1.5 * size).sum())
    total = total or 1
    return Line(
        page=page,
        text=clean("".join(pieces)).strip(),
        x0=float(mine[:, 0].min()),
        y0=float(mine[:, 1].min()),
        x1=float(mine[:, 2].max()),
        y1=float(mine[:, 3].max()),
        size=size,
        baseline=baseline,
        upright=all(run.upright for run in runs),
        hyphen=hyphen,
        bold=bold / total,
        italic=italic / total,
        maths=maths / total,
        lead=lead,
        lead_bold=first.bold,
        gaps=gaps,
    )


_UNITS = re.compile(r"(?:^|[\s\d/·.(])(?:[cmknµμ]?m|ft|in|dm|km|mm|cm|kg|sec|min)$")


def is_note(piece: str, before: str) -> bool:
    """Whether a raised piece is a note or citation number rather than an exponent."""
    mark = piece.strip()
    if not mark or not re.fullmatch(r"[\d,;–—\-\s*†‡§¶#∗⁎]+|[a-z]", mark):
        return False
    if re.fullmatch(r"[a-z]", mark):
        return False
    before = before.rstrip()
    if re.search(r"[^\W\d_]{2}$|\d{3}s$|[.,;:)\]”\"’'%]$", before):
        return not _UNITS.search(before)
    return not before
