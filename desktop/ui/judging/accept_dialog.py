"""The dialog that accepts many suggestions at once: a choice of pairs and confidence, with a preview."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.descriptions.safe_accept import NO_SUGGESTIONS, safe_accept_text
from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.disagreements import AcceptPreview, accept_all, preview_accept
from desktop.text import chance, count
from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import BODY, TITLE, Theme
from desktop.ui.widgets.fields import ComboBox, NumberBox, pad_number
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, CardFrame, aligned, column_of, row_of, space, stretched
from miner.records import Label
from storage.annotation.rounds import ReviewItem
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from desktop.jobs.models.safe_accept import SafeAccept

DEFAULT_CONFIDENCE = 95  # percent
DEFAULT_WRONG = 10  # percent
_MAX_QUICK_PAIRS = 1_000  # more are accepted by a job that is shown in the status bar
_PREVIEW_DELAY_MS = 120  # after the last change
_EXAMPLES_COUNT = 4


class _SuggestionExample(QWidget):
    """A pair with its suggestion; hidden without a pair."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.suggested_chip = LabelChip(theme, words=False)
        self.confidence_label = PlainLabel(type="muted")
        self.confidence_label.setMinimumWidth(px(48))
        self.confidence_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.premise, self.hypothesis = ElidedLabel(), ElidedLabel()
        lines = QVBoxLayout()
        lines.setSpacing(0)
        for line in (self.premise, self.hypothesis):
            line.setFont(theme.reading_font(BODY))
            line.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            lines.addWidget(line)
        self.setLayout(
            row_of(
                aligned(self.suggested_chip, Qt.AlignmentFlag.AlignTop),
                stretched(lines),
                aligned(self.confidence_label, Qt.AlignmentFlag.AlignTop),
                spacing=px(8),
                margins=(0, 0, 0, px(4)),
            )
        )
        self.show_item(None)

    def show_item(self, item: ReviewItem | None) -> None:
        suggestion = item.suggestion if item else None
        self.setVisible(suggestion is not None)
        if item is not None and suggestion is not None:
            self.suggested_chip.show_label(suggestion.label.value)
            self.confidence_label.setText(chance(suggestion.confidence))
            self.premise.setText(item.pair.premise)
            self.hypothesis.setText(item.pair.hypothesis)
            self.setAccessibleName(f"{suggestion.label.value}: {item.pair.premise} / {item.pair.hypothesis}")


class AcceptScope(NamedTuple):
    """Pairs whose suggestions can be accepted, their name, and the initial confidence in percent."""

    name: str
    filter: PairFilter
    min_confidence: int = DEFAULT_CONFIDENCE


class AcceptDialog(QDialog):
    """Accepts all suggestions of a scope with at least the chosen confidence."""

    def __init__(self, context: ProjectContext, scopes: Sequence[AcceptScope], parent: QWidget) -> None:
        """`scopes`: the pairs to select from; initially the first is selected."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Accept suggestions"))
        self._context = context
        self._preview: AcceptPreview | None = None
        self._delay_timer = QTimer(self, singleShot=True, interval=_PREVIEW_DELAY_MS)
        self._delay_timer.timeout.connect(self._request_preview)
        self._build(scopes)
        self._request_preview()

    def _build(self, scopes: Sequence[AcceptScope]) -> None:
        theme = self._context.theme
        px = theme.px
        self.setMinimumWidth(px(600))
        self.scope_box = ComboBox()
        self.scope_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for scope in scopes:
            self.scope_box.addItem(scope.name, scope.filter)
        self.confidence_box = NumberBox(minimum=25, maximum=100, value=scopes[0].min_confidence, suffix=" %")
        self.confidence_box.setAccessibleName(tr("Confidence of at least, in percent"))
        pad_number(self.confidence_box, theme)
        self.confidence_box.valueChanged.connect(self._on_input_changed)
        self.scope_box.currentIndexChanged.connect(self._on_input_changed)
        confidence_row = row_of(self.confidence_box, STRETCH, spacing=px(12))
        self.wrong_box = NumberBox(minimum=1, maximum=50, value=DEFAULT_WRONG, suffix=" %")
        self.wrong_box.setAccessibleName(tr("At most this share is wrong, in percent"))
        pad_number(self.wrong_box, theme)
        self.find_button = QPushButton(tr("&Find the confidence"))
        set_tip(self.find_button, tr("Find, by people’s answers, the confidence from which on so few are wrong"))
        self.find_button.clicked.connect(self._find_confidence)
        wrong_row = row_of(self.wrong_box, self.find_button, STRETCH, spacing=px(12))
        self.promise_label = PlainLabel(type="muted", wraps=True)
        self.promise_label.setVisible(False)
        form = QFormLayout()
        form.setSpacing(px(12))
        form.addRow(tr("&Pairs"), self.scope_box)
        confidence_label = PlainLabel(tr("Confidence of at &least"))
        confidence_label.setBuddy(self.confidence_box)
        form.addRow(confidence_label, confidence_row)
        wrong_label = PlainLabel(tr("&Wrong, at most"))
        wrong_label.setBuddy(self.wrong_box)
        form.addRow(wrong_label, wrong_row)
        form.addRow(self.promise_label)
        self.preview_pane = _AcceptPreviewPane(theme)
        note = PlainLabel(
            tr(
                "They are recorded as accepted suggestions, not as your answers, and do not count towards agreement "
                "figures. One undo takes all of them back, even on another day."
            ),
            type="small",
            wraps=True,
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = buttons.addButton(tr("Accept"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setProperty("look", "primary")
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        self.setLayout(column_of(form, stretched(self.preview_pane), note, buttons, spacing=px(16), margins=px(24)))
        self.accept_button.setDefault(True)  # only now that it belongs to the dialog
        self._clear_preview()

    @property
    def preview(self) -> AcceptPreview | None:
        """What would be accepted; None while the pairs are being counted."""
        return self._preview

    @Slot()
    def _find_confidence(self) -> None:
        from desktop.jobs.models.safe_accept import find_safe_confidence  # the window starts without it

        job = find_safe_confidence(self._context.project, self.wrong_box.value())
        self._context.read(job, self._on_safe_confidence)

    @Slot(object)
    def _on_safe_confidence(self, safe: SafeAccept) -> None:
        if safe.found is not None:
            self.confidence_box.setValue(safe.found.percent)
        self.promise_label.setText(safe_accept_text(safe))
        self.promise_label.setVisible(True)
        self._enlarge()

    @Slot()
    def _on_input_changed(self) -> None:
        self.promise_label.setVisible(False)
        self._context.cancel_read(self._on_preview)
        self._clear_preview()
        self._delay_timer.start()

    def _clear_preview(self) -> None:
        self._preview = None
        self.accept_button.setEnabled(False)

    @Slot()
    def _request_preview(self) -> None:
        job = preview_accept(self._context.project, self.scope_box.currentData(), self.confidence_box.value())
        self._context.read(job, self._on_preview)

    @Slot(object)
    def _on_preview(self, preview: AcceptPreview) -> None:
        self._preview = preview
        self.preview_pane.show_preview(preview, self.confidence_box.value())
        self._enlarge()
        self.accept_button.setText(
            tr("Accept {suggestions}", suggestions=count(preview.count, "suggestion"))
            if preview.count
            else tr("Accept")
        )
        self.accept_button.setEnabled(preview.count > 0)

    def _enlarge(self) -> None:
        """Make the dialog high enough for its text; Qt would cut lines instead."""
        inner, layout = self.preview_pane.layout(), self.layout()
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
            context.project,
            self.scope_box.currentData(),
            context.annotator,
            self.confidence_box.value(),
            expected=preview.count,
        )
        run = context.runner.start(job) if preview.count > _MAX_QUICK_PAIRS else context.runner.save(job)
        run.done.connect(partial(show_accept_result, context))
        run.failed.connect(context.problems.show)
        self.accept()


class _AcceptPreviewPane(CardFrame):
    """Shows how many suggestions each class has, how many are likely wrong, and the least certain ones."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.count_number = PlainLabel()
        self.count_number.setFont(theme.font(TITLE, bold=True))
        self.count_label = PlainLabel(type="muted")
        head = row_of(self.count_number, spacing=px(8))
        head.addWidget(self.count_label, 1, Qt.AlignmentFlag.AlignBottom)
        classes = QHBoxLayout()
        classes.setSpacing(px(20))
        self.class_counts: dict[Label, QLabel] = {}
        for label in Label:
            self.class_counts[label] = PlainLabel()
            classes.addLayout(row_of(LabelChip(theme, label.value), self.class_counts[label], spacing=px(6)))
        classes.addStretch(1)
        self.risk_label, self.differing_label = PlainLabel(), PlainLabel()
        for line in (self.risk_label, self.differing_label):
            line.setWordWrap(True)
        self.examples_label = PlainLabel(tr("The suggestions with the lowest confidence"), type="small")
        self.examples = [_SuggestionExample(theme) for _ in range(_EXAMPLES_COUNT)]
        layout = column_of(
            head,
            classes,
            space(px(4)),
            self.risk_label,
            self.differing_label,
            space(px(4)),
            self.examples_label,
            spacing=px(8),
            margins=(px(16), px(12), px(16), px(16)),
        )
        self.setLayout(layout)
        for example in self.examples:
            layout.addWidget(example)
        layout.addStretch(1)

    def show_preview(self, preview: AcceptPreview, min_confidence: int) -> None:
        self.count_number.setText(f"{preview.count:,}")
        noun = "suggestion" if preview.count == 1 else "suggestions"
        self.count_label.setText(
            tr("{noun} with a confidence of {min_confidence} % or more", noun=noun, min_confidence=min_confidence)
        )
        for label, number in self.class_counts.items():
            number.setText(f"{preview.by_label.get(label, 0):,}")
        self.risk_label.setText(_risk_text(preview))
        self.differing_label.setText(_differing_text(preview))
        self.differing_label.setVisible(bool(preview.count))
        self.examples_label.setVisible(bool(preview.examples))
        items = [*preview.examples[:_EXAMPLES_COUNT], *[None] * _EXAMPLES_COUNT]
        for example, item in zip(self.examples, items, strict=False):
            example.show_item(item)


def _risk_text(preview: AcceptPreview) -> str:
    if not preview.has_suggestions:
        return NO_SUGGESTIONS
    if not preview.count:
        return tr("No unanswered pair has such a suggestion. Choose a lower confidence, or other pairs.")
    share = preview.expected_error * 100
    wrong = round(preview.expected_wrong)
    number = tr("fewer than 1") if preview.expected_wrong < 0.5 else tr("about {wrong:,}", wrong=wrong)
    risk = tr(
        "According to the model’s own confidence, {number} of them {is_} wrong ({share:.1f} %).",
        number=number,
        is_=tr("is") if wrong < 2 else tr("are"),
        share=share,
    )
    if preview.learned:
        learned = "all" if preview.learned == preview.count else tr("{learned:,} of them", learned=preview.learned)
        risk += tr(
            " But the model was trained on {learned}, which makes it overconfident: more may be wrong.", learned=learned
        )
    return risk


def _differing_text(preview: AcceptPreview) -> str:
    subject = tr("It agrees") if preview.count == 1 else tr("All agree")
    if not preview.differing:
        return tr("{subject} with the distant label.", subject=subject)
    if preview.differing == preview.count:
        subject = tr("It differs") if preview.count == 1 else tr("All differ")
        return tr("{subject} from the distant label.", subject=subject)
    verb = "differs" if preview.differing == 1 else "differ"
    return tr(
        "{differing:,} of {count:,} {verb} from the distant label; the others are the same.",
        differing=preview.differing,
        count=preview.count,
        verb=verb,
    )


def show_accept_result(context: ProjectContext, result: ActionResult) -> None:
    """Publish the changes and show a message on what was accepted, after the dialog was closed."""
    if result.count:
        context.events.changed.emit(result.changes)
        context.show_message(tr("{title}: done", title=result.title), undo=True)
    else:
        context.show_message(tr("Nothing was accepted: all these pairs are answered already, or have no suggestion."))
