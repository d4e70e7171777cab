"""Tells which characters the codes of a font show, by comparing its outlines with those of known fonts.

It is compared with the other fonts of the document, of which one may be the same font, and with PDFium's own fonts. For
these, enough of its letters must be known by other means: they tell how its letters differ from the other font's.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.libraries import np
from miner.parsing.embedded.lines import TextRun
from miner.parsing.embedded.outlines import LEVELS, Outline, read_outline

Outlines = dict[str, Outline]

_MAX_OUTLINES, _MAX_TRIES = 20_000, 3  # of a document; of a character that a font lacks, as subsets of one name may
_STANDARD: tuple[str, ...] = (
    "Times-Roman",
    "Times-Italic",
    "Times-Bold",
    "Times-BoldItalic",
    "Courier",
    "Courier-Bold",
)
_STANDARD += ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")
_SHOWN = (
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;!?()[]<>=+/-–—“”‘’"&%*@#$§©®°±µ•'
    "ÀÁÂÄÅÇÈÉÊËÍÎÏÑÓÔÖØÚÛÜßàáâãäåæçèéêëíîïñòóôõöøœùúûü"
)
_GREEK = "αβγδεζηθκλξπρστφχψωΔΘΛΣΦΨΩ"
_TWICE = frozenset("µΔΩ")  # which fonts have as a letter and as a sign
_LOW, _HIGH = "acemnorsuvwxz", "bdhkl"
_HIGH_TOP = 1.45  # of x-heights, of letters such as "d"; fonts differ in it
_MIN_HIGH_TOP = 1.1  # of x-heights, likewise; with less its small letters look like capitals
_WIDTH_SHARE = 1 / 4  # of the difference of widths, in the distance of two characters; of heights it is a half
_MIN_KNOWN = 12  # letters that both fonts have
_REFERENCES = 3  # fonts that are most alike
_MAX_MEAN = 0.25  # distance from these of known letters
_SAME = 0.02  # distance of outlines of one font
_MIN_SHARE_SAME = 0.7
_MAX_DISTANCE, _MIN_MARGIN, _MIN_SIGN_MARGIN = 0.25, 0.03, 0.05
_MAX_FAR, _FAR_MARGIN = 0.45, 0.1  # of what is like no other character
_OTHER_CONTOURS = 0.05
_FAR = (9.0, "")


class GlyphOutlines:
    """The outlines of a document's characters, by the font's name."""

    def __init__(self) -> None:
        self.fonts: dict[str, Outlines] = {}
        self._tried: dict[str, Counter[str]] = {}
        self._count = 0

    def note(self, text: str, runs: Sequence[TextRun], font_at: Callable[[int], int | None]) -> None:
        """Add those of the characters of a page that are new."""
        for run in runs:
            tried = self._tried.setdefault(run.font, Counter())
            for character in sorted(set(text[run.start : run.end])):
                tried[character] += 1
                if tried[character] > _MAX_TRIES or character in self.fonts.get(run.font, ()) or character.isspace():
                    continue
                if self._count < _MAX_OUTLINES and (address := font_at(text.index(character, run.start))):
                    self._count += 1
                    font = ctypes.cast(address, raw.FPDF_FONT)
                    if raw.FPDFFont_GetIsEmbedded(font) == 1:
                        self.fonts.setdefault(run.font, {}).update(_outlines(font, character))


def _outlines(font: Any, characters: str) -> Iterator[tuple[str, Outline]]:
    return ((character, outline) for character in characters if (outline := read_outline(font, ord(character))))


@dataclass(frozen=True)
class _Shapes:
    """Characters with their shapes: `black`, what is black of each in a grid over its box; `boxes`, in em."""

    characters: str
    black: np.ndarray
    boxes: np.ndarray
    contours: np.ndarray

    @staticmethod
    def of(outlines: Mapping[str, Outline]) -> _Shapes:
        characters = "".join(outlines)
        black = np.array([_grid(outline) for outline in outlines.values()], dtype=np.float32)
        boxes = np.array([outline.box for outline in outlines.values()])
        return _Shapes(characters, black, boxes, np.array([outline.contours for outline in outlines.values()]))

    def some(self, characters: Iterable[str]) -> _Shapes:
        at = [self.characters.index(character) for character in characters]
        return _Shapes("".join(self.characters[i] for i in at), self.black[at], self.boxes[at], self.contours[at])


def _grid(outline: Outline) -> np.ndarray:
    at = (np.arange(LEVELS) + 0.5) / LEVELS
    grid = np.zeros((LEVELS, LEVELS), dtype=np.float32)
    for row, spans in zip(grid, outline.rows, strict=True):
        for start, end in spans:
            row[(at > start) & (at < end)] = 1
    return grid.ravel()


@cache
def _standard_fonts() -> tuple[_Shapes, ...]:
    """The shapes of PDFium's own fonts, the same on each machine."""
    with closing(pdfium.PdfDocument.new()) as document:
        greek = _standard_outlines(document, "Symbol", _GREEK)
        return tuple(_Shapes.of(_standard_outlines(document, name, _SHOWN) | greek) for name in _STANDARD)


def _standard_outlines(document: pdfium.PdfDocument, name: str, characters: str) -> Outlines:
    font = raw.FPDFText_LoadStandardFont(document.raw, name.encode())
    found = dict(_outlines(font, characters))
    raw.FPDFFont_Close(font)
    return found


def _heights(shapes: _Shapes) -> tuple[float, float] | None:
    """The heights of letters such as "x" and such as "d"."""
    tops = dict(zip(shapes.characters, shapes.boxes[:, 3].tolist(), strict=True))
    low, high = ([tops[letter] for letter in letters if letter in tops] for letters in (_LOW, _HIGH))
    if not low or not high:
        return None
    low_top, high_top = float(np.median(low)), float(np.median(high))
    return (low_top, high_top) if 0 < _MIN_HIGH_TOP * low_top < high_top else None


def _levelled(y: np.ndarray, heights: tuple[float, float]) -> np.ndarray:
    low, high = heights
    return np.where(y < low, y / low, 1 + (y - low) / (high - low) * (_HIGH_TOP - 1))


def _distances(
    font: _Shapes, other: _Shapes, heights: tuple[float, float], others: tuple[float, float], wider: float
) -> np.ndarray:
    """How much each character of a font differs from each of the other; `wider`: than the other's letters."""
    distance = (font.black @ (1 - other.black).T + (1 - font.black) @ other.black.T) / font.black.shape[1]
    for edge in (1, 3):
        ends = _levelled(font.boxes[:, edge], heights), _levelled(other.boxes[:, edge], others)
        distance += np.abs(ends[0][:, None] - ends[1][None]) / 2
    widths = [(shapes.boxes[:, 2] - shapes.boxes[:, 0]) for shapes in (font, other)]
    widths = [widths[0] / heights[0] / wider, widths[1] / others[0]]
    distance += np.abs(widths[0][:, None] - widths[1][None]) * _WIDTH_SHARE
    distance += np.where(font.contours[:, None] == other.contours[None], 0, _OTHER_CONTOURS)
    return np.asarray(distance)


def shown_by_shape(
    outlines: Mapping[str, Outline], known: Mapping[str, str], others: Iterable[Outlines]
) -> dict[str, str]:
    """The characters that further codes of a font show, where one character's shape is plainly nearest.

    `outlines`: of the font, by code. `known`: what some codes show. `others`: fonts whose characters are known.
    """
    unknown = {code: outline for code, outline in outlines.items() if code not in known}
    if not unknown:
        return {}
    rest, fonts = _Shapes.of(unknown), [_Shapes.of(other) for other in others if other]
    if not (alike := _alike(outlines, known, [*fonts, *_standard_fonts()])):
        return _same(rest, fonts)
    ranked = [(reference.distances_of(rest), reference.font.characters) for reference in alike]
    return _nearest(rest.characters, ranked, {*known.values()})


def agrees(outlines: Mapping[str, Outline], known: Mapping[str, str]) -> bool:
    """Whether the codes have the shapes of the characters that `known` says they show."""
    alike = _alike(outlines, known, _standard_fonts())
    return bool(alike) and alike[0].distance < _MAX_MEAN


@dataclass(frozen=True)
class _Alike:
    """A font whose letters are alike, their mean distance, the heights of both, and how much wider this one is."""

    font: _Shapes
    distance: float
    heights: tuple[float, float]
    own_heights: tuple[float, float]
    wider: float

    def distances_of(self, shapes: _Shapes) -> np.ndarray:
        return _distances(shapes, self.font, self.own_heights, self.heights, self.wider)


def _alike(outlines: Mapping[str, Outline], known: Mapping[str, str], fonts: Iterable[_Shapes]) -> list[_Alike]:
    """The fonts whose letters are most alike to those known of this one, the nearest first."""
    letters = {shown: outlines[code] for code, shown in known.items() if code in outlines and len(shown) == 1}
    if not letters or (own_heights := _heights(solved := _Shapes.of(letters))) is None:
        return []
    found = []
    for font in fonts:
        both = sorted({*letters} & {*font.characters})
        heights = _heights(font)
        if len(both) < _MIN_KNOWN or heights is None:
            continue
        one, two = solved.some(both), font.some(both)
        ratio = (one.boxes[:, 2] - one.boxes[:, 0]) / (two.boxes[:, 2] - two.boxes[:, 0])
        wider = float(np.median(ratio)) / own_heights[0] * heights[0]
        distances = np.diag(_distances(one, two, own_heights, heights, wider))
        found.append(_Alike(font, float(np.mean(distances)), heights, own_heights, wider))
    return sorted(found, key=lambda reference: reference.distance)[:_REFERENCES]


def _nearest(codes: str, ranked: Sequence[tuple[np.ndarray, str]], taken: set[str]) -> dict[str, str]:
    """The plainly nearest characters; each is that of one code only, so that others become plain when it is found."""
    distances = [_by_character((column, row[at].tolist()) for row, column in ranked) for at in range(len(codes))]
    found: dict[str, str] = {}
    while new := _plainly_nearest(
        {code: near for code, near in zip(codes, distances, strict=True) if code not in found}, taken, {*found.values()}
    ):
        found |= new
    return found


def _plainly_nearest(distances: Mapping[str, Mapping[str, float]], taken: set[str], found: set[str]) -> dict[str, str]:
    votes: list[tuple[float, str, str]] = []
    for code, near in distances.items():
        ranked = sorted((distance, character) for character, distance in near.items() if character not in found)
        if not ranked or ranked[0][1] in taken - _TWICE:
            continue
        (distance, character), (second, other) = (
            [candidate for candidate in ranked if candidate[1] not in taken - _TWICE] + [_FAR]
        )[:2]
        is_clear = character.isalpha() == other.isalpha() and character.isalnum()  # not "B" and "8"
        margin = _FAR_MARGIN if distance > _MAX_DISTANCE else _MIN_MARGIN if is_clear else _MIN_SIGN_MARGIN
        if distance < _MAX_FAR and second - distance > margin:
            votes.append((distance, code, character))
    new: dict[str, str] = {}
    for _, code, character in sorted(votes):
        if character not in new.values():
            new[code] = character
    return new


def _by_character(distances: Iterable[tuple[str, list[float]]]) -> dict[str, float]:
    """The least distance to each character in any font."""
    nearest: dict[str, float] = {}
    for characters, some in distances:
        for character, distance in zip(characters, some, strict=True):
            if character != "'" or distance < _SAME:  # in most fonts between the opening and the closing quote
                nearest[character] = min(distance, nearest.get(character, distance))
    return nearest


def _same(rest: _Shapes, fonts: Iterable[_Shapes]) -> dict[str, str]:
    """What codes show that have the very outlines of characters of another font, as most in such a font have."""
    best: dict[str, str] = {}
    for other in fonts:
        distance = (rest.black @ (1 - other.black).T + (1 - rest.black) @ other.black.T) / rest.black.shape[1]
        distance += np.abs(rest.boxes[:, None] - other.boxes[None]).sum(axis=2)
        nearest = distance.argmin(axis=1).tolist()
        is_same = (distance.min(axis=1) < _SAME).tolist()
        found = {
            code: other.characters[at] for code, at, same in zip(rest.characters, nearest, is_same, strict=True) if same
        }
        if len(found) > max(len(best), _MIN_SHARE_SAME * len(rest.characters)):
            best = found
    return best
