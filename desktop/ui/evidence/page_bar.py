"""The controls above a page: page number, jumps to the sentences, zoom."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop.jobs.papers.evidence import SentenceRole
from desktop.translation import tr
from desktop.ui.evidence.page_view import MAX_ZOOM, MIN_ZOOM, PageView
from desktop.ui.evidence.sentence_marks import ROLE_LETTERS, ROLE_NAMES
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip

_NARROW_WIDTH_PX = 350  # below, only the buttons fit


class PageBar(QWidget):
    """Shows and changes the page and zoom of a `PageView`."""

    def __init__(self, theme: Theme, view: PageView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._view = theme, view
        self.previous_button = self._make_button("chevron-left", tr("Previous page (Page up)"), view.previous_page)
        self.page_label = PlainLabel()
        self.next_button = self._make_button("chevron-right", tr("Next page (Page down)"), view.next_page)
        self.jump_buttons = {role: self._make_jump_button(role) for role in SentenceRole}
        self.zoom_out_button = self._make_button("zoom-out", tr("Zoom out (−)"), view.zoom_out)
        self.zoom_in_button = self._make_button("zoom-in", tr("Zoom in (+)"), view.zoom_in)
        self.zoom_button = self._make_button("", tr("Show at 100 %"), view.show_full_size)
        self.fit_button = self._make_button(
            "", tr("Fit the text column to the width; press again to fit the page (W)"), view.fit_width
        )
        self.fit_button.setText(tr("Fit"))
        self.fit_button.setCheckable(True)
        self.fit_button.setProperty("look", "")  # the quiet style does not show that a button is checked
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(2))
        padding = theme.px(4)
        self.setStyleSheet(f"QToolButton, QToolButton:focus {{ padding: {padding}px; }}")  # to fit a narrow panel
        for widget in (self.previous_button, self.page_label, self.next_button):
            layout.addWidget(widget)
        layout.addSpacing(theme.px(4))
        for button in self.jump_buttons.values():
            layout.addWidget(button)
        layout.addStretch(1)
        for widget in (self.zoom_out_button, self.zoom_button, self.zoom_in_button, self.fit_button):
            layout.addWidget(widget)
        view.page_changed.connect(self.refresh)
        view.zoom_changed.connect(self.refresh)
        self.refresh()

    @property
    def controls(self) -> list[QToolButton]:
        """All buttons, from left to right."""
        return [
            self.previous_button,
            self.next_button,
            *self.jump_buttons.values(),
            self.zoom_out_button,
            self.zoom_button,
            self.zoom_in_button,
            self.fit_button,
        ]

    @Slot()
    def refresh(self) -> None:
        """Show the page and zoom of the view."""
        view = self._view
        narrow = self.width() < self._theme.px(_NARROW_WIDTH_PX)
        self.page_label.setText(
            tr(
                "{page}{page_2:,} of {page_count:,}",
                page="" if narrow else tr("page "),
                page_2=view.page,
                page_count=view.page_count,
            )
            if view.page_count
            else ""
        )
        self.zoom_button.setVisible(not narrow)
        self.previous_button.setEnabled(view.page > 1 and view.page_count > 0)
        self.next_button.setEnabled(view.page < view.page_count)
        for role, button in self.jump_buttons.items():
            page = view.page_of(role)
            button.setEnabled(page is not None)
            where = tr("is on page {page:,}", page=page) if page is not None else tr("was not found on the pages")
            set_tip(button, f"{ROLE_NAMES[role]} {where}")
        self.zoom_button.setText(f"{view.effective_zoom:.0%}".replace("%", " %") if view.page_count else "")
        self.fit_button.setChecked(view.zoom is None)
        self.zoom_out_button.setEnabled(view.page_count > 0 and view.effective_zoom > MIN_ZOOM)
        self.zoom_in_button.setEnabled(view.page_count > 0 and view.effective_zoom < MAX_ZOOM)
        self.fit_button.setEnabled(view.page_count > 0)
        self.zoom_button.setEnabled(view.page_count > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    def _make_button(self, icon: str, tip: str, slot: object) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        if icon:
            self._theme.set_icon(button, icon)
        set_tip(button, tip)
        button.setAccessibleName(tip.partition(" (")[0])
        button.clicked.connect(slot)
        return button

    def _make_jump_button(self, role: SentenceRole) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        button.setText(ROLE_LETTERS[role])
        button.setAccessibleName(tr("Go to the {value}", value=role.value))
        button.clicked.connect(lambda _=False: self._view.scroll_to_role(role))
        return button
