"""The base class of the window's pages."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QSplitter, QVBoxLayout, QWidget

from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of
from storage.changes import EVERYTHING, Changes

_STACKED_WIDTH = 400  # pixels at 100 % that columns need that stand one below the other


class _Body(QWidget):
    """A widget that takes the available height, at least its minimum; Qt would take the height of its size hint."""

    def heightForWidth(self, width: int) -> int:
        return self.minimumHeight()


class Page(QWidget):
    """A page: `header` with its title and room for controls beside it, and `body` below.

    `refresh` is called when the page is first shown, and when it is shown after something changed.
    """

    title = ""
    initial_focus: QWidget | None = None
    """Gets the focus when the page does. A focus proxy would take the page's place in the tab order."""
    least_size: tuple[int, int] | None = None
    """Width and height, in pixels at 100 %, that the body needs; where the window has less, it scrolls."""
    side_by_side: QBoxLayout | QSplitter | None = None
    """What stands side by side in the body, and one below the other where that is narrower than `least_size`."""
    is_stacked = False
    """Whether `side_by_side` stands one below the other."""
    badge_changed = Signal(int)  # the number of things to do on the page

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setAccessibleName(self.title)
        self._stale = True
        self._is_listening = False  # to changes: a page that is stale already need not hear of more
        margin = context.theme.px(24)
        self.heading = PlainLabel(self.title, type="title")
        self._lead: QWidget = self.heading  # first in the header, or above it where it has no room
        self.header = row_of(self.heading, STRETCH, spacing=context.theme.px(8))
        self.subtitle = PlainLabel(type="muted", selectable=True, wraps=True)
        self.subtitle.setVisible(False)
        self.body = QVBoxLayout()
        self.body.setSpacing(context.theme.px(12))
        self._outer = column_of(
            self.header,
            self.subtitle,
            spacing=context.theme.px(12),
            margins=(margin, context.theme.px(16), margin, context.theme.px(16)),
        )
        self.setLayout(self._outer)
        if self.least_size is None:
            self._outer.addLayout(self.body, 1)
        else:
            self._contents = _Body()
            self._contents.setMinimumSize(*map(context.theme.px, self.least_size))
            self._contents.setLayout(self.body)
            self.body.setContentsMargins(0, 0, 0, 0)
            self.scroll_area = FormScrollArea(self._contents)
            self._outer.addWidget(self.scroll_area, 1)

    @property
    def unsaved(self) -> str:
        """Which unsaved text is lost when the page closes, as a sentence; "" if there is none."""
        return ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.side_by_side is not None and self.least_size is not None:
            self._stack_columns(self.side_by_side, *map(self.context.theme.px, self.least_size))

    def _stack_columns(self, columns: QBoxLayout | QSplitter, width: int, height: int) -> None:
        """Put the columns one below the other if the page is narrower than `width`, else side by side."""
        margins = self._outer.contentsMargins()
        self.is_stacked = self.width() - margins.left() - margins.right() < width
        if isinstance(columns, QSplitter):
            columns.setOrientation(Qt.Orientation.Vertical if self.is_stacked else Qt.Orientation.Horizontal)
        else:
            direction = QBoxLayout.Direction
            columns.setDirection(direction.TopToBottom if self.is_stacked else direction.LeftToRight)
        least = self.context.theme.px(_STACKED_WIDTH), 2 * height
        self._contents.setMinimumSize(*least if self.is_stacked else (width, height))

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self.initial_focus is not None:
            self.initial_focus.setFocus(event.reason())
        else:
            super().focusInEvent(event)

    def lead_focus_to(self, widget: QWidget) -> None:
        """Make this widget the initial focus, and focus it now if no visible widget of the shown page has the focus."""
        self.initial_focus = widget
        focused = self.window().focusWidget()
        if self.isVisible() and (focused in (None, self, self._lead) or not focused.isVisible()):
            widget.setFocus()

    def is_action_enabled(self, name: str) -> bool:
        """Whether an action can do anything now. name: its key without the page's name, such as "copy"."""
        return True

    def is_action_checked(self, name: str) -> bool | None:
        """Whether an action is checked; None if it is not checkable."""
        return None

    def show_tabs(self, tabs: QWidget) -> None:
        """Show the tabs of the page's section in place of its heading."""
        self.heading.hide()
        self.header.insertWidget(0, tabs)
        self._lead = tabs

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place_lead()
        return super().event(event)

    def _place_lead(self) -> None:
        """Put the heading, or the tabs in its place, above the header's controls if they do not fit beside it."""
        items = filter(None, map(self.header.itemAt, range(self.header.count())))
        controls = {self._lead, *filter(None, (item.widget() for item in items))}
        shown = [control for control in controls if not control.isHidden()]
        has_room = (
            sum(map(_needed_width, shown)) + self.header.spacing() * len(shown)
            <= self.contentsRect().width() - 2 * self._outer.contentsMargins().left()
        )
        if has_room != (self.header.indexOf(self._lead) >= 0):
            if has_room:
                self.header.insertWidget(0, self._lead)
            else:
                self._outer.insertWidget(0, self._lead)

    def set_subtitle(self, text: str) -> None:
        """Show a line below the title; "" for none."""
        self.subtitle.setText(text)
        self.subtitle.setVisible(bool(text))

    def create_timer(self, slot: Callable[[], object]) -> QTimer:
        """A timer that calls a slot once after each start."""
        timer = QTimer(self, singleShot=True)
        timer.timeout.connect(slot)
        return timer

    def activate(self) -> None:
        """Refresh the page if it is stale; called when it is shown."""
        self._listen()
        if self._stale:
            self._stale = False
            self.refresh(EVERYTHING)

    @Slot(object)
    def on_changed(self, changes: Changes) -> None:
        """Refresh now if the page is on screen, else when it is next shown."""
        if self.isVisible():
            self.refresh(changes)
        else:
            self._stale = True
            if self._is_listening:
                self._is_listening = False
                self.context.events.changed.disconnect(self.on_changed)

    def _listen(self) -> None:
        if not self._is_listening:
            self._is_listening = True
            self.context.events.changed.connect(self.on_changed)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._listen()

    def refresh(self, changes: Changes) -> None:
        """Read again what `changes` affect; for pages to override."""


def _needed_width(control: QWidget) -> int:
    """The width that a control of the header needs; a field needs less than its size hint."""
    hint = control.minimumSizeHint() if isinstance(control, QLineEdit) else control.sizeHint()
    return max(control.minimumWidth(), hint.width())
