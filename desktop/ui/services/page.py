"""A page of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel
from storage.changes import Changes


class Page(QWidget):
    """Base of all pages: a title with room for controls beside it, and `body` below.

    `refresh` is called when the page is first shown, and when it is shown after something changed.
    """

    title = ""
    home: QWidget | None = None
    """Where the keyboard goes when the page is given it; a focus proxy would take the page's place in the Tab order."""
    badge_changed = Signal(int)

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setAccessibleName(self.title)
        self._stale = True
        margin = context.theme.px(24)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(margin, context.theme.px(16), margin, context.theme.px(16))
        self._outer.setSpacing(context.theme.px(12))
        self.head = QHBoxLayout()
        self.head.setSpacing(context.theme.px(8))
        self.heading = PlainLabel(self.title)
        self.heading.setProperty("type", "title")
        self.head.addWidget(self.heading)
        self.head.addStretch(1)
        self.subtitle = PlainLabel()
        self.subtitle.setProperty("type", "muted")
        self.subtitle.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.subtitle.setVisible(False)
        self.body = QVBoxLayout()
        self.body.setSpacing(context.theme.px(12))
        self._outer.addLayout(self.head)
        self._outer.addWidget(self.subtitle)
        self._outer.addLayout(self.body, 1)
        context.events.changed.connect(self.on_changed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self.home is not None:
            self.home.setFocus(event.reason())
        else:
            super().focusInEvent(event)

    def can_do(self, name: str) -> bool:
        """Whether an action of the page has something to work on; `name` is its key without the page's."""
        return True

    def is_on(self, name: str) -> bool | None:
        """Whether a checkable action is on; None for one that is not checkable."""
        return None

    def say_below_title(self, text: str) -> None:
        """The line under the title; "" for none."""
        self.subtitle.setText(text)
        self.subtitle.setVisible(bool(text))

    def activated(self) -> None:
        """The page is shown: read what is stale."""
        if self._stale:
            self._stale = False
            self.refresh(Changes(papers=True, pairs=True, many_annotated=True, settings=True))

    @Slot(object)
    def on_changed(self, changes: Changes) -> None:
        """Something changed: a page on screen reads it again, another when it is next shown."""
        if self.isVisible():
            self.refresh(changes)
        else:
            self._stale = True

    def refresh(self, changes: Changes) -> None:
        """Read again what `changes` touched; for pages to override."""
