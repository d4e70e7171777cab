"""The controls above a page: which one, where the sentences are, how large."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop.jobs.papers.evidence import SentenceRole
from desktop.ui.evidence.marking import LETTERS, NAMES
from desktop.ui.evidence.page_view import LARGEST, SMALLEST, PageView
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip

_NARROW = 350  # pixels; below, the buttons alone fit


class PageBar(QWidget):
    def __init__(self, theme: Theme, view: PageView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._view = theme, view
        self.previous = self._button("chevron-left", "Previous page (Page up)", view.previous_page)
        self.number = PlainLabel()
        self.next = self._button("chevron-right", "Next page (Page down)", view.next_page)
        self.jumps = {role: self._jump(role) for role in SentenceRole}
        self.out = self._button("zoom-out", "Zoom out (−)", view.zoom_out)
        self.into = self._button("zoom-in", "Zoom in (+)", view.zoom_in)
        self.percent = self._button("", "Show at 100 %", view.full_size)
        self.fit = self._button("", "Fit the column with the sentences; again, the page (W)", view.fit_width)
        self.fit.setText("Fit")
        self.fit.setCheckable(True)
        self.fit.setProperty("look", "")  # else it would not show that it is on
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(2))
        padding = theme.px(4)
        self.setStyleSheet(f"QToolButton, QToolButton:focus {{ padding: {padding}px; }}")  # it must fit a narrow panel
        for widget in (self.previous, self.number, self.next):
            layout.addWidget(widget)
        layout.addSpacing(theme.px(4))
        for button in self.jumps.values():
            layout.addWidget(button)
        layout.addStretch(1)
        for widget in (self.out, self.percent, self.into, self.fit):
            layout.addWidget(widget)
        view.page_changed.connect(self.refresh)
        view.zoom_changed.connect(self.refresh)
        self.refresh()

    @property
    def controls(self) -> list[QToolButton]:
        """In the order in which they stand."""
        return [self.previous, self.next, *self.jumps.values(), self.out, self.percent, self.into, self.fit]

    @Slot()
    def refresh(self) -> None:
        view = self._view
        narrow = self.width() < self._theme.px(_NARROW)
        self.number.setText(f"{'' if narrow else 'page '}{view.page:,} of {view.pages:,}" if view.pages else "")
        self.percent.setVisible(not narrow)
        self.previous.setEnabled(view.page > 1 and view.pages > 0)
        self.next.setEnabled(view.page < view.pages)
        for role, button in self.jumps.items():
            page = view.page_of(role)
            button.setEnabled(page is not None)
            where = f"is on page {page:,}" if page is not None else "was not found on the pages"
            set_tip(button, f"{NAMES[role]} {where}")
        self.percent.setText(f"{view.shown_zoom:.0%}".replace("%", " %") if view.pages else "")
        self.fit.setChecked(view.zoom is None)
        for control, usable in ((self.out, view.shown_zoom > SMALLEST), (self.into, view.shown_zoom < LARGEST)):
            control.setEnabled(view.pages > 0 and usable)
        self.fit.setEnabled(view.pages > 0)
        self.percent.setEnabled(view.pages > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    def _button(self, icon: str, tip: str, act: object) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        if icon:
            self._theme.set_icon(button, icon)
        set_tip(button, tip)
        button.setAccessibleName(tip.partition(" (")[0])
        button.clicked.connect(act)
        return button

    def _jump(self, role: SentenceRole) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        button.setText(LETTERS[role])
        button.setAccessibleName(f"Go to the {role.value}")
        button.clicked.connect(lambda _=False: self._view.scroll_to_role(role))
        return button
