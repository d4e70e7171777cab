"""A system's answer to a pair, and tags for why it is an error: a digit for each tag, Enter for the next pair."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.translation import tr
from desktop.ui.judging.pair_question import PairQuestion
from desktop.ui.services.display_names import capitalized
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import EditableComboBox
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import aligned, column_of, row_of, stretched
from storage.models.predictions import SystemAnswer
from storage.pairs.tags import MAX_TAGS, USUAL_TAGS, clean_tag

_DIGITS = Qt.Key.Key_0, Qt.Key.Key_9
_OTHER = len(USUAL_TAGS) + 1  # the digit for a tag of one's own
_HIDDEN = tr("Read the pair first. Enter shows its label and the answer of the system.")
_QUESTION = tr("Why is it an error?")


class TagBar(PairQuestion):
    """Tags of the pair on the screen. Digits are tags, also where the page has the focus (`takes_digit`).

    Enter and Escape are its keys while it has the focus; all others stay those of the page.
    """

    tags_changed = Signal(str, object)  # the pair's key; all of its tags, a tuple
    takes_digits = Signal(bool)  # whether digits are tags now, on the whole page
    next_requested = Signal()  # Enter: show what is hidden, or go on

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: tuple[str, ...] = ()
        self._known: tuple[str, ...] = ()
        self._is_hiding = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_QUESTION)
        self.answer_label = PlainLabel(type="heading", wraps=True)
        self.next_button = QPushButton()
        self.next_button.setProperty("look", "quiet")
        self.next_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.next_button.clicked.connect(self.next_requested)
        self.buttons: dict[str, QPushButton] = {}
        self._flow = FlowLayout(theme.px(6))
        for tag in USUAL_TAGS:
            self._add_button(tag)
        self.other_button = QPushButton(tr("{other} Another…", other=_OTHER))
        self.other_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_tip(self.other_button, tr("Your own tag"))
        self.other_button.clicked.connect(self.open_other)
        self._flow.addWidget(self.other_button)
        self.other = EditableComboBox(tr("Your own tag"))
        self.other.setMinimumWidth(theme.px(180))
        self.other.field.setPlaceholderText(tr("Your own tag"))
        self.other.field.installEventFilter(self)
        self._flow.addWidget(self.other)
        self.other.hide()
        self.setLayout(
            column_of(
                row_of(stretched(self.answer_label), aligned(self.next_button, Qt.AlignmentFlag.AlignTop)),
                self._flow,
                spacing=theme.px(8),
                margins=(theme.px(12), theme.px(8), theme.px(12), theme.px(8)),
            )
        )

    def offer(self, tags: Iterable[str]) -> None:
        """Offer the tags that people have added to the project."""
        self._known = tuple(dict.fromkeys((*self._known, *(tag for tag in tags if tag not in USUAL_TAGS))))
        self.other.set_choices(self._known)

    def open_for(
        self, key: str, tags: tuple[str, ...], answer: SystemAnswer | None = None, *, is_hiding: bool = False
    ) -> None:
        """Show the tags of a pair and a system's answer. is_hiding: hide the answer until Enter is pressed."""
        if key != self._key:
            self.other.hide()
            self.other.setEditText("")
        self._key, self._is_hiding = key, is_hiding
        self.answer_label.setText(_HIDDEN if is_hiding else _answer_text(answer))
        self.next_button.setText(tr("Show (Enter)") if is_hiding else tr("Next (Enter)"))
        self.other_button.setVisible(not is_hiding)
        self._show_tags(tags)
        self.show()
        self.takes_digits.emit(not is_hiding)

    def _show_tags(self, tags: tuple[str, ...]) -> None:
        self._tags = tags
        for tag in tags:
            if tag not in self.buttons:
                self._add_button(tag)
        for tag, button in self.buttons.items():
            button.setChecked(tag in tags)
            button.setVisible(not self._is_hiding and (tag in USUAL_TAGS or tag in tags))

    def take_focus(self) -> None:
        """Take the focus, so that digits are tags; while the answer is hidden, digits answer the pair."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def open_other(self) -> None:
        """Open the field in which a new tag is typed."""
        self.other.show()
        self.other.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def event(self, event: QEvent) -> bool:
        """Keep the keys of this bar from the actions of the page."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_own_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_0
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.next_requested.emit()
        elif 1 <= number <= len(USUAL_TAGS):
            self.toggle(list(USUAL_TAGS)[number - 1])
        elif number == _OTHER:
            self.open_other()
        elif not self._is_own_key(event):
            super().keyPressEvent(event)

    def toggle(self, tag: str) -> None:
        """Add a tag to the pair, or remove it."""
        if tag not in self._tags and len(self._tags) >= MAX_TAGS:
            return
        tags = tuple(one for one in self._tags if one != tag) if tag in self._tags else (*self._tags, tag)
        self._show_tags(tags)  # the next key must not wait for the disk
        self.tags_changed.emit(self._key, tags)

    def leave_pair(self) -> None:
        self.other.hide()
        self.takes_digits.emit(False)
        super().leave_pair()

    def _add_button(self, tag: str) -> None:
        places = list(USUAL_TAGS)
        number = f"{places.index(tag) + 1} " if tag in USUAL_TAGS else ""
        button = QPushButton(f"{number}{capitalized(tag)}")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setProperty("tag", tag)
        set_tip(button, tr(USUAL_TAGS.get(tag, "Your own tag")))
        button.clicked.connect(self._on_clicked)
        self.buttons[tag] = button
        self._flow.insert_widget(len(self.buttons) - 1, button)

    @Slot()
    def _on_clicked(self) -> None:
        self.toggle(self.sender().property("tag"))
        self.take_focus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Enter and Escape in the field for a new tag before anything else does."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._add_other()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.other.hide()
                self.take_focus()
                return True
        return super().eventFilter(watched, event)

    def _add_other(self) -> None:
        try:
            tag = clean_tag(self.other.currentText())
        except ValueError:
            return
        self.other.hide()
        self.other.setEditText("")
        self.offer([tag])
        self.take_focus()
        if tag not in self._tags:
            self.toggle(tag)

    def takes_digit(self, event: QKeyEvent) -> bool:
        """Whether the key is a digit that is a tag now."""
        return (
            not self.isHidden() and not self._is_hiding and _is_plain(event) and _DIGITS[0] <= event.key() <= _DIGITS[1]
        )

    def _is_own_key(self, event: QKeyEvent) -> bool:
        """Whether the key is Enter, Escape or, while digits are tags, a digit, without Ctrl or Alt."""
        is_named = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        return (is_named and _is_plain(event)) or self.takes_digit(event)


def _is_plain(event: QKeyEvent) -> bool:
    return not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)


def _answer_text(answer: SystemAnswer | None) -> str:
    if answer is None:
        return _QUESTION
    runs = tr(" in {wrong:,} of {runs:,} runs", wrong=answer.wrong, runs=answer.runs) if answer.runs > 1 else ""
    says = (
        tr("the system predicted {predicted}", predicted=answer.predicted)
        if answer.predicted
        else tr("the system gave no answer")
    )
    return tr(
        "Labelled {label}; {says}{runs}. {question}", label=answer.label, says=says, runs=runs, question=_QUESTION
    )
