"""The dialog that splits the project's papers, with what dev and test want filled in."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QWidget

from desktop.jobs.exchange.project_split import SplitChange, moves_text
from desktop.text import count
from desktop.ui.pages.annotate.dialogs import FieldsDialog
from desktop.ui.theme import Theme
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.split_suggestion import DomainSuggestion
from miner.splits import PaperSplit
from miner.year_ranges import OTHER_DOMAINS, YearRange, read_year_ranges, year_ranges_text

_ABOUT = (
    "Models learn from the papers of train; people annotate pairs of dev and test. A line for each domain, or for all "
    "others without a name. Years are possible too: nlp: train -2018, dev 36% + test 64% 2019"
)
_TEXT_HEIGHT = 120
_MAX_SEED = 1_000_000_000


class SplitDialog(FieldsDialog):
    """Asks how to split the papers. refused: a change that a person must consent to, as answered papers move."""

    def __init__(
        self,
        theme: Theme,
        suggestions: Sequence[DomainSuggestion],
        present: PaperSplit | None,
        parent: QWidget,
        *,
        refused: SplitChange | None = None,
    ) -> None:
        super().__init__(theme, "Split the papers", parent)
        ranges = present.ranges if present is not None else _ranges(suggestions)
        self.lines = QPlainTextEdit(year_ranges_text(ranges) if ranges else "train 70% + dev 10% + test 20%")
        self.lines.setAccessibleName("Papers of each split")
        self.lines.setTabChangesFocus(True)
        self.lines.setFixedHeight(theme.px(_TEXT_HEIGHT))
        self.seed = self.number(0, _MAX_SEED, present.seed if present else 1, "Seed of the split")
        self.rest = QCheckBox("Papers of no line, or without a year, are &train papers")
        self.rest.setChecked(present is not None and present.rest == "train")
        self.form.addRow("&Papers", self.lines)
        self.form.addRow("", self.rest)
        self.form.addRow("&Seed", self.seed)
        self.add_text(_ABOUT)
        self.add_text("\n".join(map(_suggestion_text, suggestions)))
        self.problem = Notice(theme)
        self.column.addWidget(self.problem)
        self.confirmed = QCheckBox("Move them all the same; no answer is lost")
        self.confirmed.setVisible(refused is not None)
        self.column.addWidget(self.confirmed)
        self._refused = _refusal_text(refused) if refused is not None else ""
        self.add_buttons("Split the papers")
        for changed in (self.lines.textChanged, self.confirmed.toggled):
            changed.connect(self._show_state)
        self._show_state()

    @property
    def split(self) -> PaperSplit:
        """The split that was typed; `UserError` if it is none."""
        ranges = read_year_ranges(self.lines.toPlainText().splitlines())
        return PaperSplit(ranges, self.seed.value(), rest="train" if self.rest.isChecked() else None)

    @Slot()
    def _show_state(self) -> None:
        problem = ""
        try:
            _ = self.split
        except UserError as exc:
            problem = f"{exc} {exc.hint}".strip()
        self.problem.show_text(problem or self._refused, "bad" if problem else "warning")
        waits = bool(self._refused) and not self.confirmed.isChecked()
        self.action_button.setEnabled(not problem and not waits)


def _ranges(suggestions: Sequence[DomainSuggestion]) -> tuple[YearRange, ...]:
    return tuple(YearRange(one.domain or OTHER_DOMAINS, one.shares) for one in suggestions)


def _suggestion_text(one: DomainSuggestion) -> str:
    """ "nlp: 66 papers to learn from, 12 dev, 22 test." with what they lack."""
    papers = one.papers
    text = f"{one.domain or 'No domain'}: {count(papers['train'], 'train paper')}, {papers['dev']:,} dev"
    lacks = [f"{short.label} in {short.split} about {short.gold:,}" for short in one.shortages]
    lacking = f" Too few for the targets: {', '.join(lacks)}." if lacks else " Enough for the targets."
    return f"{text}, {papers['test']:,} test as suggested.{lacking}"


def _refusal_text(change: SplitChange) -> str:
    answered = sum(one.answered for one in change.bound)
    what = f"{count(len(change.bound), 'paper')} with {count(answered, 'answered pair')} would leave their split."
    return f"{what} {moves_text(change.moved)}"
