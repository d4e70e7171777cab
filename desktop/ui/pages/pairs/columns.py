"""The columns of the table of pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from desktop.text import chance
from desktop.ui.services.display_names import FLAGS, STATUSES, STRATEGIES
from storage.pairs.filters import PairStatus
from storage.pairs.filters import SortColumn as By
from storage.pairs.table import PairTableRow


class Kind(StrEnum):
    """How a cell is painted."""

    TEXT = "text"
    SENTENCE = "sentence"
    LABEL = "label"
    MARKS = "marks"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Column:
    """`text` of a line; `by`: what a click on the head sorts by; `shown` unless the person chose otherwise."""

    key: str
    title: str
    width: int
    text: Callable[[PairTableRow], str]
    by: By | None = None
    kind: Kind = Kind.TEXT
    shown: bool = True


def _marks(line: PairTableRow) -> str:
    said = [
        word for word, holds in (("flagged", line.flagged), ("note", line.noted), ("differ", line.contested)) if holds
    ]
    return ", ".join(said)


def _status(line: PairTableRow) -> str:
    """What people have made of it; nothing while nobody has answered."""
    return "" if line.status is PairStatus.OPEN else STATUSES[line.status]


def _percent(share: float | None) -> str:
    return "" if share is None else chance(share)


COLUMNS = (
    Column("label", "Class", 116, lambda line: line.label, By.LABEL, Kind.LABEL),
    Column("premise", "Premise", 330, lambda line: line.premise, None, Kind.SENTENCE),
    Column("hypothesis", "Hypothesis", 330, lambda line: line.hypothesis, None, Kind.SENTENCE),
    Column("phrase", "Phrase", 112, lambda line: line.phrase, By.PHRASE),
    Column("suggested", "Suggested", 116, lambda line: line.suggested, By.SUGGESTED, Kind.LABEL, shown=False),
    Column("confidence", "Confidence", 84, lambda line: _percent(line.confidence), By.CONFIDENCE, Kind.NUMBER, False),
    Column("doubt", "Doubt", 64, lambda line: _percent(line.doubt), By.DOUBT, Kind.NUMBER, False),
    Column("status", "Status", 100, _status, By.STATUS),
    Column("marks", "Marks", 56, _marks, None, Kind.MARKS),
    Column("domain", "Domain", 120, lambda line: line.domain, By.DOMAIN),
    Column("year", "Year", 56, lambda line: str(line.year or ""), By.YEAR, Kind.NUMBER),
    Column("title", "Paper", 200, lambda line: line.title, By.TITLE, shown=False),
    Column("distant", "Distant", 116, lambda line: line.distant, By.DISTANT, Kind.LABEL, shown=False),
    Column("gold", "Gold", 116, lambda line: line.gold, By.GOLD, Kind.LABEL, shown=False),
    Column("strategy", "Strategy", 140, lambda line: STRATEGIES[line.strategy], By.STRATEGY, shown=False),
    Column("split", "Split", 64, lambda line: line.split, By.SPLIT, shown=False),
    Column("page", "Page", 56, lambda line: str(line.page or ""), None, Kind.NUMBER, shown=False),
    Column(
        "premise_words",
        "Premise words",
        104,
        lambda line: str(line.premise_words),
        By.PREMISE_WORDS,
        Kind.NUMBER,
        False,
    ),
    Column(
        *("hypothesis_words", "Hypothesis words", 120, lambda line: str(line.hypothesis_words)),
        *(By.HYPOTHESIS_WORDS, Kind.NUMBER, False),
    ),
    Column("overlap", "Overlap", 72, lambda line: f"{line.overlap} %", By.OVERLAP, Kind.NUMBER, False),
    Column("flags", "Mining found", 180, lambda line: ", ".join(FLAGS[flag] for flag in line.flags), None, shown=False),
)
