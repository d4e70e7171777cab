"""One page of a PDF at any zoom, with both sentences marked on it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop.jobs.papers.evidence import SentenceRole
from desktop.jobs.papers.pdfs import PageImage
from desktop.jobs.papers.sentence_locations import PdfLocations
from desktop.translation import tr
from desktop.ui.evidence.sentence_marks import ROLE_NAMES, PageMarks, SentencePart, sentence_parts
from desktop.ui.theme import Theme

MIN_ZOOM, MAX_ZOOM, ZOOM_STEP = 0.25, 4.0, 1.2
_PIXELS_PER_POINT = 96 / 72  # at 100 %
_PAGE_MARGIN_PX = 8
_MARK_MARGIN_PX = 28  # beside a column, for bars and letters
_MAX_FITTED_ZOOM = 1.6  # of a narrow column
_RENDER_DELAY_MS = 90  # after the last change of size
_CACHED_BYTES = 96_000_000
_CACHED_PAGES = 6


class _CachedImage(NamedTuple):
    """An image and the `PageImage` that owns its pixels, which must live as long as the image."""

    image: QImage
    source: PageImage

    @property
    def scale(self) -> float:
        """Pixels per point."""
        return self.source.scale


class PageImageCache:
    """The pages rendered last, as many as fit into a bounded memory."""

    def __init__(self) -> None:
        self._images: OrderedDict[tuple[Path, int], _CachedImage] = OrderedDict()

    def get(self, path: Path, page: int) -> _CachedImage | None:
        key = (path, page)
        if key in self._images:
            self._images.move_to_end(key)
        return self._images.get(key)

    def add(self, source: PageImage) -> None:
        """Add an image, replacing an earlier one of the page; the least recently used images are dropped when full."""
        image = QImage(source.pixels, source.width, source.height, source.stride, QImage.Format.Format_RGB32)
        key = (source.path, source.page)
        self._images[key] = _CachedImage(image, source)
        self._images.move_to_end(key)
        while len(self._images) > 1 and (len(self._images) > _CACHED_PAGES or self._bytes > _CACHED_BYTES):
            self._images.popitem(last=False)

    def remove_file(self, path: Path) -> None:
        """Remove the pages of a file that may have changed."""
        for key in [key for key in self._images if key[0] == path]:
            del self._images[key]

    @property
    def _bytes(self) -> int:
        return sum(len(cached.source.pixels) for cached in self._images.values())

    def __len__(self) -> int:
        return len(self._images)


class PageView(QAbstractScrollArea):
    """Requests images of its page by `image_requested`; until they arrive, it stretches the last one.

    Keys: page up and down change the page, plus and minus zoom, W fits the width. Digits are not used, since they are
    answers where pairs are reviewed.
    """

    image_requested = Signal(int, float)  # page, from 1; pixels per point
    page_changed = Signal(int)
    zoom_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._images = PageImageCache()
        self._locations: PdfLocations | None = None
        self._parts: tuple[SentencePart, ...] = ()
        self._blind = False
        self._page = 1
        self._zoom: float | None = None
        self._fits_page = False
        self._requested: tuple[int, float] | None = None
        self._request_timer = QTimer(self)
        self._request_timer.setSingleShot(True)
        self._request_timer.timeout.connect(self._request_image)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Page of the PDF"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # otherwise fitting the width may flicker
        self.setMinimumHeight(theme.px(120))
        theme.changed.connect(self.viewport().update)

    # Content

    def show_locations(self, locations: PdfLocations, *, blind: bool = False) -> None:
        """Show the page with the premise, else with the hypothesis, else the page that mining recorded for the pair."""
        if self._locations is not None and self._locations.pdf != locations.pdf and locations.pdf.path is not None:
            self._images.remove_file(locations.pdf.path)
        self._locations, self._blind, self._requested = locations, blind, None
        self._parts = tuple(sentence_parts(locations))
        first = self._parts[0].page if self._parts else locations.page or 1
        self._show_page(min(max(first, 1), max(self.page_count, 1)))
        self.scroll_to_marks()

    def clear(self) -> None:
        """Show nothing; images stay in the cache."""
        self._locations, self._parts, self._requested = None, (), None
        self._request_timer.stop()
        self._update_scroll_bars()

    def set_blind(self, blind: bool) -> None:
        """Cover the linking phrase, or show it."""
        self._blind = blind
        self.viewport().update()

    def add_image(self, image: PageImage) -> None:
        """Show a requested image, unless another PDF is shown by now."""
        if self._locations is not None and image.path == self._locations.pdf.path:
            self._images.add(image)
            self.viewport().update()

    @property
    def locations(self) -> PdfLocations | None:
        return self._locations

    @property
    def page(self) -> int:
        return self._page

    @property
    def page_count(self) -> int:
        return len(self._locations.sizes) if self._locations else 0

    @property
    def is_sharp(self) -> bool:
        """Whether the page's image has the size at which it is shown."""
        path = self._locations.pdf.path if self._locations else None
        cached = self._images.get(path, self._page) if path else None
        return cached is not None and self._has_current_scale(cached)

    def page_of(self, role: SentenceRole) -> int | None:
        """The page on which the sentence begins; None where it was not located."""
        return next((part.page for part in self._parts if part.role is role), None)

    # Scrolling

    @Slot()
    def next_page(self) -> None:
        self.go_to_page(self._page + 1)

    @Slot()
    def previous_page(self) -> None:
        self.go_to_page(self._page - 1)

    def go_to_page(self, page: int) -> None:
        """Show another page, from its top."""
        if 1 <= page <= self.page_count and page != self._page:
            self._show_page(page)
            self.verticalScrollBar().setValue(0)

    def scroll_to_role(self, role: SentenceRole) -> None:
        """Show the beginning of a sentence."""
        part = next((part for part in self._parts if part.role is role), None)
        if part is not None:
            if part.page != self._page:
                self._show_page(part.page)
            self._scroll_to([part])

    def scroll_to_marks(self) -> None:
        """Scroll so that all marks of the page are visible, or the first ones where not all fit."""
        self._scroll_to([part for part in self._parts if part.page == self._page])

    def _show_page(self, page: int) -> None:
        self._page = page
        self._update_scroll_bars()
        self._request_timer.start(0)
        self.page_changed.emit(page)
        self._update_description()

    def _scroll_to(self, parts: Sequence[SentencePart]) -> None:
        if not parts:
            return
        scale, height = self._pixels_per_point(), self.viewport().height()
        top = min(part.top for part in parts) * scale
        bottom = max(part.bottom for part in parts) * scale
        if bottom - top > height - self._theme.px(32):
            top, bottom = parts[0].top * scale, parts[0].bottom * scale
        slack = max(self._theme.px(24), (height - (bottom - top)) / 2)
        self.verticalScrollBar().setValue(round(top - slack + self._theme.px(_PAGE_MARGIN_PX)))
        left = min(part.left for part in parts) * scale
        self.horizontalScrollBar().setValue(round(left - self._theme.px(_MARK_MARGIN_PX)))

    # Zoom

    @property
    def zoom(self) -> float | None:
        """The zoom; 1.0 is 100 %, None fits the column with the marks or the page's width."""
        return self._zoom

    @property
    def effective_zoom(self) -> float:
        """The zoom at which the page is shown, also while it is fitted."""
        return self._pixels_per_point() / _PIXELS_PER_POINT

    def set_zoom(self, zoom: float | None, at: QPointF | None = None) -> None:
        """Set the zoom; the point at `at` (default: the center of the viewport) stays in place."""
        zoom = None if zoom is None else min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        at = at or QPointF(self.viewport().rect().center())
        old_scale, page_rect = self._pixels_per_point(), self._page_rect()
        point = (at - page_rect.topLeft()) / old_scale
        self._zoom = zoom
        self._update_scroll_bars()
        scale, margin = self._pixels_per_point(), self._theme.px(_PAGE_MARGIN_PX)
        self.horizontalScrollBar().setValue(round(point.x() * scale + margin - at.x()))
        self.verticalScrollBar().setValue(round(point.y() * scale + margin - at.y()))
        self._request_timer.start(_RENDER_DELAY_MS)
        self.zoom_changed.emit()

    @Slot()
    def zoom_in(self) -> None:
        self.set_zoom(self.effective_zoom * ZOOM_STEP)

    @Slot()
    def zoom_out(self) -> None:
        self.set_zoom(self.effective_zoom / ZOOM_STEP)

    @Slot()
    def fit_width(self) -> None:
        """Fit the column with the marks, or if it is fitted already, the whole page."""
        self._fits_page = self._zoom is None and not self._fits_page
        self.set_zoom(None)
        self.scroll_to_marks()

    @Slot()
    def show_full_size(self) -> None:
        self.set_zoom(1.0)

    # Geometry, in pixels of the viewport

    def _page_size(self) -> tuple[float, float]:
        """Width and height of the page, in points."""
        return self._locations.sizes[self._page - 1] if self._locations and self._locations.sizes else (1.0, 1.0)

    def _pixels_per_point(self) -> float:
        if self._zoom is not None:
            return self._zoom * _PIXELS_PER_POINT
        available, width = self.viewport().width() - 2 * self._theme.px(_PAGE_MARGIN_PX), self._page_size()[0]
        page = min(max(available / max(width, 1.0), MIN_ZOOM / 2), MAX_ZOOM * _PIXELS_PER_POINT)
        parts_on_page = [] if self._fits_page else [part for part in self._parts if part.page == self._page]
        if not parts_on_page:
            return page
        column = max(part.right for part in parts_on_page) - min(part.left for part in parts_on_page)
        wide = (available - 2 * self._theme.px(_MARK_MARGIN_PX)) / max(column, 1.0)
        return max(page, min(wide, _MAX_FITTED_ZOOM * _PIXELS_PER_POINT))

    def _page_rect(self) -> QRectF:
        """The page within the viewport, aligned to device pixels so that its image stays sharp."""
        scale, margin, ratio = self._pixels_per_point(), self._theme.px(_PAGE_MARGIN_PX), self.devicePixelRatioF()
        width, height = (side * scale for side in self._page_size())
        available = self.viewport().width()
        left = max(margin, (available - width) / 2) - self.horizontalScrollBar().value()
        room = self.viewport().height()
        top = max(margin, (room - height) / 2) if height + 2 * margin < room else margin
        top -= self.verticalScrollBar().value()
        return QRectF(round(left * ratio) / ratio, round(top * ratio) / ratio, width, height)

    def _update_scroll_bars(self) -> None:
        scale, margin = self._pixels_per_point(), self._theme.px(_PAGE_MARGIN_PX)
        width, height = (side * scale + 2 * margin for side in self._page_size())
        available = self.viewport().size()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        too_wide = round(width - available.width())
        across.setRange(0, too_wide if self.page_count and too_wide > 2 * margin else 0)
        down.setRange(0, max(0, round(height - available.height())) if self.page_count else 0)
        across.setPageStep(available.width())
        down.setPageStep(available.height())
        down.setSingleStep(self._theme.px(40))
        across.setSingleStep(self._theme.px(40))
        self.viewport().update()

    # Painting

    @property
    def _image_scale(self) -> float:
        """The scale of images, in device pixels per point."""
        return self._pixels_per_point() * self.devicePixelRatioF()

    def _has_current_scale(self, cached: _CachedImage) -> bool:
        return abs(cached.scale - self._image_scale) < 1e-6

    @Slot()
    def _request_image(self) -> None:
        """Request an image, unless it is cached or already requested."""
        request = (self._page, self._image_scale)
        if self.page_count and self.isVisible() and not self.is_sharp and self._requested != request:
            self._requested = request
            self.image_requested.emit(*request)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme.color("hover"))
        if self._locations is None or self._locations.pdf.path is None or not self.page_count:
            painter.end()
            return
        page_rect = self._page_rect()
        cached = self._images.get(self._locations.pdf.path, self._page)
        painter.fillRect(page_rect, Qt.GlobalColor.white)
        if cached is not None:
            is_sharp = self._has_current_scale(cached)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not is_sharp)
            ratio = self.devicePixelRatioF()
            exact = is_sharp and cached.image.width() == round(page_rect.width() * ratio)
            size = (
                (cached.image.width() / ratio, cached.image.height() / ratio) if exact else page_rect.size().toTuple()
            )
            painter.drawImage(QRectF(page_rect.left(), page_rect.top(), *size), cached.image)
        if not self.is_sharp and not self._request_timer.isActive():
            self._request_timer.start(_RENDER_DELAY_MS if cached else 0)
        painter.setPen(self._theme.color("line"))
        painter.drawRect(page_rect.adjusted(-1, -1, 0, 0))
        marks = PageMarks(self._theme, self._page, page_rect, self._pixels_per_point())
        marks.draw(painter, self._parts)
        if self._blind:
            marks.cover_phrase(painter, self._locations.phrase_boxes)
        if self.hasFocus():
            painter.setPen(self._theme.color("accent"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_scroll_bars()
        if self._zoom is None:
            self.scroll_to_marks()
            self._request_timer.start(_RENDER_DELAY_MS)
            self.zoom_changed.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            angle = event.angleDelta().y()  # in eighths of a degree; a step of the wheel is 15 degrees
            if angle:
                self.set_zoom(self.effective_zoom * ZOOM_STEP ** (angle / 120), event.position())
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = {
            Qt.Key.Key_PageDown: self.next_page,
            Qt.Key.Key_PageUp: self.previous_page,
            Qt.Key.Key_Plus: self.zoom_in,
            Qt.Key.Key_Equal: self.zoom_in,
            Qt.Key.Key_Minus: self.zoom_out,
            Qt.Key.Key_W: self.fit_width,
        }.get(Qt.Key(event.key()))
        if action is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        else:
            action()

    def _update_description(self) -> None:
        roles = [ROLE_NAMES[part.role].lower() for part in self._parts if part.page == self._page]
        marked = " and ".join(dict.fromkeys(roles)) or "nothing"
        self.setAccessibleDescription(
            tr(
                "Page {page:,} of {page_count:,}; {marked} marked",
                page=self._page,
                page_count=self.page_count,
                marked=marked,
            )
        )
