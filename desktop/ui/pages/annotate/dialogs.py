"""The small dialogs of the page: people with a role, targets and the rule of gold, and the feedback on a pilot."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review.gold import RULE_MEANINGS, GoldState
from desktop.jobs.review.people import ROLE_MEANINGS, ROLE_NAMES
from desktop.jobs.review.pilot import PilotFeedback
from desktop.text import count, percent
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import pad_number
from desktop.ui.widgets.labels import PlainLabel
from storage.annotation.annotation_rounds import Targets
from storage.annotation.annotators import Role
from storage.dataset.gold import GoldRule, GoldRules

_RULES = {GoldRule.MAJORITY: "Every majority", GoldRule.AGREEING: "Majorities that are the distant label"}


class FieldsDialog(QDialog):
    """A form with a button named after the action; subclasses add rows to `form` and texts to `column`."""

    def __init__(self, theme: Theme, title: str, action: str, parent: QWidget) -> None:
        super().__init__(parent)
        px = theme.px
        self.theme = theme
        self.setWindowTitle(title)
        self.setMinimumWidth(px(480))
        self.form = QFormLayout()
        self.form.setSpacing(px(12))
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(*[px(24)] * 4)
        self.column.setSpacing(px(12))
        self.column.addLayout(self.form)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.action_button = buttons.addButton(action, QDialogButtonBox.ButtonRole.AcceptRole)
        self.action_button.setProperty("look", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.column.addWidget(buttons)
        self.action_button.setDefault(True)  # only now that it belongs to the dialog

    def add_text(self, text: str = "", kind: str = "small") -> PlainLabel:
        """A text below the fields."""
        label = PlainLabel(text)
        label.setProperty("type", kind)
        label.setWordWrap(True)
        self.column.insertWidget(self.column.count() - 1, label)
        return label

    def label(self, text: str, field: QWidget) -> PlainLabel:
        """The label of a row with several fields, whose key leads to this one."""
        label = PlainLabel(text)
        label.setBuddy(field)
        return label

    def number(self, minimum: int, maximum: int, value: int, name: str) -> QSpinBox:
        box = QSpinBox(minimum=minimum, maximum=maximum, value=value)
        box.setAccessibleName(name)
        pad_number(box, self.theme)
        return box


class PeopleDialog(FieldsDialog):
    """Asks for names and a role; with a `name`, for the role of this person."""

    def __init__(self, theme: Theme, parent: QWidget, *, name: str = "", role: Role = Role.ANNOTATOR) -> None:
        super().__init__(theme, "Change a role" if name else "Add people", "Change" if name else "Add", parent)
        self.names_line = QLineEdit(name)
        self.names_line.setPlaceholderText("Ada, Ben, Cy")
        self.names_line.setReadOnly(bool(name))
        self.role_box = QComboBox()
        for one in Role:
            self.role_box.addItem(ROLE_NAMES[one], one)
        self.role_box.setCurrentIndex(list(Role).index(role))
        self.form.addRow("&Names" if not name else "Name", self.names_line)
        self.form.addRow("&Role", self.role_box)
        self.meaning = self.add_text()
        self.names_line.textChanged.connect(self._show_state)
        self.role_box.currentIndexChanged.connect(self._show_state)
        self._show_state()

    @property
    def names(self) -> list[str]:
        """The names that were typed, separated by commas."""
        return split_names(self.names_line.text())

    @property
    def role(self) -> Role:
        return Role(self.role_box.currentData())

    @Slot()
    def _show_state(self) -> None:
        self.meaning.setText(ROLE_MEANINGS[self.role])
        self.action_button.setEnabled(bool(self.names))


class TargetsDialog(FieldsDialog):
    """Changes how many gold pairs there are to be, and how gold labels come from answers."""

    def __init__(self, theme: Theme, targets: Targets, gold: GoldState, parent: QWidget) -> None:
        super().__init__(theme, "Targets and gold labels", "Save", parent)
        self.old_targets, self._gold = targets, gold
        self.dev = self.number(0, 50_000, targets.dev, "Gold pairs of each class and domain for the dev split")
        self.test = self.number(0, 50_000, targets.test, "Gold pairs of each class and domain for the test split")
        self.rule_box = QComboBox()
        self.rule_box.setAccessibleName("Which gold labels count")
        for rule in GoldRule:
            self.rule_box.addItem(_RULES[rule], rule)
        self.rule_box.setCurrentIndex(list(GoldRule).index(gold.rules.rule))
        self.votes = self.number(1, 99, gold.rules.votes, "Votes of each pair")
        self.form.addRow("Pairs of each class and domain for &dev", self.dev)
        self.form.addRow("for &test", self.test)
        self.form.addRow("Gold &labels", self.rule_box)
        self.form.addRow("&Votes of each pair", self.votes)
        self.meaning = self.add_text()
        self.effect = self.add_text(kind="")
        self.rule_box.currentIndexChanged.connect(self._show_state)
        self.votes.valueChanged.connect(self._show_state)
        self._show_state()

    @property
    def targets(self) -> Targets:
        return Targets(self.dev.value(), self.test.value(), self.old_targets.domains)

    @property
    def rules(self) -> GoldRules:
        return GoldRules(GoldRule(self.rule_box.currentData()), self.votes.value())

    @Slot()
    def _show_state(self) -> None:
        rules = self.rules
        self.meaning.setText(f"{RULE_MEANINGS[rules.rule]} More than half of {count(rules.votes, 'vote')} must agree.")
        differing = count(self._gold.differing, "pair has", "pairs have")
        verb = "is discarded, and kept" if self._gold.differing == 1 else "are discarded, and kept"
        fate = f": {'it' if self._gold.differing == 1 else 'they'} {verb}" if rules.rule is GoldRule.AGREEING else ""
        text = f"{differing} another gold than distant label{fate}." if self._gold.differing else ""
        if rules.votes != self._gold.rules.votes:
            text = f"{text} All answered pairs will be decided again.".strip()
        self.effect.setText(text)


class FeedbackDialog(QDialog):
    """How an annotator's answers to a pilot round compare with the reference's."""

    def __init__(self, theme: Theme, feedback: PilotFeedback, parent: QWidget) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle(f"Feedback on round {feedback.round}")
        self.resize(px(720), px(520))
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, px(8), 0)
        column.setSpacing(px(6))
        self.lines: list[str] = []

        def add(text: str, kind: str = "") -> None:
            label = PlainLabel(text)
            label.setProperty("type", kind)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(label)
            self.lines.append(text)

        add(f"Agreement with {feedback.reference}", "heading")
        for place, score in enumerate(feedback.ranking, start=1):
            same = f"{score.agreed:,} of {count(score.compared, 'pair')}"
            share = "no answers yet" if score.agreement is None else f"{percent(score.agreement)}, {same}"
            add(f"{place}. {score.name}: {share}")
        differing = [question for question in feedback.questions if question.differing]
        add(f"{count(len(differing), 'pair')} with another answer", "heading")
        for question in differing:
            add(question.premise)
            add(question.hypothesis)
            others = ", ".join(f"{name}: {question.answers[name]}" for name in question.differing)
            add(f"{feedback.reference}: {question.reference}. {others}.", "muted")
            column.addSpacing(px(8))
        column.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setAccessibleName("Feedback")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[px(24)] * 4)
        layout.addWidget(area, 1)
        layout.addWidget(buttons)


def split_names(text: str) -> list[str]:
    """The names between commas, each once."""
    names = (" ".join(part.split()) for part in text.split(","))
    return list(dict.fromkeys(name for name in names if name))
