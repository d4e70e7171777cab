"""The dialog that accepts many suggestions at once: how sure they must be, and what that would do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.disagreements import AcceptPreview, accept_all, accept_preview
from desktop.text import chance, count
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import LatestRequest
from desktop.ui.theme import BODY, TITLE, Theme
from desktop.ui.widgets.fields import pad_number
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from miner.records import Label
from storage.annotation.rounds import ReviewItem
from storage.pairs.filters import PairFilter


class _Example(QWidget):
    """Hidden while there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.suggested = LabelChip(theme, words=False)
        self.sure = PlainLabel()
        self.sure.setProperty("type", "muted")
        self.sure.setMinimumWidth(px(48))
        self.sure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.premise, self.hypothesis = ElidedLabel(), ElidedLabel()
        lines = QVBoxLayout()
        lines.setSpacing(0)
        for line in (self.premise, self.hypothesis):
            line.setFont(theme.reading_font(BODY))
            line.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            lines.addWidget(line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, px(4))
        row.setSpacing(px(8))
        row.addWidget(self.suggested, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)
        row.addWidget(self.sure, 0, Qt.AlignmentFlag.AlignTop)
        self.show_item(None)

    def show_item(self, item: ReviewItem | None) -> None:
        made = item.suggestion if item else None
        self.setVisible(made is not None)
        if item is not None and made is not None:
            self.suggested.show_label(made.label.value)
            self.sure.setText(chance(made.confidence))
            self.premise.setText(item.pair.premise)
            self.hypothesis.setText(item.pair.hypothesis)
            self.setAccessibleName(f"{made.label.value}: {item.pair.premise} / {item.pair.hypothesis}")


AT_LEAST = 95  # percent, at first
_LONG = 1_000  # pairs from which on it is a job to be seen
_TYPING = 120  # ms from the last change to its effect
_EXAMPLES = 4


class Scope(NamedTuple):
    """Pairs whose suggestions can be accepted, what they are called, and how sure the model must be at first."""

    name: str
    filter: PairFilter
    at_least: int = AT_LEAST


class AcceptDialog(QDialog):
    def __init__(self, context: ProjectContext, scopes: Sequence[Scope], parent: QWidget) -> None:
        """`scopes`: the first is chosen at first."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Accept suggestions")
        self._context = context
        self._preview: AcceptPreview | None = None
        self._looking = LatestRequest(self)
        self._looking.done.connect(self._on_preview)
        self._looking.failed.connect(context.problems.show)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING)
        self._typing.timeout.connect(self._look)
        self._build(scopes)
        self._look()

    def _build(self, scopes: Sequence[Scope]) -> None:
        theme = self._context.theme
        px = theme.px
        self.setMinimumWidth(px(600))
        self.pairs = QComboBox()
        self.pairs.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for scope in scopes:
            self.pairs.addItem(scope.name, scope.filter)
        self.sure = QSpinBox(minimum=25, maximum=99, value=scopes[0].at_least, suffix=" %")
        self.sure.setAccessibleName("How sure the model must be at least, in percent")
        pad_number(self.sure, theme)
        self.sure.valueChanged.connect(self._wait)
        self.pairs.currentIndexChanged.connect(self._wait)
        how = QHBoxLayout()
        how.setSpacing(px(12))
        how.addWidget(self.sure)
        how.addStretch(1)
        form = QFormLayout()
        form.setSpacing(px(12))
        form.addRow("&Pairs", self.pairs)
        sure = PlainLabel("Sure by at &least")
        sure.setBuddy(self.sure)
        form.addRow(sure, how)
        self.outlook = _Outlook(theme)
        note = PlainLabel(
            "They are recorded as accepted, never as answers of yours: figures of agreement leave them out. "
            "One undo takes all of it back, also on another day."
        )
        note.setProperty("type", "small")
        note.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = buttons.addButton("Accept", QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setProperty("look", "primary")
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[px(24)] * 4)
        layout.setSpacing(px(16))
        layout.addLayout(form)
        layout.addWidget(self.outlook, 1)
        layout.addWidget(note)
        layout.addWidget(buttons)
        self.accept_button.setDefault(True)  # now that it is this dialog's
        self._show_busy()

    @property
    def preview(self) -> AcceptPreview | None:
        """What would be done now; None while that is counted."""
        return self._preview

    @Slot()
    def _wait(self) -> None:
        self._looking.cancel()
        self._show_busy()
        self._typing.start()

    def _show_busy(self) -> None:
        self._preview = None
        self.accept_button.setEnabled(False)

    @Slot()
    def _look(self) -> None:
        job = accept_preview(self._context.project, self.pairs.currentData(), self.sure.value())
        self._looking.follow(self._context.runner.read(job))

    @Slot(object)
    def _on_preview(self, preview: AcceptPreview) -> None:
        self._preview = preview
        self.outlook.show_preview(preview, self.sure.value())
        self._grow()
        self.accept_button.setText(f"Accept {count(preview.count, 'suggestion')}" if preview.count else "Accept")
        self.accept_button.setEnabled(preview.count > 0)

    def _grow(self) -> None:
        """Make room for what is shown now: Qt would rather cut lines than make a dialog higher."""
        inner, layout = self.outlook.layout(), self.layout()
        assert inner is not None
        assert layout is not None
        inner.activate()
        self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    @Slot()
    def _accept(self) -> None:
        preview, context = self._preview, self._context
        if preview is None or not preview.count:
            return
        job = accept_all(
            context.project, self.pairs.currentData(), context.annotator, self.sure.value(), expected=preview.count
        )
        run = context.runner.start(job) if preview.count > _LONG else context.runner.save(job)
        run.done.connect(partial(tell, context))
        run.failed.connect(context.problems.show)
        self.accept()


class _Outlook(QFrame):
    """How many suggestions, of which classes, how many of them likely wrong, and the least certain to look at."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.setProperty("look", "card")
        self.number = PlainLabel()
        self.number.setFont(theme.font(TITLE, bold=True))
        self.what = PlainLabel()
        self.what.setProperty("type", "muted")
        head = QHBoxLayout()
        head.setSpacing(px(8))
        head.addWidget(self.number)
        head.addWidget(self.what, 1, Qt.AlignmentFlag.AlignBottom)
        classes = QHBoxLayout()
        classes.setSpacing(px(20))
        self.counts: dict[Label, QLabel] = {}
        for label in Label:
            self.counts[label] = PlainLabel()
            row = QHBoxLayout()
            row.setSpacing(px(6))
            row.addWidget(LabelChip(theme, label.value))
            row.addWidget(self.counts[label])
            classes.addLayout(row)
        classes.addStretch(1)
        self.risk, self.differing = PlainLabel(), PlainLabel()
        for line in (self.risk, self.differing):
            line.setWordWrap(True)
        self.least = PlainLabel("The least certain of them")
        self.least.setProperty("type", "small")
        self.examples = [_Example(theme) for _ in range(_EXAMPLES)]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(16), px(12), px(16), px(16))
        layout.setSpacing(px(8))
        layout.addLayout(head)
        layout.addLayout(classes)
        layout.addSpacing(px(4))
        layout.addWidget(self.risk)
        layout.addWidget(self.differing)
        layout.addSpacing(px(4))
        layout.addWidget(self.least)
        for example in self.examples:
            layout.addWidget(example)
        layout.addStretch(1)

    def show_preview(self, preview: AcceptPreview, at_least: int) -> None:
        self.number.setText(f"{preview.count:,}")
        noun = "suggestion" if preview.count == 1 else "suggestions"
        self.what.setText(f"{noun} of which the model is sure by {at_least} % or more")
        for label, number in self.counts.items():
            number.setText(f"{preview.by_label.get(label, 0):,}")
        self.risk.setText(_risk(preview))
        self.differing.setText(_differing(preview))
        self.differing.setVisible(bool(preview.count))
        self.least.setVisible(bool(preview.examples))
        shown = [*preview.examples[:_EXAMPLES], *[None] * _EXAMPLES]
        for example, item in zip(self.examples, shown, strict=False):
            example.show_item(item)


def _risk(preview: AcceptPreview) -> str:
    if not preview.count:
        return "No unanswered pair has such a suggestion. Ask for less certainty, or for other pairs."
    share = preview.expected_error * 100
    wrong = round(preview.expected_wrong)
    few = "fewer than 1" if preview.expected_wrong < 0.5 else f"about {wrong:,}"
    risk = f"By the model’s own confidence {few} of them {'is' if wrong < 2 else 'are'} wrong ({share:.1f} %)."
    if preview.learned:
        learned = "all" if preview.learned == preview.count else f"{preview.learned:,} of them"
        risk += f" But it has learned {learned} itself and is sure of them for that: more may be wrong."
    return risk


def _differing(preview: AcceptPreview) -> str:
    who = "It says" if preview.count == 1 else "All say"
    if not preview.differing:
        return f"{who} what the distant label says."
    if preview.differing == preview.count:
        return f"{who} something else than the distant label."
    says = "says" if preview.differing == 1 else "say"
    some = f"{preview.differing:,} of {preview.count:,} {says} something else than the distant label"
    return f"{some}, the others confirm it."


def tell(context: ProjectContext, judged: ActionResult) -> None:
    """Let everybody know what was accepted; the dialog is gone by then."""
    if judged.count:
        context.events.changed.emit(judged.changes)
        context.show_message(f"{judged.title}: done", undo=True)
    else:
        context.show_message("Nothing was accepted: all of these are answered, or have no suggestion.")
