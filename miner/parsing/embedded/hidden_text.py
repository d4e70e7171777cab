"""Finds the text of a PDF's page that nobody sees: invisible, faint, off the page, clipped, covered, white on white.

Much is known from the page's objects. For the rest, and only on pages that give reason to, the page is drawn with its
text and without it: a word that changes no pixel is not seen.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.parsing.embedded.untyped import slots, untyped

_OBJECTS, _WORK = 20_000, 300_000  # of a page; maps and plots may have millions, and are not drawn here
_DEPTH = 6  # forms in forms
_PIXELS = 4_000_000  # of a drawing; larger pages are drawn coarser than a pixel a point
_LIGHT = 230  # of 255: a colour whose components are all above it
_SMALL = 3.0  # points; what is less high or wide covers no word
_FAINT = 8  # of 255: opacity that is not seen, and a change of a pixel that is not
_SCAN = 0.8  # share of a page's words that are hidden on pictures: then they say what the pictures show
_TEXT, _PATH, _FORM = raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM
_PICTURES = (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
_Take = Callable[[int, int], int]
_Boxes = Callable[[np.ndarray], np.ndarray]
_on_page = untyped(raw.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_in_form = untyped(raw.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_kind = untyped(raw.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_bounds = untyped(raw.FPDFPageObj_GetBounds, ctypes.c_int, *[ctypes.c_void_p] * 5)
_draw_mode = untyped(raw.FPDFPath_GetDrawMode, ctypes.c_int, *[ctypes.c_void_p] * 3)
_text_mode = untyped(raw.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
_colour = untyped(raw.FPDFPageObj_GetFillColor, ctypes.c_int, *[ctypes.c_void_p] * 5)
_clip = untyped(raw.FPDFPageObj_GetClipPath, ctypes.c_void_p, ctypes.c_void_p)
_clip_paths = untyped(raw.FPDFClipPath_CountPaths, ctypes.c_int, ctypes.c_void_p)


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


def hidden_words(page: pdfium.PdfPage, texts: np.ndarray, boxes: np.ndarray, shown: _Boxes) -> np.ndarray:
    """Which words are not seen on the page, of those with these text objects (0: none) and these boxes as shown.

    The text layer of a scan or a drawing counts as seen, since what it says is. `shown` turns boxes in the page's
    coordinates into boxes as shown. May leave the page's text switched off.
    """
    owners, of_word = np.unique(texts, return_inverse=True)
    invisible, unsure = _looks(owners)
    hidden, doubtful = invisible[of_word], unsure[of_word]
    width, height = page.get_size()
    hidden |= (boxes[:, :2] >= (width, height)).any(axis=1) | (boxes[:, 2:] <= 0).any(axis=1)

    drawing = _Drawing()
    drawing.take(_address(page.raw), _on_page, raw.FPDFPage_CountObjects(page), _Matrix())
    drawn_at = np.array([drawing.texts.get(owner, _OBJECTS) for owner in owners.tolist()])[of_word]
    edges = shown(drawing.boxes())
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    large = np.flatnonzero((edges[:, 2:] - edges[:, :2]).min(axis=1) > _SMALL)
    pictured, behind = (np.zeros(len(boxes), dtype=bool) for _ in range(2))
    for index in large.tolist():
        at = drawing.covers[index]
        within = ((edges[index, :2] <= middle) & (middle <= edges[index, 2:])).all(axis=1)
        covered = within & (drawn_at < at)
        if drawing.kinds[at] in _PICTURES:
            pictured |= within
            behind |= covered
        else:
            doubtful |= covered
    most = _SCAN * len(boxes)
    if ((hidden | behind) & pictured).sum() >= most:
        return hidden & ~pictured
    doubtful = (doubtful | behind) & ~hidden
    if not (doubtful.any() or hidden.sum() >= most) or drawing.is_too_much():
        return hidden
    if doubtful.any():
        hidden[doubtful] = ~_inked(page, drawing, boxes[doubtful])
    if hidden.sum() >= most:  # letters drawn as curves, perhaps
        traced = hidden & _traced(page, drawing, boxes)
        if traced.sum() >= most:
            hidden &= ~traced
    return hidden


def _looks(owners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each text whether it is clearly not seen, else whether it is worth a look at the drawing; 0 is none."""
    texts = owners.tolist()
    colours = np.zeros((len(texts), 4), dtype=np.uint32)  # red, green, blue and opacity, 0 to 255
    at = slots(colours)
    parts = (range(at.start + part, at.stop + part, at.step) for part in (0, 4, 8, 12))
    plain = np.array(list(map(_colour, texts, *parts)), dtype=bool)  # no pattern
    mode = np.array(list(map(_text_mode, texts)))
    clipped = np.array([bool(clip) and _clip_paths(clip) > 0 for clip in map(_clip, texts)])
    odd = (mode != raw.FPDF_TEXTRENDERMODE_FILL) | ~plain | (colours[:, :3].min(axis=1) > _LIGHT)
    invisible = (mode == raw.FPDF_TEXTRENDERMODE_INVISIBLE) | (~odd & (colours[:, 3] < _FAINT))
    return invisible & (owners > 0), (odd | clipped) & ~invisible & (owners > 0)


@dataclass
class _Drawing:
    """What a page draws, in this order, with what is in its forms.

    `texts`: where each text stands in it; `covers`: what may cover others.
    """

    handles: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    texts: dict[int, int] = field(default_factory=dict)
    covers: list[int] = field(default_factory=list)
    _edges: list[float] = field(default_factory=list)  # left, bottom, right and top of each cover, as its form has it
    _forms: list[int] = field(default_factory=list)  # of each cover, the place of its matrix
    _matrices: list[_Matrix] = field(default_factory=list)

    def take(self, parent: int, get: _Take, count: int, matrix: _Matrix, depth: int = 0) -> None:
        form = len(self._matrices)
        self._matrices.append(matrix)
        fill, bounds = (ctypes.c_int * 2)(), (ctypes.c_float * 4)()
        fill_at, (left, bottom, right, top) = slots(np.asarray(fill)), slots(np.asarray(bounds))
        for handle in map(get, repeat(parent), range(count)):
            at = len(self.handles)
            if at == _OBJECTS:
                return
            kind = _kind(handle)
            if kind == _FORM:
                if depth < _DEPTH:
                    inside = raw.FPDFFormObj_CountObjects(_object(handle))
                    self.take(handle, _in_form, inside, matrix.after(_matrix_of(handle)), depth + 1)
                continue
            self.handles.append(handle)
            self.kinds.append(kind)
            if kind == _TEXT:
                self.texts[handle] = at
            elif kind in _PICTURES or (kind == _PATH and _draw_mode(handle, *fill_at) and fill[0]):
                _bounds(handle, left, bottom, right, top)
                self.covers.append(at)
                self._edges.extend(bounds)
                self._forms.append(form)

    def boxes(self) -> np.ndarray:
        """Of `covers`: left, top, right, bottom in the page's coordinates."""
        left, bottom, right, top = np.array(self._edges).reshape(-1, 4).T
        a, b, c, d, e, f = np.array(self._matrices)[np.array(self._forms, dtype=int)].T
        x, y = np.stack([left, left, right, right]), np.stack([bottom, top, bottom, top])
        x, y = a * x + c * y + e, b * x + d * y + f
        return np.stack([x.min(axis=0), y.max(axis=0), x.max(axis=0), y.min(axis=0)], axis=1)

    def is_too_much(self) -> bool:
        """Whether drawing it takes too long."""
        return len(self.handles) == _OBJECTS or sum(map(_work, self.handles, self.kinds)) > _WORK


def _matrix_of(form: int) -> _Matrix:
    inner = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(_object(form), inner)
    return _Matrix(inner.a, inner.b, inner.c, inner.d, inner.e, inner.f)


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _object(address: int) -> Any:
    return ctypes.cast(address, raw.FPDF_PAGEOBJECT)


def _work(handle: int, kind: int) -> int:
    """How much there is to draw, in segments of paths; a hundred pixels of a picture take about as long."""
    if kind == _PATH:
        return max(0, int(raw.FPDFPath_CountSegments(_object(handle))))
    if kind == raw.FPDF_PAGEOBJ_IMAGE:
        width, height = ctypes.c_uint(), ctypes.c_uint()
        raw.FPDFImageObj_GetImagePixelSize(_object(handle), width, height)
        return int(width.value * height.value // 100)
    return 0


def _inked(page: pdfium.PdfPage, drawing: _Drawing, boxes: np.ndarray) -> np.ndarray:
    """In which boxes the page's text changes what is drawn. No more is drawn than it takes."""
    pixels = _pixels(page, boxes)
    left, top, right, bottom = map(int, (*pixels[:, :2].min(axis=0), *pixels[:, 2:].max(axis=0)))
    if right <= left or bottom <= top:
        return np.zeros(len(boxes), dtype=bool)
    with_text = _draw(page, left, top, right, bottom)
    _switch_off_text(drawing)
    changed = _differs(with_text, _draw(page, left, top, right, bottom))
    return _any_in(changed, pixels - (left, top, left, top))


def _traced(page: pdfium.PdfPage, drawing: _Drawing, boxes: np.ndarray) -> np.ndarray:
    """In which boxes something else than the page's text is drawn."""
    _switch_off_text(drawing)
    drawn = _draw(page, 0, 0, *_size(page))
    return _any_in(_differs(drawn[:, 1:], drawn[:, :-1]), _pixels(page, boxes))


def _switch_off_text(drawing: _Drawing) -> None:
    for handle in drawing.texts:
        raw.FPDFPageObj_SetIsActive(_object(handle), False)


def _differs(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which pixels are visibly others, in any colour."""
    differs = np.maximum(one, other) - np.minimum(one, other) > _FAINT
    changed: np.ndarray = differs[:, :, 0] | differs[:, :, 1] | differs[:, :, 2]
    return changed


def _any_in(changed: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """In which of the boxes there is one that changed."""
    return np.array([changed[y0:y1, x0:x1].any() for x0, y0, x1, y1 in pixels.tolist()])


def _pixels(page: pdfium.PdfPage, boxes: np.ndarray) -> np.ndarray:
    """The boxes in pixels of the drawing, as far as they are on it."""
    scaled, size = boxes * _scale(page), _size(page)
    return np.hstack([np.floor(scaled[:, :2]), np.ceil(scaled[:, 2:])]).clip(0, (*size, *size)).astype(int)


def _size(page: pdfium.PdfPage) -> tuple[int, int]:
    """Of the drawing, in pixels."""
    width, height = (max(1, round(size * _scale(page))) for size in page.get_size())
    return width, height


def _scale(page: pdfium.PdfPage) -> float:
    """Pixels a point."""
    width, height = page.get_size()
    return float(min(1.0, (_PIXELS / max(width * height, 1.0)) ** 0.5))


def _draw(page: pdfium.PdfPage, left: int, top: int, right: int, bottom: int) -> np.ndarray:
    """This part of the drawing."""
    across, down = right - left, bottom - top
    with closing(pdfium.PdfBitmap.new_native(across, down, raw.FPDFBitmap_BGRx)) as bitmap:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, across, down)
        raw.FPDF_RenderPageBitmap(bitmap, page, -left, -top, *_size(page), 0, 0)
        drawn: np.ndarray = bitmap.to_numpy().copy()
        return drawn
