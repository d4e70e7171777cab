"""The names of queues in Review, and the buttons that switch to another queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.jobs.review.queues import WaitingQueue
from desktop.text import count
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.layouts import remove_widgets
from storage.annotation.rounds import QueueId, QueueKind

_NAMES = {QueueKind.OWN: tr("Your queue"), QueueKind.TIES: tr("Ties"), QueueKind.ERRORS: tr("Errors")}


def queue_name(queue: QueueId) -> str:
    """The display name of a queue; an assigned round has its number from the Rounds page."""
    return (
        tr("Round {number:,} · assigned", number=queue.number)
        if queue.kind is QueueKind.ASSIGNED
        else _NAMES[queue.kind]
    )


class QueueMenuButton(QToolButton):
    """A button that shows how many other queues wait. Its menu lists them, and starts a new own queue."""

    queue_chosen = Signal(object)  # QueueId
    new_requested = Signal()
    opened = Signal()  # the menu is about to be shown

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "quiet")
        self.setIcon(theme.icon("chevron-down", "muted"))
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow is behind the text
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        set_tip(self, tr("Switch to another queue, or start a new one. Your answers in this queue are kept."))
        self.queues: dict[QueueId, QAction] = {}
        self._menu = QMenu(self)
        self.new_action = QAction(tr("Start a new queue of your own…"), self)
        self.new_action.triggered.connect(self.new_requested)
        self._menu.aboutToShow.connect(self.opened)
        self.setMenu(self._menu)
        self.show_queues((), None)

    def show_queues(self, queues: Sequence[WaitingQueue], current: QueueId | None) -> None:
        """Offer these queues. current: the current queue."""
        self._menu.clear()
        self.queues = {}
        for one in queues:
            action = QAction(
                tr("{queue_name}: {waiting:,} left", queue_name=queue_name(one.id), waiting=one.waiting), self._menu
            )
            action.setCheckable(True)
            action.setChecked(one.id == current)
            action.triggered.connect(self._on_chosen)
            self._menu.addAction(action)
            self.queues[one.id] = action
        self._menu.addSeparator()
        self._menu.addAction(self.new_action)
        others = sum(one.id != current for one in queues)
        self.setText(f"{count(others, 'other queue')} {'wait' if others > 1 else 'waits'}" if others else tr("Queues"))

    @Slot()
    def open_menu(self) -> None:
        """Open the menu, with its first entry selected."""
        self._menu.popup(self.mapToGlobal(self.rect().bottomLeft()))
        self._menu.setActiveAction(self._menu.actions()[0])

    @Slot()
    def _on_chosen(self) -> None:
        action = self.sender()
        self.queue_chosen.emit(next(queue for queue, other in self.queues.items() if other is action))


class QueueButtons(QWidget):
    """A column with a button for each queue that waits; hidden without any."""

    queue_chosen = Signal(object)  # QueueId

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[QPushButton] = []
        self._queues: Sequence[WaitingQueue] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.px(8))
        self.hide()

    def show_queues(self, queues: Sequence[WaitingQueue], *, is_next: bool = False) -> None:
        """Offer these queues. is_next: the first comes next, and is highlighted."""
        remove_widgets(self._layout)
        self._queues, self.buttons = queues, []
        for place, one in enumerate(queues):
            name = queue_name(one.id).partition(" · ")[0]
            button = QPushButton(
                tr(
                    "Go on with {name}{name_2} ({waiting:,} left)",
                    name=name[:1].lower(),
                    name_2=name[1:],
                    waiting=one.waiting,
                )
            )
            button.setProperty("look", "primary" if is_next and place == 0 else "")
            button.clicked.connect(self._on_clicked)
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self.buttons.append(button)
        self.setVisible(bool(queues))

    @Slot()
    def _on_clicked(self) -> None:
        place = self.buttons.index(cast(QPushButton, self.sender()))
        self.queue_chosen.emit(self._queues[place].id)
