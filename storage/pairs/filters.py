"""What can be asked of pairs, and how they can be sorted; `storage.pairs.query` makes SQL of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from miner import codec
from miner.records import HypothesisTrait, PairFlag, Strategy

Range = tuple[int | None, int | None]  # (minimum, maximum), both included; None: no limit

_SEARCH_TOKEN = re.compile(r'"([^"]*)"?|([^\s"]+)')  # a phrase in quotation marks, or a word
_ENDS_IN_WORD_PREFIX = re.compile(r"\w{3}$")  # FTS5 takes a second to find all words with a prefix of two letters
_MAX_SEARCH_LENGTH = 1000  # characters
MAX_RANGE_VALUE = 2**31 - 1  # SQLite can compare it, and no count of words, percent or year is larger
ANY_KIND = "any"  # in `kinds_differ`: about any category
SUGGESTION_FIELDS = ("suggested", "confidence", "doubt", "suggestion_agrees")  # the fields about suggestions
_ANNOTATION_FIELDS = (  # the fields whose values change with answers and marks
    "labels",
    "gold",
    "statuses",
    "annotators",
    "differing",
    "flagged",
    "noted",
    "tags",
    "contested",
    "disagrees",
    "suggestion_agrees",
    "accepted",
    "edited",
    "kinds",
    "direction",
    "kinds_differ",
    "kinds_answered",
)


class PairStatus(StrEnum):
    """The status that follows from answers and marks, see `storage.pairs.status`.

    OPEN: nobody answered. SETTLED: most annotators gave the same label. UNSETTLED: they did not, or found it unclear.
    DISCARDED: they gave the same label, which the rule of gold does not accept, as it is not the distant label.
    BAD: marked as bad. GONE: no longer mined, and kept only because somebody annotated it.
    """

    OPEN = "open"
    SETTLED = "settled"
    UNSETTLED = "unsettled"
    DISCARDED = "discarded"
    BAD = "bad"
    GONE = "gone"


JUDGED = frozenset((PairStatus.SETTLED, PairStatus.UNSETTLED, PairStatus.DISCARDED))
"""The statuses of current pairs that people have answered, but for bad ones."""
NOT_BAD = JUDGED | {PairStatus.OPEN}
"""The statuses of current pairs that are not marked as bad."""


class SortColumn(StrEnum):
    """What pairs can be sorted by. PAPER: by paper, then in reading order."""

    PAPER = "paper"
    LABEL = "label"
    DISTANT = "distant"
    GOLD = "gold"
    STATUS = "status"
    STRATEGY = "strategy"
    PHRASE = "phrase"
    DOMAIN = "domain"
    YEAR = "year"
    TITLE = "title"
    SPLIT = "split"
    PREMISE_WORDS = "premise_words"
    HYPOTHESIS_WORDS = "hypothesis_words"
    OVERLAP = "overlap"
    SUGGESTED = "suggested"
    CONFIDENCE = "confidence"
    DOUBT = "doubt"


class PairOrder(NamedTuple):
    """Sorted by `column`, then by paper and reading order. `descending` reverses the first, not the second."""

    column: SortColumn = SortColumn.PAPER
    descending: bool = False


@dataclass(frozen=True, slots=True)
class PairFilter:
    """The pairs that meet all of these conditions. The default has none: it stands for all pairs that are still mined.

    A set means "one of these", with "" for pairs without a value. An empty set, None and "" are no condition.

    text: words in either sentence, see `full_text_query`.
    labels: the label in an export: the gold label of settled pairs, the distant label of open ones.
    distant: the label that the phrase or strategy gave. gold: the label that people agree on and the rule accepts.
    statuses: bad pairs are included unless this excludes them, pairs no longer mined only if it has GONE.
    papers: MD5s. annotators: those with an answer that was not withdrawn.
    differing: two or more of these annotators gave different answers, not counting accepted suggestions.
    rounds: the numbers of annotation rounds. lists: names of lists of pairs. outside_lists: in none of these lists.
    cells: keys of cells of experiments, for the pairs that one of them is tested on. misread: of those that a cell has
    predictions for, the ones whose class it predicts wrongly, or rightly; without `cells`, of all experiments.
    predicted: the names of the classes that one of these cells predicts, "" where it gave no answer.
    tags: why systems err on the pair, as somebody who read it says.
    contested: annotators gave different answers. disagrees: people agree on another label than the distant one.
    words: of both sentences. overlap: percent of the hypothesis' words that are in the premise.
    suggested: the label of the current suggestion. confidence, doubt: of this suggestion, in percent.
    suggestion_agrees: the suggested label is the label in an export.
    accepted: all answers are accepted suggestions.
    edited: a person has mended a sentence.
    traits: what can be seen of the hypothesis, such as a capital at its start.
    kinds: categories that at least half of those tick who answered about kinds of reasoning. kinds_differ: those that
    some tick and others do not; `ANY_KIND` for any. kinds_answered: somebody has said which kinds the pair has.
    direction: which sentence gives the other, as most people say, else by the phrase: `miner.kinds.taxonomy.Direction`.
    """

    text: str = ""
    labels: frozenset[str] = frozenset()
    distant: frozenset[str] = frozenset()
    gold: frozenset[str] = frozenset()
    statuses: frozenset[PairStatus] = frozenset()
    strategies: frozenset[Strategy] = frozenset()
    phrases: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    journals: frozenset[str] = frozenset()
    years: Range | None = None
    splits: frozenset[str] = frozenset()
    papers: frozenset[str] = frozenset()
    flags: frozenset[PairFlag] = frozenset()
    flagged: bool | None = None
    noted: bool | None = None
    tags: frozenset[str] = frozenset()
    annotators: frozenset[str] = frozenset()
    differing: frozenset[str] = frozenset()
    rounds: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    outside_lists: frozenset[str] = frozenset()
    cells: frozenset[str] = frozenset()
    misread: bool | None = None
    predicted: frozenset[str] = frozenset()
    contested: bool | None = None
    disagrees: bool | None = None
    words: Range | None = None
    premise_words: Range | None = None
    hypothesis_words: Range | None = None
    overlap: Range | None = None
    suggested: frozenset[str] = frozenset()
    confidence: Range | None = None
    doubt: Range | None = None
    suggestion_agrees: bool | None = None
    accepted: bool | None = None
    edited: bool | None = None
    traits: frozenset[HypothesisTrait] = frozenset()
    kinds: frozenset[str] = frozenset()
    kinds_differ: frozenset[str] = frozenset()
    kinds_answered: bool | None = None
    direction: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        words = (self.words, self.premise_words, self.hypothesis_words)
        ranges = (*words, self.years, self.overlap, self.confidence, self.doubt)
        if any(limit is not None and abs(limit) > MAX_RANGE_VALUE for limits in ranges for limit in limits or ()):
            raise ValueError("a limit is too large")

    def to_data(self) -> dict[str, Any]:
        """Data for JSON, for `codec.from_data` to read: the conditions only, so that the default is {}."""
        return {name: value for name, value in codec.to_data(self).items() if value not in ("", [], None)}


def with_value(filter: PairFilter, field: str, value: object) -> PairFilter:
    """The filter with another value in one field. None stands for the default, which is no condition."""
    changed: dict[str, Any] = {field: getattr(PairFilter(), field) if value is None else value}
    return replace(filter, **changed)


def depends_on_annotations(filter: PairFilter, order: PairOrder) -> bool:
    """Whether an answer or a mark can change the filter's pairs or their order."""
    return order.column in (SortColumn.LABEL, SortColumn.GOLD, SortColumn.STATUS) or _has_condition(
        filter, _ANNOTATION_FIELDS
    )


def depends_on_suggestions(filter: PairFilter, order: PairOrder) -> bool:
    """Whether a new suggestion can change the filter's pairs or their order."""
    return order.column in (SortColumn.SUGGESTED, SortColumn.CONFIDENCE, SortColumn.DOUBT) or _has_condition(
        filter, SUGGESTION_FIELDS
    )


DISCARDED_PAIRS = PairFilter(statuses=frozenset((PairStatus.DISCARDED,)))
"""Those that the rule of gold discards."""


def _has_condition(filter: PairFilter, fields: Iterable[str]) -> bool:
    default = PairFilter()
    return any(getattr(filter, field) != getattr(default, field) for field in fields)


def full_text_query(text: str) -> str:
    """The FTS5 query for a search text: all its words and "quoted phrases"; "" if it has none.

    The last word also matches words that begin with it, if it has at least three letters and no space follows. FTS5's
    own operators are taken as plain words; words without a letter or digit are ignored.
    """
    text = text.replace("\0", " ")[:_MAX_SEARCH_LENGTH]
    tokens = [(phrase or word, bool(word)) for phrase, word in _SEARCH_TOKEN.findall(text)]
    tokens = [(token, is_word) for token, is_word in tokens if any(map(str.isalnum, token))]
    if not tokens:
        return ""
    prefix_mark = "*" if tokens[-1][1] and _ENDS_IN_WORD_PREFIX.search(text) else ""
    return " ".join(f'"{token}"' for token, _ in tokens) + prefix_mark
