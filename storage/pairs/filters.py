"""Which pairs are meant, and in which order: what the table shows, Review asks for and Export writes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from miner import codec
from miner.records import PairFlag, Strategy

Range = tuple[int | None, int | None]  # both ends included; None: no limit on that side

_SEARCH_TOKEN = re.compile(r'"([^"]*)"?|([^\s"]+)')  # a phrase in quotation marks, or a word
_ENDS_IN_WORD_PREFIX = re.compile(r"\w{3}$")  # of two letters FTS5 would gather a second's worth of words
MAX_RANGE_VALUE = 2**31 - 1  # either end of a range; nothing that is counted comes near, and SQLite takes it
_MAX_SEARCH_LENGTH = (
    1000  # characters of a search; nobody types more, and SQLite's parser is not asked to swallow a book
)
SUGGESTION_FIELDS = ("suggested", "confidence", "doubt", "suggestion_agrees")  # fields about the suggestion


class PairStatus(StrEnum):
    """What people made of a pair: `annotation.status`. GONE: no longer mined, kept because it was answered."""

    OPEN = "open"
    SETTLED = "settled"
    UNSETTLED = "unsettled"
    BAD = "bad"
    GONE = "gone"


class SortColumn(StrEnum):
    """What pairs can be ordered by. PAPER is the papers' order and within it that of reading."""

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
    """By `column`, ties by paper and place; `descending` turns the column, not the ties."""

    column: SortColumn = SortColumn.PAPER
    descending: bool = False


@dataclass(frozen=True, slots=True)
class PairFilter:
    """The pairs that all of this holds of; the default asks nothing, and means every pair that is still mined.

    A set asks for any of its members ("" is "none given"), an empty one for nothing. `labels` are what an export would
    say, `papers` are MD5s, `annotators` those whose answer holds now, `disagrees`: people say other than the phrase.
    `suggested` to `doubt` are of the shown suggestion, the latter two in percent (a pair without one has neither);
    `suggestion_agrees`: it says what an export would; `accepted`: nobody answered but by accepting a suggestion.
    `text` asks for all its words, the last one begun, and for "phrases"; see `full_text_query`. Bad pairs are in unless
    `statuses` leaves them out, those no longer mined only with `PairStatus.GONE`.
    """

    text: str = ""
    labels: frozenset[str] = frozenset()
    distant: frozenset[str] = frozenset()
    gold: frozenset[str] = frozenset()
    statuses: frozenset[PairStatus] = frozenset()
    strategies: frozenset[Strategy] = frozenset()
    phrases: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    years: Range | None = None
    splits: frozenset[str] = frozenset()
    papers: frozenset[str] = frozenset()
    flags: frozenset[PairFlag] = frozenset()
    flagged: bool | None = None
    noted: bool | None = None
    annotators: frozenset[str] = frozenset()
    contested: bool | None = None
    disagrees: bool | None = None
    premise_words: Range | None = None
    hypothesis_words: Range | None = None
    overlap: Range | None = None
    suggested: frozenset[str] = frozenset()
    confidence: Range | None = None
    doubt: Range | None = None
    suggestion_agrees: bool | None = None
    accepted: bool | None = None

    def __post_init__(self) -> None:
        limits = (self.years, self.premise_words, self.hypothesis_words, self.overlap, self.confidence, self.doubt)
        if any(end is not None and abs(end) > MAX_RANGE_VALUE for ends in limits for end in ends or ()):
            raise ValueError("a limit is too large")

    def to_data(self) -> dict[str, Any]:
        """For JSON, as `codec.from_data` takes it: only what is asked, so that an empty filter is {}."""
        return {name: value for name, value in codec.to_data(self).items() if value not in ("", [], None)}


def with_value(filter: PairFilter, field: str, value: object) -> PairFilter:
    """The filter with another value in one of its fields, None for the one that asks nothing."""
    changed: dict[str, Any] = {field: getattr(PairFilter(), field) if value is None else value}
    return replace(filter, **changed)


def depends_on_annotations(filter: PairFilter, order: PairOrder) -> bool:
    """Whether an answer or a mark can change which pairs these are, or their order."""
    by_people = {"labels", "gold", "statuses", "annotators", "flagged", "noted", "contested", "disagrees"}
    by_people |= {"suggestion_agrees", "accepted"}
    empty = PairFilter()
    return order.column in (SortColumn.LABEL, SortColumn.GOLD, SortColumn.STATUS) or any(
        getattr(filter, field) != getattr(empty, field) for field in by_people
    )


def depends_on_suggestions(filter: PairFilter, order: PairOrder) -> bool:
    """Whether a suggestion can change which pairs these are, or their order."""
    empty = PairFilter()
    return order.column in (SortColumn.SUGGESTED, SortColumn.CONFIDENCE, SortColumn.DOUBT) or any(
        getattr(filter, field) != getattr(empty, field) for field in SUGGESTION_FIELDS
    )


def full_text_query(text: str) -> str:
    """What was typed as an FTS5 query for all words and "phrases", the last word being a beginning; "" for none.

    Nothing typed is taken for FTS5's own syntax, and words without letters or digits are left out. A last word of two
    letters stands for itself.
    """
    text = text.replace("\0", " ")[:_MAX_SEARCH_LENGTH]
    pieces = [(phrase or word, bool(word)) for phrase, word in _SEARCH_TOKEN.findall(text)]
    pieces = [(piece, is_word) for piece, is_word in pieces if any(map(str.isalnum, piece))]
    if not pieces:
        return ""
    begun = "*" if pieces[-1][1] and _ENDS_IN_WORD_PREFIX.search(text) else ""
    return " ".join(f'"{piece}"' for piece, _ in pieces) + begun
