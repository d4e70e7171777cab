"""The columns of the table of pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from desktop.text import DIRECTIONS, chance
from desktop.translation import tr
from desktop.ui.services.display_names import FLAGS, STATUSES, STRATEGIES
from storage.pairs.filters import PairStatus, SortColumn
from storage.pairs.table import PairTableRow


class ColumnKind(StrEnum):
    """The way in which a cell is painted."""

    TEXT = "text"
    SENTENCE = "sentence"
    LABEL = "label"
    MARKS = "marks"
    NUMBER = "number"


_LABEL, _SENTENCE, _NUMBER = ColumnKind.LABEL, ColumnKind.SENTENCE, ColumnKind.NUMBER


@dataclass(frozen=True, slots=True)
class PairColumnDefinition:
    """A column of the table of pairs.

    text: the text of a line's cell. sort: the order for a click on the header. is_default: shown at first.
    """

    key: str
    title: str
    width: int
    text: Callable[[PairTableRow], str]
    sort: SortColumn | None = None
    kind: ColumnKind = ColumnKind.TEXT
    _: KW_ONLY
    is_default: bool = True


def _marks(line: PairTableRow) -> str:
    marks = (("flagged", line.flagged), ("note", line.noted), ("differ", line.contested), ("corrected", line.edited))
    return ", ".join(word for word, is_set in marks if is_set)


def _status(line: PairTableRow) -> str:
    """The status in words; "" while nobody has answered."""
    return "" if line.status is PairStatus.OPEN else STATUSES[line.status]


def _percent(probability: float | None) -> str:
    return "" if probability is None else chance(probability)


COLUMNS = (
    PairColumnDefinition("label", tr("Class"), 116, lambda line: line.label, SortColumn.LABEL, _LABEL),
    PairColumnDefinition("premise", tr("Premise"), 330, lambda line: line.premise, None, _SENTENCE),
    PairColumnDefinition("hypothesis", tr("Hypothesis"), 330, lambda line: line.hypothesis, None, _SENTENCE),
    PairColumnDefinition("phrase", tr("Phrase"), 112, lambda line: line.phrase, SortColumn.PHRASE),
    PairColumnDefinition(
        "direction",
        tr("Direction"),
        186,
        lambda line: DIRECTIONS[line.direction] if line.direction else "",
        is_default=False,
    ),
    PairColumnDefinition("kinds", tr("Kinds of reasoning"), 160, lambda line: ", ".join(line.kinds), is_default=False),
    PairColumnDefinition(
        "suggested", tr("Suggested"), 116, lambda line: line.suggested, SortColumn.SUGGESTED, _LABEL, is_default=False
    ),
    PairColumnDefinition(
        "confidence",
        tr("Confidence"),
        84,
        lambda line: _percent(line.confidence),
        SortColumn.CONFIDENCE,
        _NUMBER,
        is_default=False,
    ),
    PairColumnDefinition(
        "doubt", tr("Doubt"), 64, lambda line: _percent(line.doubt), SortColumn.DOUBT, _NUMBER, is_default=False
    ),
    PairColumnDefinition("status", tr("Status"), 100, _status, SortColumn.STATUS),
    PairColumnDefinition("marks", tr("Marks"), 76, _marks, None, ColumnKind.MARKS),
    PairColumnDefinition("domain", tr("Domain"), 120, lambda line: line.domain, SortColumn.DOMAIN),
    PairColumnDefinition("year", tr("Year"), 56, lambda line: str(line.year or ""), SortColumn.YEAR, _NUMBER),
    PairColumnDefinition("title", tr("Paper"), 200, lambda line: line.title, SortColumn.TITLE, is_default=False),
    PairColumnDefinition(
        "distant", tr("Distant label"), 116, lambda line: line.distant, SortColumn.DISTANT, _LABEL, is_default=False
    ),
    PairColumnDefinition(
        "gold", tr("Gold label"), 116, lambda line: line.gold, SortColumn.GOLD, _LABEL, is_default=False
    ),
    PairColumnDefinition(
        "strategy",
        tr("How it was mined"),
        140,
        lambda line: STRATEGIES[line.strategy],
        SortColumn.STRATEGY,
        is_default=False,
    ),
    PairColumnDefinition("split", tr("Split"), 64, lambda line: line.split, SortColumn.SPLIT, is_default=False),
    PairColumnDefinition("page", tr("Page"), 56, lambda line: str(line.page or ""), None, _NUMBER, is_default=False),
    PairColumnDefinition(
        "premise_words",
        tr("Premise words"),
        104,
        lambda line: str(line.premise_words),
        SortColumn.PREMISE_WORDS,
        _NUMBER,
        is_default=False,
    ),
    PairColumnDefinition(
        "hypothesis_words",
        tr("Hypothesis words"),
        120,
        lambda line: str(line.hypothesis_words),
        SortColumn.HYPOTHESIS_WORDS,
        _NUMBER,
        is_default=False,
    ),
    PairColumnDefinition(
        "overlap",
        tr("Word overlap"),
        72,
        lambda line: f"{line.overlap} %",
        SortColumn.OVERLAP,
        _NUMBER,
        is_default=False,
    ),
    PairColumnDefinition(
        "flags", tr("Mining note"), 180, lambda line: ", ".join(FLAGS[flag] for flag in line.flags), is_default=False
    ),
)
