"""Finds the text of a PDF's page that nobody sees: invisible, faint, off the page, clipped, covered, white on white.

Much is known from the page's objects. For the rest, and only on pages that give reason to, the page is drawn with its
text and without it: a word that changes no pixel is not seen.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import Enum, auto
from itertools import islice, repeat
from typing import Any, NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.parsing.embedded.untyped import text_object, untyped

_OBJECTS, _WORK = 20_000, 300_000  # of a page; maps and plots may have millions, and are not drawn here
_DEPTH = 6  # forms in forms
_PIXELS = 4_000_000  # of a drawing; larger pages are drawn coarser than a pixel a point
_LIGHT = 230  # of 255: a colour whose components are all above it
_SMALL = 3.0  # points; what is less high or wide covers no word
_FAINT = 8  # of 255: opacity that is not seen, and a change of a pixel that is not
_SCAN = 0.8  # share of a page's words that are hidden on pictures: then they say what the pictures show
_PICTURES = (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
_Take = Callable[[int, int], int]
_Boxes = Callable[[np.ndarray], np.ndarray]
_on_page = untyped(raw.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_in_form = untyped(raw.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_kind = untyped(raw.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)


class _Look(Enum):
    """What the page's objects say of a text: clearly not seen, worth a look at the drawing, or neither."""

    INVISIBLE = auto()
    DOUBTFUL = auto()
    PLAIN = auto()


class _Object(NamedTuple):
    """Something on the page; what may cover others has a `box`: left, top, right, bottom in the page's coordinates."""

    handle: int
    kind: int
    box: tuple[float, float, float, float] | None


class _Matrix(NamedTuple):
    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, inner: _Matrix) -> _Matrix:
        """`inner` first, then this one."""
        (ox, oy), (ax, ay), (cx, cy) = (self.at(*point) for point in ((inner.e, inner.f), inner[:2], inner[2:4]))
        return _Matrix(ax - self.e, ay - self.f, cx - self.e, cy - self.f, ox, oy)


def hidden_words(
    page: pdfium.PdfPage, textpage: object, first: np.ndarray, boxes: np.ndarray, shown: _Boxes
) -> np.ndarray:
    """Which words are not seen on the page, of those with these first characters and these boxes as shown.

    The text layer of a scan or a drawing counts as seen, since what it says is. `shown` turns boxes in the page's
    coordinates into boxes as shown. May leave the page's text switched off.
    """
    handle = _address(textpage)
    of_word = [owner or 0 for owner in map(text_object, repeat(handle), first.tolist())]
    looks = {owner: _look(owner) if owner else _Look.PLAIN for owner in set(of_word)}
    hidden = np.array([looks[owner] is _Look.INVISIBLE for owner in of_word])
    doubtful = np.array([looks[owner] is _Look.DOUBTFUL for owner in of_word])
    width, height = page.get_size()
    hidden |= (boxes[:, :2] >= (width, height)).any(axis=1) | (boxes[:, 2:] <= 0).any(axis=1)

    objects = list(islice(_objects(_address(page.raw), _on_page, raw.FPDFPage_CountObjects(page), _Matrix()), _OBJECTS))
    place = {thing.handle: at for at, thing in enumerate(objects) if thing.kind == raw.FPDF_PAGEOBJ_TEXT}
    drawn_at = np.array([place.get(owner, _OBJECTS) for owner in of_word])
    covers = [at for at, thing in enumerate(objects) if thing.box is not None]
    edges = shown(np.array([objects[at].box for at in covers], dtype=np.float64).reshape(-1, 4))
    large = np.flatnonzero((edges[:, 2:] - edges[:, :2]).min(axis=1) > _SMALL)
    pictured, behind = (np.zeros(len(first), dtype=bool) for _ in range(2))
    for index in large.tolist():
        at = covers[index]
        within = _within(boxes, edges[index])
        covered = within & (drawn_at < at)
        if objects[at].kind in _PICTURES:
            pictured |= within
            behind |= covered
        else:
            doubtful |= covered
    if ((hidden | behind) & pictured).sum() >= _SCAN * len(first):
        return hidden & ~pictured
    if len(objects) == _OBJECTS or sum(map(_work, objects)) > _WORK:
        return hidden
    doubtful = (doubtful | behind) & ~hidden
    if doubtful.any():
        hidden |= doubtful & ~_inked(page, objects, boxes)
    if hidden.sum() >= _SCAN * len(first):  # letters drawn as curves, perhaps
        traced = hidden & _traced(page, objects, boxes)
        if traced.sum() >= _SCAN * len(first):
            hidden &= ~traced
    return hidden


def _objects(parent: int, take: _Take, count: int, matrix: _Matrix, depth: int = 0) -> Iterator[_Object]:
    """What a page draws, in this order, with what is in its forms."""
    for handle in map(take, repeat(parent), range(count)):
        kind = _kind(handle)
        if kind != raw.FPDF_PAGEOBJ_FORM:
            may_cover = kind in _PICTURES or (kind == raw.FPDF_PAGEOBJ_PATH and _is_filled(_object(handle)))
            yield _Object(handle, kind, _box(_object(handle), matrix) if may_cover else None)
        elif depth < _DEPTH:
            inner = raw.FS_MATRIX()
            raw.FPDFPageObj_GetMatrix(_object(handle), inner)
            outer = matrix.after(_Matrix(inner.a, inner.b, inner.c, inner.d, inner.e, inner.f))
            yield from _objects(handle, _in_form, raw.FPDFFormObj_CountObjects(_object(handle)), outer, depth + 1)


def _box(handle: Any, matrix: _Matrix) -> tuple[float, float, float, float]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    raw.FPDFPageObj_GetBounds(handle, left, bottom, right, top)
    corners = [matrix.at(x.value, y.value) for x in (left, right) for y in (bottom, top)]
    x, y = zip(*corners, strict=True)
    return min(x), max(y), max(x), min(y)


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _object(address: int) -> Any:
    return ctypes.cast(address, raw.FPDF_PAGEOBJECT)


def _look(owner: int) -> _Look:
    text = _object(owner)
    mode = raw.FPDFTextObj_GetTextRenderMode(text)
    if mode == raw.FPDF_TEXTRENDERMODE_INVISIBLE:
        return _Look.INVISIBLE
    colour = _colour(text)
    if mode != raw.FPDF_TEXTRENDERMODE_FILL or colour is None or min(colour[:3]) > _LIGHT:
        return _Look.DOUBTFUL
    if colour[3] < _FAINT:
        return _Look.INVISIBLE
    clip = raw.FPDFPageObj_GetClipPath(text)
    return _Look.DOUBTFUL if clip and raw.FPDFClipPath_CountPaths(clip) > 0 else _Look.PLAIN


def _colour(text: Any) -> tuple[int, int, int, int] | None:
    """Red, green, blue and opacity, 0 to 255; None for patterns."""
    parts = tuple(ctypes.c_uint() for _ in range(4))
    if not raw.FPDFPageObj_GetFillColor(text, *parts):
        return None
    red, green, blue, opacity = (part.value for part in parts)
    return red, green, blue, opacity


def _is_filled(path: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(raw.FPDFPath_GetDrawMode(path, fill, stroke)) and fill.value != raw.FPDF_FILLMODE_NONE


def _work(found: _Object) -> int:
    """How much there is to draw, in segments of paths; a hundred pixels of a picture take about as long."""
    if found.kind == raw.FPDF_PAGEOBJ_PATH:
        return max(0, int(raw.FPDFPath_CountSegments(_object(found.handle))))
    if found.kind == raw.FPDF_PAGEOBJ_IMAGE:
        width, height = ctypes.c_uint(), ctypes.c_uint()
        raw.FPDFImageObj_GetImagePixelSize(_object(found.handle), width, height)
        return int(width.value * height.value // 100)
    return 0


def _within(boxes: np.ndarray, edge: np.ndarray) -> np.ndarray:
    """Which of the boxes have their middle in the one."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    within: np.ndarray = (edge[0] <= x) & (x <= edge[2]) & (edge[1] <= y) & (y <= edge[3])
    return within


def _inked(page: pdfium.PdfPage, objects: list[_Object], boxes: np.ndarray) -> np.ndarray:
    """In which boxes the page's text changes what is drawn."""
    scale = _scale(page)
    with_text = _draw(page, scale)
    _switch_off_text(objects)
    return _any_in(_differs(with_text, _draw(page, scale)), boxes * scale)


def _traced(page: pdfium.PdfPage, objects: list[_Object], boxes: np.ndarray) -> np.ndarray:
    """In which boxes something else than the page's text is drawn."""
    scale = _scale(page)
    _switch_off_text(objects)
    drawn = _draw(page, scale)
    return _any_in(_differs(drawn[:, 1:], drawn[:, :-1]), boxes * scale)


def _switch_off_text(objects: list[_Object]) -> None:
    for found in objects:
        if found.kind == raw.FPDF_PAGEOBJ_TEXT:
            raw.FPDFPageObj_SetIsActive(_object(found.handle), False)


def _differs(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which pixels are visibly others, in any colour."""
    differs = np.maximum(one, other) - np.minimum(one, other) > _FAINT
    changed: np.ndarray = differs[:, :, 0] | differs[:, :, 1] | differs[:, :, 2]
    return changed


def _any_in(changed: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """In which boxes, given in pixels, there is one that changed."""
    total = np.pad(changed.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    down, across = changed.shape
    x0, y0 = (np.floor(boxes[:, at]).clip(0, most).astype(int) for at, most in ((0, across), (1, down)))
    x1, y1 = (np.ceil(boxes[:, at]).clip(0, most).astype(int) for at, most in ((2, across), (3, down)))
    found: np.ndarray = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0] > 0
    return found


def _scale(page: pdfium.PdfPage) -> float:
    """Pixels a point."""
    width, height = page.get_size()
    return float(min(1.0, (_PIXELS / max(width * height, 1.0)) ** 0.5))


def _draw(page: pdfium.PdfPage, scale: float) -> np.ndarray:
    width, height = (max(1, round(size * scale)) for size in page.get_size())
    with closing(pdfium.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGRx)) as bitmap:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0)
        drawn: np.ndarray = bitmap.to_numpy().copy()
        return drawn
