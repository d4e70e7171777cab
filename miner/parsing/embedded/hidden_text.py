"""Finds words of a PDF page that cannot be seen: invisible, faint, off the page, clipped, covered, white on white.

The page's objects show most of them. Where they leave words unclear, the page is drawn with its text and without it: a
word that changes no pixel is hidden.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.libraries import np
from miner.parsing.embedded.pdfium_functions import (
    clip_path,
    clip_path_count,
    clip_segment,
    clip_segment_count,
    fill_colour,
    form_object,
    object_bounds,
    object_type,
    page_object,
    path_draw_mode,
    pointer,
    segment_point,
    segment_type,
    text_render_mode,
)

_MAX_OBJECTS, _MAX_WORK = 20_000, 300_000  # of a page; maps and plots may have millions, and are not drawn
_MAX_FORM_DEPTH = 6  # of forms within forms
_MAX_PIXELS = 4_000_000  # of a drawing; larger pages are drawn with less than one pixel per point
_LIGHT_COMPONENT = 230  # of 255; a colour is light if all its components are above
_COVERS_AT_ONCE = 256
_MAX_CLIPS = 8  # of a text object that are looked at; one with more is drawn
_MAX_CUT = 1.0  # points that a clip takes from each edge of a text that stays visible
_MIN_COVER_SIZE = 3.0  # points; smaller objects cover no word
_MIN_VISIBLE_CHANGE = 8  # of 255; of a pixel; also the least visible opacity
_SCAN_SHARE = 0.8  # of a page's words; if more are hidden on pictures, they are the text layer of a scan
_TEXT, _PATH, _FORM = raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM
_PICTURES = (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
_ObjectGetter = Callable[[Any, int], int]
_BoxTransform = Callable[[np.ndarray], np.ndarray]


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
        """The matrix that applies `inner` first, then this one."""
        (ox, oy), (ax, ay), (cx, cy) = (self.at(*point) for point in ((inner.e, inner.f), inner[:2], inner[2:4]))
        return _Matrix(ax - self.e, ay - self.f, cx - self.e, cy - self.f, ox, oy)


def hidden_words(page: pdfium.PdfPage, texts: np.ndarray, boxes: np.ndarray, to_shown: _BoxTransform) -> np.ndarray:
    """Which words cannot be seen on the page, given their text objects (0: none) and their boxes as shown.

    The text layer of a scan counts as visible, because the scan shows its words. `to_shown` converts boxes from the
    page's coordinates to those as shown. The page's text may be inactive afterwards.
    """
    changes = np.append(True, texts[1:] != texts[:-1])
    owners: np.ndarray = texts[changes]
    of_word: np.ndarray = np.cumsum(changes) - 1
    invisible, unclear_owners = _visibility(owners)
    hidden: np.ndarray = invisible[of_word]
    unclear: np.ndarray = unclear_owners[of_word]
    width, height = page.get_size()
    left, top, right, bottom = boxes.T
    hidden |= (left >= width) | (top >= height) | (right <= 0) | (bottom <= 0)

    objects = _PageObjects.of(page)
    on_picture, behind_picture = (np.zeros(len(boxes), dtype=bool) for _ in range(2))
    large = objects.large_covers(to_shown)
    if len(large.order):
        order_of_text = objects.texts()
        order_of_word = np.array([order_of_text.get(owner, _MAX_OBJECTS) for owner in owners.tolist()])[of_word]
        x, y = (left + right) / 2, (top + bottom) / 2
    for start in range(0, len(large.order), _COVERS_AT_ONCE):
        order, cover_boxes, is_picture = (column[start : start + _COVERS_AT_ONCE] for column in large)
        x0, y0, x1, y1 = cover_boxes.T[:, :, None]
        within = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        covered = within & (order_of_word < order[:, None])
        on_picture |= within[is_picture].any(axis=0)
        behind_picture |= covered[is_picture].any(axis=0)
        unclear |= covered[~is_picture].any(axis=0)
    scan_words = _SCAN_SHARE * len(boxes)
    if ((hidden | behind_picture) & on_picture).sum() >= scan_words:
        return hidden & ~on_picture
    unclear = (unclear | behind_picture) & ~hidden
    if not (unclear.any() or hidden.sum() >= scan_words) or objects.is_too_complex():
        return hidden
    if unclear.any():
        hidden[unclear] = ~_changes_drawing(page, objects, boxes[unclear])
    if hidden.sum() >= scan_words:  # perhaps the letters are drawn as curves
        outlined = hidden & _is_drawn_otherwise(page, objects, boxes)
        if outlined.sum() >= scan_words:
            hidden &= ~outlined
    return hidden


def _visibility(owners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each text object: whether it is certainly hidden, and otherwise whether that is unclear. 0 is no object."""
    texts = list(map(pointer, owners.tolist()))
    colours, returned = fill_colour.read(each=texts)  # red, green, blue and opacity, 0 to 255
    has_plain_colour = np.array(returned) != 0  # not a pattern
    mode = np.fromiter(map(text_render_mode, texts), dtype=int, count=len(texts))
    clips = list(map(pointer, map(clip_path, texts)))
    clipped = np.fromiter(map(clip_path_count, clips), dtype=int, count=len(clips)) > 0
    for at in np.flatnonzero(clipped).tolist():
        clipped[at] = not _is_within_clip(texts[at], clips[at])
    is_light = colours[:, :3].min(axis=1) > _LIGHT_COMPONENT
    unusual = (mode != raw.FPDF_TEXTRENDERMODE_FILL) | ~has_plain_colour | is_light
    invisible = (mode == raw.FPDF_TEXTRENDERMODE_INVISIBLE) | (~unusual & (colours[:, 3] < _MIN_VISIBLE_CHANGE))
    return invisible & (owners > 0), (unusual | clipped) & ~invisible & (owners > 0)


def _is_within_clip(text: Any, clip: Any) -> bool:
    """Whether the clip of a text object is made of rectangles that leave it but for its edges, as most are."""
    count = clip_path_count(clip)
    (left, bottom, right, top), *_ = object_bounds.read(each=[text])[0].tolist()
    slack = min(_MAX_CUT, (right - left) / 4, (top - bottom) / 4)
    if count > _MAX_CLIPS or slack <= 0:  # without an extent it is blank, which its drawing tells
        return False
    for path in range(count):
        if not (box := _rectangle(clip, path)):
            return False
        x0, y0, x1, y1 = box
        if left < x0 - slack or right > x1 + slack or bottom < y0 - slack or top > y1 + slack:
            return False
    return True


def _rectangle(clip: Any, path: int) -> tuple[float, float, float, float] | None:
    """The box of a path of a clip; None where it is no rectangle."""
    count = clip_segment_count(clip, path)
    if not 4 <= count <= 5:
        return None
    segments = [pointer(clip_segment(clip, path, at)) for at in range(count)]
    corners = segment_point.read(each=segments)[0].tolist()
    if raw.FPDF_SEGMENT_BEZIERTO in map(segment_type, segments) or corners[count - 1] not in (corners[0], corners[3]):
        return None
    for (x, y), (other_x, other_y) in zip(corners[:4], [*corners[1:4], corners[0]], strict=True):
        if (x == other_x) == (y == other_y):  # neither level nor upright
            return None
    xs, ys = zip(*corners, strict=True)
    return (min(xs), min(ys), max(xs), max(ys)) if len(set(xs)) == len(set(ys)) == 2 else None


class _Covers(NamedTuple):
    """Objects that may cover others: their places in the order of drawing, boxes as shown, and which are pictures."""

    order: np.ndarray
    boxes: np.ndarray
    is_picture: np.ndarray


@dataclass
class _PageObjects:
    """The objects of a page and its forms in the order of drawing; forms themselves are left out."""

    handles: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    _forms: list[int] = field(default_factory=list)  # index of the matrix of each object
    _matrices: list[_Matrix] = field(default_factory=list)

    @classmethod
    def of(cls, page: pdfium.PdfPage) -> _PageObjects:
        objects = cls()
        objects._add(_address(page.raw), page_object, raw.FPDFPage_CountObjects(page), _Matrix())
        return objects

    def texts(self) -> dict[int, int]:
        """The index of each text object."""
        return {self.handles[at]: at for at, kind in enumerate(self.kinds) if kind == _TEXT}

    def _add(self, parent: int, get: _ObjectGetter, count: int, matrix: _Matrix, depth: int = 0) -> None:
        form = len(self._matrices)
        self._matrices.append(matrix)
        room = max(0, _MAX_OBJECTS - len(self.handles))
        handles = list(map(get, repeat(pointer(parent)), range(min(count, room))))
        kinds = list(map(object_type, map(pointer, handles)))
        start = 0
        for end in (*(at for at, kind in enumerate(kinds) if kind == _FORM), len(kinds)):
            self.handles += handles[start:end]
            self.kinds += kinds[start:end]
            self._forms += repeat(form, end - start)
            if end < len(kinds) and depth < _MAX_FORM_DEPTH:
                inside = raw.FPDFFormObj_CountObjects(_object(handles[end]))
                self._add(handles[end], form_object, inside, matrix.after(_matrix_of(handles[end])), depth + 1)
            start = end + 1

    def large_covers(self, to_shown: _BoxTransform) -> _Covers:
        """The pictures and filled paths that are large enough to hide a word."""
        kinds = np.array(self.kinds, dtype=int)
        is_picture = np.logical_or.reduce([kinds == kind for kind in _PICTURES])
        order = np.flatnonzero(is_picture | (kinds == _PATH))
        boxes = np.zeros((0, 4))
        if len(order):
            boxes = to_shown(self._boxes(order))
            is_large = np.minimum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) > _MIN_COVER_SIZE
            order, boxes = order[is_large], boxes[is_large]
        if len(paths := np.flatnonzero(~is_picture[order])):
            modes, returned = path_draw_mode.read(each=[pointer(self.handles[at]) for at in order[paths].tolist()])
            is_cover = np.ones(len(order), dtype=bool)
            is_cover[paths] = (np.array(returned) != 0) & (modes[:, 0] != 0)
            order, boxes = order[is_cover], boxes[is_cover]
        return _Covers(order, boxes, is_picture[order])

    def _boxes(self, order: np.ndarray) -> np.ndarray:
        """Boxes of these objects: left, top, right, bottom in the page's coordinates."""
        edges, _ = object_bounds.read(each=[pointer(self.handles[at]) for at in order.tolist()])
        left, bottom, right, top = edges.astype(np.float64).T
        if len(self._matrices) > 1:  # the page's own changes nothing
            a, b, c, d, e, f = np.array(self._matrices)[np.array(self._forms, dtype=int)[order]].T
            x, y = np.stack([left, left, right, right]), np.stack([bottom, top, bottom, top])
            x, y = a * x + c * y + e, b * x + d * y + f
            left, top, right, bottom = x.min(axis=0), y.max(axis=0), x.max(axis=0), y.min(axis=0)
        return np.stack([left, top, right, bottom], axis=1)

    def is_too_complex(self) -> bool:
        """Whether drawing the page would take too long."""
        return len(self.handles) >= _MAX_OBJECTS or sum(map(_drawing_work, self.handles, self.kinds)) > _MAX_WORK


def _matrix_of(form: int) -> _Matrix:
    inner = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(_object(form), inner)
    return _Matrix(inner.a, inner.b, inner.c, inner.d, inner.e, inner.f)


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _object(address: int) -> Any:
    return ctypes.cast(address, raw.FPDF_PAGEOBJECT)


def _drawing_work(handle: int, kind: int) -> int:
    """The work to draw an object, in path segments; a hundred pixels of a picture count as one."""
    if kind == _PATH:
        return max(0, int(raw.FPDFPath_CountSegments(_object(handle))))
    if kind == raw.FPDF_PAGEOBJ_IMAGE:
        width, height = ctypes.c_uint(), ctypes.c_uint()
        raw.FPDFImageObj_GetImagePixelSize(_object(handle), width, height)
        return int(width.value * height.value // 100)
    return 0


def _changes_drawing(page: pdfium.PdfPage, objects: _PageObjects, boxes: np.ndarray) -> np.ndarray:
    """In which boxes the page's text changes the drawing. Only the part with these boxes is drawn."""
    pixels = _pixels(page, boxes)
    left, top, right, bottom = map(int, (*pixels[:, :2].min(axis=0), *pixels[:, 2:].max(axis=0)))
    if right <= left or bottom <= top:
        return np.zeros(len(boxes), dtype=bool)
    with_text = _draw(page, left, top, right, bottom)
    _switch_off_text(objects)
    changed = _differs(with_text, _draw(page, left, top, right, bottom))
    return _any_changed_in(changed, pixels - (left, top, left, top))


def _is_drawn_otherwise(page: pdfium.PdfPage, objects: _PageObjects, boxes: np.ndarray) -> np.ndarray:
    """In which boxes something other than the page's text is drawn."""
    _switch_off_text(objects)
    drawn = _draw(page, 0, 0, *_size(page))
    return _any_changed_in(_differs(drawn[:, 1:], drawn[:, :-1]), _pixels(page, boxes))


def _switch_off_text(objects: _PageObjects) -> None:
    for handle in objects.texts():
        raw.FPDFPageObj_SetIsActive(_object(handle), False)


def _differs(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which pixels differ visibly in any colour."""
    differs = np.maximum(one, other) - np.minimum(one, other) > _MIN_VISIBLE_CHANGE
    changed: np.ndarray = differs[:, :, 0] | differs[:, :, 1] | differs[:, :, 2]
    return changed


def _any_changed_in(changed: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """Which boxes contain a changed pixel."""
    return np.array([changed[y0:y1, x0:x1].any() for x0, y0, x1, y1 in pixels.tolist()])


def _pixels(page: pdfium.PdfPage, boxes: np.ndarray) -> np.ndarray:
    """The boxes in pixels, clipped to the drawing."""
    scaled, size = boxes * _scale(page), _size(page)
    return np.hstack([np.floor(scaled[:, :2]), np.ceil(scaled[:, 2:])]).clip(0, (*size, *size)).astype(int)


def _size(page: pdfium.PdfPage) -> tuple[int, int]:
    """Size of the drawing in pixels."""
    width, height = (max(1, round(size * _scale(page))) for size in page.get_size())
    return width, height


def _scale(page: pdfium.PdfPage) -> float:
    """Pixels per point."""
    width, height = page.get_size()
    return float(min(1.0, (_MAX_PIXELS / max(width * height, 1.0)) ** 0.5))


def _draw(page: pdfium.PdfPage, left: int, top: int, right: int, bottom: int) -> np.ndarray:
    """Draw this part of the page."""
    across, down = right - left, bottom - top
    with closing(pdfium.PdfBitmap.new_native(across, down, raw.FPDFBitmap_BGRx)) as bitmap:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, across, down)
        raw.FPDF_RenderPageBitmap(bitmap, page, -left, -top, *_size(page), 0, 0)
        drawn: np.ndarray = bitmap.to_numpy().copy()
        return drawn
