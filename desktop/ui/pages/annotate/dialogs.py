"""The small dialogs of the page: people with a role, targets and the rule of gold, and the feedback on a pilot."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review.gold import RULE_MEANINGS, GoldState
from desktop.jobs.review.people import ROLE_MEANINGS, ROLE_NAMES
from desktop.jobs.review.pilot import FeedbackScore, PilotFeedback
from desktop.text import count, percent
from desktop.translation import tr
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import ComboBox, FormScrollArea, NumberBox, SeedBox, pad_number
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.lines_dialog import LinesDialog
from storage.annotation.annotation_rounds import Targets
from storage.annotation.annotators import Role
from storage.dataset.gold import GoldRule, GoldRules

_DOMAINS_HEIGHT = 120  # before they scroll
_RULES = {
    GoldRule.MAJORITY: tr("Every majority label"),
    GoldRule.AGREEING: tr("Only majority labels that confirm the distant label"),
}


class FieldsDialog(QDialog):
    """A form; subclasses add rows to `form`, texts to `column`, and the buttons last, so that Tab reaches them last."""

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        px = theme.px
        self.theme = theme
        self.setWindowTitle(title)
        self.setMinimumWidth(px(480))
        self.form = QFormLayout()
        self.form.setSpacing(px(12))
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(*[px(24)] * 4)
        self.column.setSpacing(px(12))
        self.column.addLayout(self.form)

    def add_buttons(self, action: str) -> None:
        """Add Cancel and a button named after the action."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.action_button = buttons.addButton(action, QDialogButtonBox.ButtonRole.AcceptRole)
        self.action_button.setProperty("look", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.column.addWidget(buttons)
        self.action_button.setDefault(True)  # only now that it belongs to the dialog

    def add_text(self, text: str = "", kind: str = "small") -> PlainLabel:
        """Add a text below the fields, and return it."""
        label = PlainLabel(text, wraps=True)
        label.setProperty("type", kind)
        self.column.addWidget(label)
        return label

    def label(self, text: str, field: QWidget) -> PlainLabel:
        """The label of a row with several fields; its mnemonic focuses this field."""
        label = PlainLabel(text)
        label.setBuddy(field)
        return label

    def seed_field(self, seed: int, name: str) -> SeedBox:
        box = SeedBox(seed)
        box.setAccessibleName(name)
        pad_number(box, self.theme)
        return box

    def number(self, minimum: int, maximum: int, value: int, name: str) -> QSpinBox:
        box = NumberBox(minimum=minimum, maximum=maximum, value=value)
        box.setAccessibleName(name)
        pad_number(box, self.theme)
        return box


class PeopleDialog(FieldsDialog):
    """Asks for names and a role; with a `name`, for the role of this person."""

    def __init__(self, theme: Theme, parent: QWidget, *, name: str = "", role: Role = Role.ANNOTATOR) -> None:
        super().__init__(theme, tr("Change a role") if name else tr("Add people"), parent)
        self.names_line = QLineEdit(name)
        self.names_line.setPlaceholderText(tr("Ada, Ben, Cy"))
        self.names_line.setReadOnly(bool(name))
        self.role_box = ComboBox()
        for one in Role:
            self.role_box.addItem(ROLE_NAMES[one], one)
        self.role_box.setCurrentIndex(list(Role).index(role))
        self.form.addRow(tr("&Names") if not name else tr("Name"), self.names_line)
        self.form.addRow(tr("&Role"), self.role_box)
        self.meaning = self.add_text()
        self.add_buttons(tr("Change") if name else tr("Add"))
        self.names_line.textChanged.connect(self._show_state)
        self.role_box.currentIndexChanged.connect(self._show_state)
        self._show_state()

    @property
    def names(self) -> list[str]:
        """The typed names, which are separated by commas."""
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

    def __init__(
        self, theme: Theme, targets: Targets, domains: Sequence[str], gold: GoldState, parent: QWidget
    ) -> None:
        """domains: all of the project."""
        super().__init__(theme, tr("Targets and gold labels"), parent)
        self.old_targets, self._gold = targets, gold
        self.dev = self.number(0, 50_000, targets.dev, tr("Gold pairs of each class and domain for the dev split"))
        self.test = self.number(0, 50_000, targets.test, tr("Gold pairs of each class and domain for the test split"))
        self.rule_box = ComboBox()
        self.rule_box.setAccessibleName(tr("Which labels become gold labels"))
        for rule in GoldRule:
            self.rule_box.addItem(_RULES[rule], rule)
        self.rule_box.setCurrentIndex(list(GoldRule).index(gold.rules.rule))
        self.votes = self.number(1, 99, gold.rules.votes, tr("Votes of each pair"))
        self.domain_boxes = {domain: QCheckBox(domain.replace("&", "&&") or NO_DOMAIN) for domain in domains}
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        for domain, box in self.domain_boxes.items():
            box.setChecked(domain in targets.domains or not targets.domains)
            box.toggled.connect(self._show_state)
            column.addWidget(box)
        area = FormScrollArea(inside)
        area.setFixedHeight(min(inside.sizeHint().height(), theme.px(_DOMAINS_HEIGHT)))
        self.form.addRow(tr("Domains"), area)
        self.form.setRowVisible(area, len(domains) > 1)
        self.form.addRow(tr("Gold pairs of each class for &dev"), self.dev)
        self.form.addRow(tr("Gold pairs of each class for &test"), self.test)
        self.form.addRow(tr("Gold &labels"), self.rule_box)
        self.form.addRow(tr("&Votes of each pair"), self.votes)
        self.meaning = self.add_text()
        self.effect = self.add_text(kind="")
        self.add_buttons(tr("Save"))
        self.rule_box.currentIndexChanged.connect(self._show_state)
        self.votes.valueChanged.connect(self._show_state)
        self._show_state()

    @property
    def targets(self) -> Targets:
        are_all = len(self._domains) == len(self.domain_boxes)
        return Targets(self.dev.value(), self.test.value(), () if are_all else self._domains)

    @property
    def _domains(self) -> tuple[str, ...]:
        """The checked domains."""
        return tuple(domain for domain, box in self.domain_boxes.items() if box.isChecked())

    @property
    def rules(self) -> GoldRules:
        return GoldRules(GoldRule(self.rule_box.currentData()), self.votes.value())

    @Slot()
    def _show_state(self) -> None:
        rules = self.rules
        needed = (
            tr("One vote decides")
            if rules.votes == 1
            else tr("More than half of {votes:,} votes must agree", votes=rules.votes)
        )
        self.meaning.setText(f"{RULE_MEANINGS[rules.rule]} {needed}.")
        differing = count(self._gold.differing, "pair has", "pairs have")
        verb = tr("is discarded, and kept") if self._gold.differing == 1 else tr("are discarded, and kept")
        fate = f": {'it' if self._gold.differing == 1 else 'they'} {verb}" if rules.rule is GoldRule.AGREEING else ""
        text = (
            tr("{differing} another gold than distant label{fate}.", differing=differing, fate=fate)
            if self._gold.differing
            else ""
        )
        if rules.votes != self._gold.rules.votes:
            text = tr("{text} The gold labels of all answered pairs will be determined again.", text=text).strip()
        self.effect.setText(text if self._domains else tr("Select at least one domain."))
        self.effect.setVisible(bool(self.effect.text()))
        self.action_button.setEnabled(bool(self._domains))


class FeedbackDialog(LinesDialog):
    """How the answers to a pilot round compare with the reference's: who agrees most, by question, and pair by pair."""

    def __init__(self, theme: Theme, feedback: PilotFeedback, parent: QWidget) -> None:
        super().__init__(theme, tr("Feedback on round {round}", round=feedback.round), parent)
        self.resize(theme.px(720), theme.px(560))
        self.add_line(tr("Agreement with {reference}", reference=feedback.reference), "heading")
        for place, score in enumerate(feedback.ranking, start=1):
            self.add_line(f"{place}. {score.name}: {_share(score)}")
        if feedback.by_question:
            self.add_line(tr("By question"), "heading", gap=True)
        for score in feedback.by_question:
            self.add_line(f"{score.name} {_share(score)}")
        differing = [pair for pair in feedback.pairs if pair.differing]
        self.add_line(tr("{pairs} with another answer", pairs=count(len(differing), "pair")), "heading", gap=True)
        for place, pair in enumerate(differing):
            self.add_line(pair.premise, gap=place > 0)
            self.add_line(pair.hypothesis)
            for question in pair.questions:
                self.add_line(feedback.answers_text(question), "" if question.differing else "muted")
                for category in question.definitions:
                    self.add_line(f"{category.name}: {category.definition} {category.confusion}".rstrip(), "small")


def _share(score: FeedbackScore) -> str:
    if score.agreement is None:
        return tr("no answers yet")
    return tr(
        "{agreement}, {agreed:,} of {answers}",
        agreement=percent(score.agreement),
        agreed=score.agreed,
        answers=count(score.compared, "answer"),
    )


def split_names(text: str) -> list[str]:
    """The names between commas, each once."""
    names = (" ".join(part.split()) for part in text.split(","))
    return list(dict.fromkeys(name for name in names if name))
