"""A line of a page: its cleaned text, its position and its type."""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from miner.libraries import np
from miner.parsing.embedded.characters import clean_text

BULLETS = frozenset("•●▪■◦‣∙·*➢✓►–-")
_NO_SPACE_BEFORE = frozenset(".,;:?!)]”’")
_ENDS_WITH_UNIT = re.compile(r"(?:^|[\s\d/·.(])(?:[cmknµμ]?m|ft|in|dm|km|mm|cm|kg|sec|min)$")

_NAME_WITH_NUMBER = re.compile(r"[^\W\d_]{3}\d{1,2}$")  # "OBP1"
_NOTE_MARK = re.compile(r"[\d,;–—\-\s*†‡§¶#∗⁎]+\)?|[a-z]|\(\d{1,3}(?:[,;–-]\s?\d{1,3})*\)")
_RELATION = re.compile(r"\s?[=<>≤≥≈±×]")  # after an exponent: "R² = .9"
_YEAR = re.compile(r"(?:^|[\s(/])(?:19|20)\d\d$")
_SYMBOL = re.compile(r"(?:^|[^\w-])[A-Z]{2}$")  # "IC²"

_UNICODE_HYPHENS = frozenset("‐‑")
_SYMBOL_AFTER_NUMBER = re.compile(r"[A-Z][a-z]?(?![a-z])")  # "195Pt"

_LABEL = re.compile(
    r"(\((?:\d{1,2}|[ivx]{1,4})\)|(?:\d{1,2}|[ivx]{1,4}|[a-zA-Z])[.)]|[•●▪◦‣–-])\s"
)  # "(a)": of a figure
MAX_SCRIPT_LENGTH = 20  # characters; longer text in small type is a line of its own, such as a note
SCRIPT_SIZE = 0.85  # of the type size; smaller characters are scripts, small capitals or parts of small fractions
_MIN_SCRIPT_SIZE = 0.5  # of the type size; what is smaller are no small capitals
_MIN_RAISE = 0.15  # of the type size; a small number that stands higher above the baseline is a raised one
LEVEL = 0.1  # of the type size; baselines closer than this are one, so neither is raised
_ONE_BASELINE = 0.1  # points; baselines closer than this count as one
_MIN_FULL_SHARE = 1 / 8  # of a line's characters in full size, so that the others are small capitals or scripts
_WIDE_SPACE = 1.5  # of the type size; wider spaces are between the cells of a table, or columns
_MIN_JUSTIFIED = 20  # characters of a line whose spaces are all wide because it is justified
_EQUAL_SPACES = 0.3  # points by which the spaces of a justified line differ

ALL_OF_LINE = 0.9  # of a line's characters: with more in bold or italics the line is, but for a number or symbol
MOST_OF_LINE = 0.6  # of a line's characters in bold or italics: enough where the lines around tell the same
SAME_SIZE = 0.3  # points; sizes are rounded to tenths, and those of one paragraph differ by no more


class TextRun(NamedTuple):
    """Characters of one font, size and baseline. `start`, `end`: offsets in the page's text."""

    start: int
    end: int
    size: float
    baseline: float
    upright: bool
    font: str
    bold: bool
    italic: bool
    maths: bool


class LineCharacters(NamedTuple):
    """A line's characters as the page's text has them from `offset` on, and their runs."""

    text: str
    offset: int
    runs: Sequence[TextRun]

    def fonts(self, positions: Iterable[int]) -> list[str]:
        """The fonts of the characters at these positions of the line."""
        start = attrgetter("start")
        return [self.runs[max(0, bisect(self.runs, self.offset + at, key=start) - 1)].font for at in positions]

    def main_font(self) -> str:
        return max(self.runs, key=lambda run: run.end - run.start).font


NO_CHARACTERS = LineCharacters("", 0, ())


@dataclass(slots=True)
class TextLine:
    """One line as printed. `hyphen`: a hyphen at its end was removed; the word may go on in the next line.

    `bold`, `italic`, `maths`: shares of its characters. `lead`: the words at its start in bold, or else in italics;
    `lead_bold` says which. `gaps`: number of spaces too wide for prose. `note_before`, `note_after`: raised numbers at
    its start and end, which its text does not contain; `notes`: all of them. `characters`: as the page has them; empty
    for a made-up line.
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
    note_before: str = ""
    note_after: str = ""
    notes: tuple[str, ...] = ()
    characters: LineCharacters = NO_CHARACTERS


def read_line(
    page: int,
    text: str,
    offset: int,
    runs: Sequence[TextRun],
    edges: tuple[float, float, float, float],
    spaces: np.ndarray,
    *,
    hyphen: bool,
) -> TextLine:
    """The line with the raw characters `text` at `offset` of the page's text.

    `edges`: its box. `spaces`: distances between its glyphs; none where all of them are narrow. PDFium removes a plain
    hyphen at its end, as `hyphen` says; those of Unicode's own are removed here.
    """
    if text[-3:].rstrip()[-1:] in _UNICODE_HYPHENS and text[:-1].rstrip(" ‐‑")[-1:].isalpha():
        text, hyphen = text.rstrip()[:-1], True
    characters = LineCharacters(text, offset, runs)
    if len(runs) == 1 or _is_uniform(runs):
        return _uniform_line(page, characters, edges, spaces, hyphen=hyphen)
    texts = [text[run.start - offset : run.end - offset] for run in runs]
    size, baseline = _type_size(runs, texts)
    pieces: list[str] = []
    last: TextRun | None = None  # that is no note
    total = bold = italic = maths = 0  # characters
    note_before = note_after = ""
    notes: list[str] = []
    for run, piece in zip(runs, texts, strict=True):
        is_raised = run.size < SCRIPT_SIZE * size and run.baseline < baseline - _MIN_RAISE * size
        is_exponent = last is not None and last.maths
        if is_raised and not is_exponent and is_note_number(piece, "".join(pieces), text[run.end - offset :]):
            note_after = piece.strip()
            notes.append(note_after)
            note_before = note_before or ("" if last else note_after)
            pieces.append(" ")
        else:
            note_after = ""
            if pieces and pieces[-1] == " " and piece[:1] in _NO_SPACE_BEFORE:  # "shown" "12" ". However"
                del pieces[-1]
            if is_raised and pieces and is_power(pieces[-1], piece):
                pieces.append("^")
            pieces.append(piece)
            last, count = run, len(piece)
            total += count
            bold += run.bold * count
            italic += run.italic * count
            maths += run.maths * count
    total = total or 1
    lead, lead_bold = _lead(text, offset, runs)
    return TextLine(
        page,
        clean_text("".join(pieces)),
        *edges,
        size=size,
        baseline=round(baseline, 1),
        upright=all(run.upright for run in runs),
        hyphen=hyphen,
        bold=bold / total,
        italic=italic / total,
        maths=maths / total,
        lead=lead,
        lead_bold=lead_bold,
        gaps=_gaps(spaces, size, text),
        note_before=note_before,
        note_after=note_after,
        notes=tuple(notes),
        characters=characters,
    )


def _is_uniform(runs: Sequence[TextRun]) -> bool:
    """Whether all runs have one size, baseline and type; fonts may differ."""
    first = runs[0]
    return all(
        run.size == first.size
        and abs(run.baseline - first.baseline) < _ONE_BASELINE
        and run.bold == first.bold
        and run.italic == first.italic
        and run.maths == first.maths
        and run.upright == first.upright
        for run in runs
    )


def _uniform_line(
    page: int,
    characters: LineCharacters,
    edges: tuple[float, float, float, float],
    spaces: np.ndarray,
    *,
    hyphen: bool,
) -> TextLine:
    """A line that is all in one type, as most are."""
    run, text = characters.runs[0], characters.text
    cleaned = clean_text(text)
    return TextLine(
        page,
        cleaned,
        *edges,
        size=run.size,
        baseline=round(run.baseline, 1),
        upright=run.upright,
        hyphen=hyphen,
        bold=float(run.bold),
        italic=float(run.italic),
        maths=float(run.maths),
        lead=cleaned if run.bold or run.italic else "",
        lead_bold=run.bold,
        gaps=_gaps(spaces, run.size, text),
        characters=characters,
    )


def _type_size(runs: Sequence[TextRun], texts: Sequence[str]) -> tuple[float, float]:
    """Size and baseline of most characters; if these are scripts or small capitals, of the letters beside them."""
    counts = [(run, len(text.strip())) for run, text in zip(runs, texts, strict=True)]
    if len({run.size for run in runs}) == 1:
        return runs[0].size, most_frequent([(run.baseline, count) for run, count in counts])
    size = most_frequent((run.size, count) for run, count in counts)
    larger = [(run, count) for run, count in counts if is_script_size(size, run.size)]
    if larger:
        full = most_frequent((run.size, count) for run, count in larger)
        baseline = most_frequent((run.baseline, count) for run, count in larger if run.size == full)
        enough = sum(count for _, count in larger) > _MIN_FULL_SHARE * sum(count for _, count in counts)
        if enough and all(
            run.size != size
            or text.upper() == text
            or (abs(run.baseline - baseline) > LEVEL * full and len(text.strip()) <= MAX_SCRIPT_LENGTH)
            for run, text in zip(runs, texts, strict=True)
        ):
            return full, baseline
    return size, most_frequent((run.baseline, count) for run, count in counts if run.size == size)


def is_script_size(size: float, full: float) -> bool:
    """Whether characters of this size are small capitals or scripts beside others of the full size."""
    return _MIN_SCRIPT_SIZE * full < size < SCRIPT_SIZE * full


def most_frequent(counts: Iterable[tuple[float, int]]) -> float:
    """The value with the largest sum of counts, the larger one of two; 0.0 without values.

    >>> most_frequent([(9.0, 3), (10.0, 2), (10.0, 2)])
    10.0
    """
    sums: defaultdict[float, int] = defaultdict(int)
    for value, count in counts:
        sums[value] += count
    if len(sums) == 1:
        return next(iter(sums))
    return max(sums, key=lambda value: (sums[value], value), default=0.0)


def _lead(text: str, offset: int, runs: Sequence[TextRun]) -> tuple[str, bool]:
    """The words at the line's start in bold, or else in italics, and whether in bold; "" where it starts in neither."""
    if len(runs) > 1 and text[: runs[1].start - offset].strip() in BULLETS:
        runs = runs[1:]
    first = runs[0]
    if not (first.bold or first.italic):
        return "", False
    end = next((run.start for run in runs if not (run.bold if first.bold else run.italic)), offset + len(text))
    return clean_text(text[first.start - offset : end - offset]), first.bold


def without_bullet(text: str) -> str:
    """The text without the mark of a list's item in front of it.

    >>> without_bullet("• Boats of wood")
    'Boats of wood'
    """
    is_marked = text[:1] in BULLETS or text[:1] == "o"  # Word's hollow bullet
    return text[1:].lstrip() if is_marked and text[1:2].isspace() else text


def _gaps(spaces: np.ndarray, size: float, text: str) -> int:
    """How many spaces are too wide for prose; 0 in a justified line, where all spaces are alike.

    A single one behind the label of an item in a list does not count.
    """
    if not len(spaces):
        return 0
    is_wide = spaces > _WIDE_SPACE * size
    count = int(np.count_nonzero(is_wide))
    if not count:
        return 0
    text = text.strip()
    is_justified = len(text) > _MIN_JUSTIFIED and count == text.count(" ") and np.ptp(spaces[is_wide]) < _EQUAL_SPACES
    if count > 1 and is_justified:
        return 0
    label = _LABEL.match(text) if count == 1 else None
    return 0 if label and label.end(1) < len(spaces) and is_wide[label.end(1)] else count


def is_power(base: str, raised: str) -> bool:
    """Whether a raised piece is an exponent that would read as further digits of the number before it: 10²⁶.

    >>> is_power("as large as 10", "26 "), is_power("in the year 2014", "a"), is_power("of 3 cm", "2")
    (True, False, False)
    """
    return base[-1:].isdigit() and raised.lstrip("-−–")[:1].isdigit()


def is_relation(text: str) -> bool:
    """Whether the text goes on after a symbol, as in "R² = 0.9"."""
    return _RELATION.match(text) is not None


def is_note_number(piece: str, before: str, after: str = "") -> bool:
    """Whether a raised piece is the number of a note or citation, not an exponent, between these texts of its line."""
    mark = piece.strip()
    if not _NOTE_MARK.fullmatch(mark) or is_relation(after):
        return False
    if before.endswith(" ") and not piece[-1].isspace() and mark.isdigit() and _SYMBOL_AFTER_NUMBER.match(after):
        return False  # of an isotope
    before = before.rstrip()
    if mark[0] in "-–—":  # an exponent or a charge, unless it goes on with a range
        return before[-1:] in tuple(".,;:)]”\"’'%")
    if re.fullmatch(r"[a-z]", mark):  # after a word it may be an exponent
        return bool(re.search(r"[^\W\d_]{2}[.,;:]$", before))
    if mark[0] == "(" and not re.search(r"[^\W\d_]{3}$|\d\d$|[.,;:)\]”\"’'%]$", before):  # a derivative, a label
        return False
    if mark in ("2", "3") and _SYMBOL.search(before):
        return False
    if re.search(r"[^\W\d_]{2}$|\d{3}s$|[.,;:)\]”\"’'%]$", before):
        return not _ENDS_WITH_UNIT.search(before)
    if _YEAR.search(before) or (_NAME_WITH_NUMBER.search(before) and len(mark) > 1 and mark[-1].isdigit()):
        return True
    return not before
