"""What a row of a data set file says: a pair with its labels and its source, or why it cannot be imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from miner.kinds.questionnaire import PairKinds
from miner.records import Answer, Label, PairFlag, Strategy
from storage.annotation.answers import gold_label


class BadRow(NamedTuple):
    """A row that cannot be imported, and why."""

    line: int
    reason: str


class SourcePaper(NamedTuple):
    """The paper that a row names."""

    md5: str
    sha256: str
    title: str
    doi: str | None
    year: int | None
    parser: str
    parser_version: str
    licence: str = ""
    journal: str = ""


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A valid row.

    label: the distant label, or the only label of a file.
    answers: of people, in the file's order. accepted: an accepted suggestion. The gold label follows from these.
    domain, split: of the file, or else those given by the caller.
    source: what else the file says, as JSON, "" for nothing: a `gold_label` without answers, `annotator_labels` that
    are not valid answers, `section`, `mining_run`, the suggestion, and all other `columns`.
    mined_premise, mined_hypothesis: what a person has mended, which gives the sentence above; None where nobody did.
    kinds: what annotators say of kinds of reasoning and direction, in the file's order.
    predictions: what somebody predicts, by the name of the column. remarks: what could not be imported as it is.
    """

    premise: str
    hypothesis: str
    hypothesis_original: str
    label: Label | None
    answers: tuple[Answer, ...] = ()
    accepted: Answer | None = None
    source_label: str | None = None
    source_id: str | None = None
    split: str | None = None
    domain: str = ""
    strategy: Strategy = Strategy.IMPORTED
    phrase: str | None = None
    page: int | None = None
    flags: tuple[PairFlag, ...] = ()
    paper: SourcePaper | None = None
    source: str = ""
    mined_premise: str | None = None
    mined_hypothesis: str | None = None
    kinds: tuple[PairKinds, ...] = ()
    predictions: tuple[tuple[str, Label], ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def final_label(self) -> Label | None:
        """The label that its annotators agree on, else the accepted one, else `label`; None if there is none."""
        if self.answers:
            return gold_label(self.answers)
        return Label(self.accepted.value) if self.accepted else self.label
