"""One page of a PDF at any zoom, with both sentences marked on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop.jobs.papers.evidence import SentenceRole
from desktop.jobs.papers.pdfs import PageImage
from desktop.jobs.papers.sentence_locations import PdfLocations
from desktop.ui.evidence.marking import BAR, NAMES, draw_bar, draw_letter, wash
from desktop.ui.evidence.pictures import Pictures
from desktop.ui.evidence.strips import Strip, strips_of
from desktop.ui.theme import LIGHT, SMALL, Theme
from miner.records import Box

SMALLEST, LARGEST, STEP = 0.25, 4.0, 1.2
_PER_POINT = 96 / 72  # pixels at 100 %
_MARGIN = 8
_BESIDE = 28  # pixels beside a column, for bars and letters
_COLUMN_LARGEST = 1.6  # that a narrow column is zoomed to by itself
_PATIENCE = 90  # ms without another change of size before a page is drawn anew
_COVER = "#E9E7E0"  # over a linking phrase that must not be seen yet; pages are white in any theme


class PageView(QAbstractScrollArea):
    """Asks for pictures of its page as it needs them, and shows the last one, stretched, until they come.

    Keys: page up and down flip pages, plus and minus zoom, W fits the width. No digits: where pairs are reviewed these
    are answers.
    """

    picture_wanted = Signal(int, float)  # page from 1, pixels a point
    page_changed = Signal(int)
    zoom_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = Pictures()
        self._locations: PdfLocations | None = None
        self._strips: tuple[Strip, ...] = ()
        self._blind = False
        self._page = 1
        self._zoom: float | None = None
        self._fits_page = False
        self._asked: tuple[int, float] | None = None
        self._wish = QTimer(self)
        self._wish.setSingleShot(True)
        self._wish.timeout.connect(self._ask)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Page of the PDF")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # else fitting the width may flicker
        self.setMinimumHeight(theme.px(120))
        theme.changed.connect(self.viewport().update)

    # What is shown

    def show_locations(self, locations: PdfLocations, *, blind: bool = False) -> None:
        """Show the page with the premise, else with the hypothesis, else the one the pair is said to be on."""
        if self._locations is not None and self._locations.pdf != locations.pdf and locations.pdf.path is not None:
            self._pictures.forget(locations.pdf.path)
        self._locations, self._blind, self._asked = locations, blind, None
        self._strips = tuple(strips_of(locations))
        first = self._strips[0].page if self._strips else locations.page or 1
        self._turn_to(min(max(first, 1), max(self.pages, 1)))
        self.scroll_to_marks()

    def clear(self) -> None:
        """Show nothing; pictures are kept for when their pages come again."""
        self._locations, self._strips, self._asked = None, (), None
        self._wish.stop()
        self._lay_out()

    def set_blind(self, blind: bool) -> None:
        self._blind = blind
        self.viewport().update()

    def put(self, picture: PageImage) -> None:
        """A picture that was wanted."""
        if self._locations is not None and picture.path == self._locations.pdf.path:
            self._pictures.put(picture)
            self.viewport().update()

    @property
    def locations(self) -> PdfLocations | None:
        return self._locations

    @property
    def page(self) -> int:
        return self._page

    @property
    def pages(self) -> int:
        return len(self._locations.sizes) if self._locations else 0

    @property
    def is_sharp(self) -> bool:
        """Whether the page is drawn at the size it is shown at."""
        return self._is_drawn()

    def page_of(self, role: SentenceRole) -> int | None:
        """Where the sentence begins; None where it was not located."""
        return next((strip.page for strip in self._strips if strip.role is role), None)

    # Turning pages

    @Slot()
    def next_page(self) -> None:
        self.turn_to(self._page + 1)

    @Slot()
    def previous_page(self) -> None:
        self.turn_to(self._page - 1)

    def turn_to(self, page: int) -> None:
        """Another page, from its top."""
        if 1 <= page <= self.pages and page != self._page:
            self._turn_to(page)
            self.verticalScrollBar().setValue(0)

    def scroll_to_role(self, role: SentenceRole) -> None:
        strip = next((strip for strip in self._strips if strip.role is role), None)
        if strip is not None:
            if strip.page != self._page:
                self._turn_to(strip.page)
            self._scroll_to([strip])

    def scroll_to_marks(self) -> None:
        """Bring all marks of the page into sight, or the first of them where they do not fit."""
        self._scroll_to([strip for strip in self._strips if strip.page == self._page])

    def _turn_to(self, page: int) -> None:
        self._page = page
        self._lay_out()
        self._wish.start(0)
        self.page_changed.emit(page)
        self._describe()

    def _scroll_to(self, strips: Sequence[Strip]) -> None:
        if not strips:
            return
        per_point, height = self._per_point(), self.viewport().height()
        top = min(strip.top for strip in strips) * per_point
        bottom = max(strip.bottom for strip in strips) * per_point
        if bottom - top > height - self._theme.px(32):
            top, bottom = strips[0].top * per_point, strips[0].bottom * per_point
        slack = max(self._theme.px(24), (height - (bottom - top)) / 2)
        self.verticalScrollBar().setValue(round(top - slack + self._theme.px(_MARGIN)))
        left = min(strip.left for strip in strips) * per_point
        self.horizontalScrollBar().setValue(round(left - self._theme.px(_BESIDE)))

    # Zoom

    @property
    def zoom(self) -> float | None:
        """1.0 is 100 %; None fits the column with the marks, or the page's width."""
        return self._zoom

    @property
    def shown_zoom(self) -> float:
        """What the page is shown at, also when it is fitted."""
        return self._per_point() / _PER_POINT

    def set_zoom(self, zoom: float | None, at: QPointF | None = None) -> None:
        """Zoom, so that what is under `at` (by default the middle) stays there."""
        zoom = None if zoom is None else min(max(zoom, SMALLEST), LARGEST)
        at = at or QPointF(self.viewport().rect().center())
        before, place = self._per_point(), self._place()
        fixed = (at - place.topLeft()) / before
        self._zoom = zoom
        self._lay_out()
        after, margin = self._per_point(), self._theme.px(_MARGIN)
        self.horizontalScrollBar().setValue(round(fixed.x() * after + margin - at.x()))
        self.verticalScrollBar().setValue(round(fixed.y() * after + margin - at.y()))
        self._wish.start(_PATIENCE)
        self.zoom_changed.emit()

    @Slot()
    def zoom_in(self) -> None:
        self.set_zoom(self.shown_zoom * STEP)

    @Slot()
    def zoom_out(self) -> None:
        self.set_zoom(self.shown_zoom / STEP)

    @Slot()
    def fit_width(self) -> None:
        """Fit the column with the marks; asked for again, the whole page, and so on."""
        self._fits_page = self._zoom is None and not self._fits_page
        self.set_zoom(None)
        self.scroll_to_marks()

    @Slot()
    def full_size(self) -> None:
        self.set_zoom(1.0)

    # Geometry, in pixels of the viewport

    def _size(self) -> tuple[float, float]:
        """The page's, in points."""
        return self._locations.sizes[self._page - 1] if self._locations and self._locations.sizes else (1.0, 1.0)

    def _per_point(self) -> float:
        if self._zoom is not None:
            return self._zoom * _PER_POINT
        room, width = self.viewport().width() - 2 * self._theme.px(_MARGIN), self._size()[0]
        page = min(max(room / max(width, 1.0), SMALLEST / 2), LARGEST * _PER_POINT)
        here = [] if self._fits_page else [strip for strip in self._strips if strip.page == self._page]
        if not here:
            return page
        column = max(strip.right for strip in here) - min(strip.left for strip in here)
        wide = (room - 2 * self._theme.px(_BESIDE)) / max(column, 1.0)
        return max(page, min(wide, _COLUMN_LARGEST * _PER_POINT))

    def _place(self) -> QRectF:
        """Where the page lies, on whole pixels of the screen so that the picture stays sharp."""
        per_point, margin, ratio = self._per_point(), self._theme.px(_MARGIN), self.devicePixelRatioF()
        width, height = (side * per_point for side in self._size())
        room = self.viewport().width()
        left = max(margin, (room - width) / 2) - self.horizontalScrollBar().value()
        top = max(margin, (self.viewport().height() - height) / 2) if height + 2 * margin < self._height() else margin
        top -= self.verticalScrollBar().value()
        return QRectF(round(left * ratio) / ratio, round(top * ratio) / ratio, width, height)

    def _height(self) -> int:
        return self.viewport().height()

    def _lay_out(self) -> None:
        width, height = (side * self._per_point() + 2 * self._theme.px(_MARGIN) for side in self._size())
        room = self.viewport().size()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        too_wide = round(width - room.width())
        across.setRange(0, too_wide if self.pages and too_wide > 2 * self._theme.px(_MARGIN) else 0)
        down.setRange(0, max(0, round(height - room.height())) if self.pages else 0)
        across.setPageStep(room.width())
        down.setPageStep(room.height())
        down.setSingleStep(self._theme.px(40))
        across.setSingleStep(self._theme.px(40))
        self.viewport().update()

    # Drawing

    @property
    def _scale(self) -> float:
        return self._per_point() * self.devicePixelRatioF()

    def _is_drawn(self) -> bool:
        path = self._locations.pdf.path if self._locations else None
        drawn = self._pictures.get(path, self._page) if path else None
        return drawn is not None and abs(drawn.scale - self._scale) < 1e-6

    @Slot()
    def _ask(self) -> None:
        """Want a picture, unless it is there or on its way."""
        wanted = (self._page, self._scale)
        if self.pages and self.isVisible() and not self._is_drawn() and self._asked != wanted:
            self._asked = wanted
            self.picture_wanted.emit(*wanted)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme.color("hover"))
        if self._locations is None or self._locations.pdf.path is None or not self.pages:
            painter.end()
            return
        place = self._place()
        drawn = self._pictures.get(self._locations.pdf.path, self._page)
        painter.fillRect(place, Qt.GlobalColor.white)
        if drawn is not None:
            sharp = abs(drawn.scale - self._scale) < 1e-6
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not sharp)
            ratio = self.devicePixelRatioF()
            exact = sharp and drawn.image.width() == round(place.width() * ratio)
            size = (drawn.image.width() / ratio, drawn.image.height() / ratio) if exact else place.size().toTuple()
            painter.drawImage(QRectF(place.left(), place.top(), *size), drawn.image)
        if not self._is_drawn() and not self._wish.isActive():
            self._wish.start(_PATIENCE if drawn else 0)
        painter.setPen(self._theme.color("line"))
        painter.drawRect(place.adjusted(-1, -1, 0, 0))
        self._draw_marks(painter, place)
        if self.hasFocus():
            painter.setPen(self._theme.color("accent"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _draw_marks(self, painter: QPainter, place: QRectF) -> None:
        """The page is paper in any theme, and so are the marks on it."""
        per_point, theme = self._per_point(), self._theme
        accent, on_accent = QColor(LIGHT.accent), QColor(LIGHT.on_accent)
        font, size = theme.font(SMALL - 2, bold=True), theme.px(14)
        letters: list[QRectF] = []
        for strip, following in pairwise((*self._strips, None)):
            assert strip is not None  # the last one follows
            if strip.page != self._page:
                continue
            lines = QPainterPath()
            lines.setFillRule(Qt.FillRule.WindingFill)  # lines may overlap, and are then no darker
            for box in strip.boxes:
                lines.addRect(_placed(box, place, per_point))
            painter.fillPath(lines, wash(accent))
            top, bottom = (place.top() + side * per_point for side in (strip.top, strip.bottom))
            lane = theme.px(3) + (theme.px(5) if strip.role is SentenceRole.HYPOTHESIS else 0)
            outside = theme.px(3 + 5 + 3) + BAR  # of both lanes
            if self._outside_right(strip):
                edge = place.left() + strip.right * per_point
                bar, letter = edge + lane + BAR, QRectF(edge + outside, top, size, size)
            else:
                edge = place.left() + strip.left * per_point
                bar, letter = edge - lane, QRectF(edge - outside - size, top, size, size)
            draw_bar(painter, strip.role, top, bottom, bar, accent)
            for other in letters:
                if letter.intersects(other):
                    letter.moveTop(other.bottom() + 1)
            letters.append(letter)
            draw_letter(painter, strip.role, letter, font, accent, on_accent)
            if following is not None and following.role is strip.role:
                self._draw_continues(painter, strip, following, place)
        if self._blind and self._locations is not None:
            self._cover(painter, place)

    def _draw_continues(self, painter: QPainter, strip: Strip, following: Strip, place: QRectF) -> None:
        """Below the last line of a column: the sentence goes on in another one."""
        theme, per_point = self._theme, self._per_point()
        text = "continues ›" if following.page == strip.page else f"continues on page {following.page:,} ›"
        font = theme.font(SMALL, bold=True)
        width, height = QFontMetricsF(font).horizontalAdvance(text) + theme.px(12), theme.px(18)
        right, top = place.left() + strip.right * per_point, place.top() + strip.bottom * per_point + theme.px(2)
        label = QRectF(right - width, top, width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(LIGHT.accent))
        painter.drawRoundedRect(label, theme.px(4), theme.px(4))
        painter.setPen(QColor(LIGHT.on_accent))
        painter.setFont(font)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def _outside_right(self, strip: Strip) -> bool:
        """Whether the outer margin is the right one; between columns there is no room for letters."""
        width = self._size()[0]
        return strip.left > 0.45 * width and strip.right > 0.6 * width

    def _cover(self, painter: QPainter, place: QRectF) -> None:
        assert self._locations is not None
        per_point = self._per_point()
        for box in self._locations.phrase_boxes:
            if box.page == self._page:
                cover = _placed(box, place, per_point).adjusted(-1, -2, 1, 2)
                painter.fillRect(cover, QColor(_COVER))
                painter.setPen(QColor(LIGHT.muted))
                painter.setFont(self._theme.font(SMALL))
                painter.drawText(cover, Qt.AlignmentFlag.AlignCenter, "…")

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        if self._zoom is None:
            self.scroll_to_marks()
            self._wish.start(_PATIENCE)
            self.zoom_changed.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            if turned:
                self.set_zoom(self.shown_zoom * STEP ** (turned / 120), event.position())
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = {
            Qt.Key.Key_PageDown: self.next_page,
            Qt.Key.Key_PageUp: self.previous_page,
            Qt.Key.Key_Plus: self.zoom_in,
            Qt.Key.Key_Equal: self.zoom_in,
            Qt.Key.Key_Minus: self.zoom_out,
            Qt.Key.Key_W: self.fit_width,
        }.get(Qt.Key(event.key()))
        if act is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        else:
            act()

    def _describe(self) -> None:
        here = [NAMES[strip.role].lower() for strip in self._strips if strip.page == self._page]
        marked = " and ".join(dict.fromkeys(here)) or "nothing"
        self.setAccessibleDescription(f"Page {self._page:,} of {self.pages:,}; {marked} marked")


def _placed(box: Box, place: QRectF, per_point: float) -> QRectF:
    return QRectF(
        place.left() + box.x0 * per_point,
        place.top() + box.y0 * per_point,
        (box.x1 - box.x0) * per_point,
        (box.y1 - box.y0) * per_point,
    )
