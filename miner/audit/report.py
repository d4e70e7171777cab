"""What an audit finds: one finding a question, each with its figures and a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AuditedLabels(StrEnum):
    """Which labels are audited. EXPORTED: the label in an export, which is the gold label where there is one."""

    EXPORTED = "exported"
    GOLD = "gold"
    DISTANT = "distant"


class AuditQuestion(StrEnum):
    """A question of the audit. The first six are the traits of the same name (`HypothesisTrait`).

    PREMISE_LENGTH, HYPOTHESIS_LENGTH: words, a class against the others. OVERLAP: shared words, a linked class against
    the other linked ones. NEUTRAL: shared words and lengths, neutral against linked pairs. WORDS: words that go with a
    class. HYPOTHESIS_ALONE, PREMISE_ALONE, BOTH: what a linear model guesses from these sentences.
    """

    CAPITAL = "capital"
    PHRASE_START = "phrase_start"
    PHRASE_NEAR = "phrase_near"
    NO_STOP = "no_stop"
    CITATION = "citation"
    DIGIT = "digit"
    PREMISE_LENGTH = "premise_length"
    HYPOTHESIS_LENGTH = "hypothesis_length"
    OVERLAP = "overlap"
    NEUTRAL = "neutral"
    WORDS = "words"
    HYPOTHESIS_ALONE = "hypothesis_alone"
    PREMISE_ALONE = "premise_alone"
    BOTH = "both"


class Verdict(StrEnum):
    """UNKNOWN: there are too few pairs to say."""

    MEND = "mend"
    LOOK = "look"
    FINE = "fine"
    UNKNOWN = "unknown"


class Measure(StrEnum):
    """What a row's value is: a share of pairs, an AUC (chance is .5), or the accuracy or macro F1 of a model."""

    SHARE = "share"
    PREMISE_WORDS = "premise_words"
    HYPOTHESIS_WORDS = "hypothesis_words"
    OVERLAP = "overlap"
    ACCURACY = "accuracy"
    MACRO_F1 = "macro_f1"
    RECALL = "recall"


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A figure of a finding: `value` with its 95 % interval `low` to `high`, of `pairs` pairs.

    measure: what the value is. For lengths and overlap it is the AUC that separates the row's pairs from the others,
    and `mean` is the mean of the measured property. label: the row's class, "" for all. strategy: of neutral pairs, ""
    for all. hits: the pairs with the trait, or that a model guessed right.
    """

    measure: Measure
    label: str
    pairs: int
    value: float
    low: float
    high: float
    strategy: str = ""
    hits: int = 0
    mean: float = 0.0


@dataclass(frozen=True, slots=True)
class WordFigure:
    """A word that goes with a class: `hits` of the `pairs` hypotheses that have it are of the class.

    pmi: smoothed pointwise mutual information with the class, in bits. low: the lower bound of the share of hits.
    gives_away: that bound is far above the share of the class.
    """

    word: str
    label: str
    pairs: int
    hits: int
    pmi: float
    low: float
    gives_away: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question.

    size: how much is given away, from 0 to 1, for comparing findings of one verdict. label: the class that is given
    away most, "" for none in particular. p: of a chi-square test of trait and class. chance, reference: of a model's
    accuracy, or of the AUC, by guessing, and in mined sets of other fields of the same size. pairs: looked at. missing:
    how many pairs a class must have, where there are too few. without_papers: the papers were not known or too few, so
    pairs were kept apart by shared sentences only. left_out: classes with too few pairs for the models.
    """

    question: AuditQuestion
    verdict: Verdict
    pairs: int
    size: float = 0.0
    label: str = ""
    rows: tuple[AuditRow, ...] = ()
    words: tuple[WordFigure, ...] = ()
    p: float | None = None
    chance: float = 0.0
    reference: float | None = None
    missing: int = 0
    without_papers: bool = False
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All findings, worst first, and the pairs that they are about.

    counts: how many pairs were audited, by class. drawn: how many pairs were drawn for words and models. state: a
    digest of the project's pairs and labels, to see whether they have changed since.
    """

    source: AuditedLabels
    domain: str | None
    seed: int
    counts: dict[str, int]
    drawn: int
    findings: tuple[Finding, ...]
    state: str = ""

    @property
    def pairs(self) -> int:
        return sum(self.counts.values())

    def of(self, verdict: Verdict) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.verdict is verdict)


def worst_first(findings: list[Finding]) -> tuple[Finding, ...]:
    """By verdict, then by how much is given away, then in the order of the questions."""
    verdicts, questions = list(Verdict), list(AuditQuestion)
    return tuple(
        sorted(findings, key=lambda one: (verdicts.index(one.verdict), -one.size, questions.index(one.question)))
    )
