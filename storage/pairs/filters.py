"""The conditions by which pairs are filtered, and their orders; `storage.pairs.query` compiles them to SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from enum import Enum, Flag, StrEnum, auto
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from miner import codec
from miner.kinds.taxonomy import Direction
from miner.records import HypothesisTrait, Label, PairFlag, Strategy
from miner.splits import SPLITS

Range = tuple[int | None, int | None]  # (minimum, maximum), both included; None: no limit

_SEARCH_TOKEN = re.compile(r'"([^"]*)"?|([^\s"]+)')  # a phrase in quotation marks, or a word
_ENDS_IN_WORD_PREFIX = re.compile(r"\w{3}$")  # FTS5 takes a second to find all words with a prefix of two letters
_MAX_SEARCH_LENGTH = 1000  # characters
MAX_RANGE_VALUE = 2**31 - 1  # SQLite can compare it, and no count of words, percent or year is larger
ANY_KIND = "any"  # in `kinds_differ`: about any category


class PairStatus(StrEnum):
    """The status that follows from answers and marks, see `storage.pairs.judgement`.

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


_SORTED_BY_ANNOTATIONS = frozenset((SortColumn.LABEL, SortColumn.GOLD, SortColumn.STATUS))
_SORTED_BY_ANNOTATIONS |= {SortColumn.PREMISE_WORDS, SortColumn.HYPOTHESIS_WORDS, SortColumn.OVERLAP}
_SORTED_BY_SUGGESTIONS = frozenset((SortColumn.SUGGESTED, SortColumn.CONFIDENCE, SortColumn.DOUBT))


class PairOrder(NamedTuple):
    """Sorted by `column`, then by paper and reading order. `descending` reverses the first, not the second."""

    column: SortColumn = SortColumn.PAPER
    descending: bool = False


class ConditionKind(Enum):
    """What a condition asks for: words, one of several values, a number in a range, or whether something is so."""

    TEXT = auto()
    ONE_OF = auto()
    RANGE = auto()
    YES_NO = auto()


class ChangedBy(Flag):
    """What else than mining can change which pairs meet a condition: people's answers, marks and corrections,
    a suggestion, or an experiment."""

    NOTHING = 0
    ANNOTATIONS = auto()
    SUGGESTIONS = auto()
    EXPERIMENTS = auto()


class PassedOn(Enum):
    """Whether what a condition asks about is passed on with a manifest, so that its pairs are found again elsewhere.

    NUMBERED: it is, with numbers in place of names of people. IF_NONE: it is not, but the pairs may be the same, as the
    condition excludes pairs. NO: it is not.
    """

    YES = auto()
    NUMBERED = auto()
    IF_NONE = auto()
    NO = auto()


class PairCondition(NamedTuple):
    """A field of `PairFilter`. typed: its name in text, as in domain=psychology. values: all there are, () for any."""

    typed: str
    kind: ConditionKind
    passed_on: PassedOn
    values: tuple[str, ...] = ()
    changed_by: ChangedBy = ChangedBy.NOTHING


def _condition(default: Any, **declared: Any) -> Any:
    return field(default=default, metadata={"declared": PairCondition(**declared)})


def _one_of(
    typed: str, passed_on: PassedOn, changed_by: ChangedBy = ChangedBy.NOTHING, values: Iterable[str] = ()
) -> Any:
    return _condition(
        frozenset(),
        kind=ConditionKind.ONE_OF,
        typed=typed,
        passed_on=passed_on,
        changed_by=changed_by,
        values=tuple(values),
    )


def _in_range(typed: str, passed_on: PassedOn, changed_by: ChangedBy = ChangedBy.NOTHING) -> Any:
    return _condition(None, kind=ConditionKind.RANGE, typed=typed, passed_on=passed_on, changed_by=changed_by)


def _is_so(typed: str, passed_on: PassedOn, changed_by: ChangedBy = ChangedBy.NOTHING) -> Any:
    return _condition(None, kind=ConditionKind.YES_NO, typed=typed, passed_on=passed_on, changed_by=changed_by)


_PEOPLE, _MODEL, _LAB = ChangedBy.ANNOTATIONS, ChangedBy.SUGGESTIONS, ChangedBy.EXPERIMENTS
_YES, _NO = PassedOn.YES, PassedOn.NO
_LABELS = tuple(label.value for label in Label)


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

    text: str = _condition("", kind=ConditionKind.TEXT, typed="text", passed_on=_YES, changed_by=_PEOPLE)
    labels: frozenset[str] = _one_of("label", _YES, _PEOPLE, _LABELS)
    distant: frozenset[str] = _one_of("distant", _YES, values=_LABELS)
    gold: frozenset[str] = _one_of("gold", _YES, _PEOPLE, _LABELS)
    statuses: frozenset[PairStatus] = _one_of("status", _YES, _PEOPLE, PairStatus)
    strategies: frozenset[Strategy] = _one_of("strategy", _YES, values=Strategy)
    phrases: frozenset[str] = _one_of("phrase", _YES)
    domains: frozenset[str] = _one_of("domain", _YES)
    journals: frozenset[str] = _one_of("journal", _YES)
    years: Range | None = _in_range("year", _YES)
    splits: frozenset[str] = _one_of("split", _YES, values=SPLITS)
    papers: frozenset[str] = _one_of("paper", _YES)
    flags: frozenset[PairFlag] = _one_of("flag", _YES, values=PairFlag)
    flagged: bool | None = _is_so("flagged", _YES, _PEOPLE)
    noted: bool | None = _is_so("noted", _NO, _PEOPLE)
    tags: frozenset[str] = _one_of("tag", _NO, _PEOPLE)
    annotators: frozenset[str] = _one_of("annotator", PassedOn.NUMBERED, _PEOPLE)
    differing: frozenset[str] = _one_of("differing", PassedOn.NUMBERED, _PEOPLE)
    rounds: frozenset[str] = _one_of("round", _NO)
    lists: frozenset[str] = _one_of("list", _NO)
    outside_lists: frozenset[str] = _one_of("outside_list", PassedOn.IF_NONE)
    cells: frozenset[str] = _one_of("cell", _NO, _LAB)
    misread: bool | None = _is_so("misread", _NO, _LAB)
    predicted: frozenset[str] = _one_of("predicted", _NO, _LAB)
    contested: bool | None = _is_so("contested", _YES, _PEOPLE)
    disagrees: bool | None = _is_so("disagrees", _YES, _PEOPLE)
    words: Range | None = _in_range("words", _YES, _PEOPLE)
    premise_words: Range | None = _in_range("premise_words", _YES, _PEOPLE)
    hypothesis_words: Range | None = _in_range("hypothesis_words", _YES, _PEOPLE)
    overlap: Range | None = _in_range("overlap", _YES, _PEOPLE)
    suggested: frozenset[str] = _one_of("suggested", _YES, _MODEL, _LABELS)
    confidence: Range | None = _in_range("confidence", _YES, _MODEL)
    doubt: Range | None = _in_range("doubt", _YES, _MODEL)
    suggestion_agrees: bool | None = _is_so("agrees", _YES, _PEOPLE | _MODEL)
    accepted: bool | None = _is_so("accepted", _YES, _PEOPLE)
    edited: bool | None = _is_so("edited", _YES, _PEOPLE)
    traits: frozenset[HypothesisTrait] = _one_of("trait", _YES, _PEOPLE, HypothesisTrait)
    kinds: frozenset[str] = _one_of("kind", _YES, _PEOPLE)
    kinds_differ: frozenset[str] = _one_of("kinds_differ", _YES, _PEOPLE)
    kinds_answered: bool | None = _is_so("kinds_answered", _YES, _PEOPLE)
    direction: frozenset[str] = _one_of("direction", _YES, _PEOPLE, (*Direction, ""))

    def __post_init__(self) -> None:
        ranges = [getattr(self, name) for name, one in CONDITIONS.items() if one.kind is ConditionKind.RANGE]
        if any(limit is not None and abs(limit) > MAX_RANGE_VALUE for limits in ranges for limit in limits or ()):
            raise ValueError("a limit is too large")

    def to_data(self) -> dict[str, Any]:
        """Data for JSON, for `codec.from_data` to read: the conditions only, so that the default is {}."""
        return {name: value for name, value in codec.to_data(self).items() if value not in ("", [], None)}


CONDITIONS: dict[str, PairCondition] = {one.name: one.metadata["declared"] for one in fields(PairFilter)}
"""The conditions by field of `PairFilter`, in its order."""


def with_value(filter: PairFilter, field: str, value: object) -> PairFilter:
    """The filter with another value in one field. None stands for the default, which is no condition."""
    changed: dict[str, Any] = {field: getattr(PairFilter(), field) if value is None else value}
    return replace(filter, **changed)


def with_list_renamed(filter: PairFilter, name: str, new: str) -> PairFilter:
    """The filter with another name of a list of pairs, where it asks for this list."""

    def renamed(lists: frozenset[str]) -> frozenset[str]:
        return frozenset(new if one == name else one for one in lists)

    return replace(filter, lists=renamed(filter.lists), outside_lists=renamed(filter.outside_lists))


def depends_on_annotations(filter: PairFilter, order: PairOrder) -> bool:
    """Whether an answer, a mark or a corrected sentence can change the filter's pairs or their order."""
    return order.column in _SORTED_BY_ANNOTATIONS or ChangedBy.ANNOTATIONS in _changed_by(filter)


def depends_on_suggestions(filter: PairFilter, order: PairOrder) -> bool:
    """Whether a new suggestion can change the filter's pairs or their order."""
    return order.column in _SORTED_BY_SUGGESTIONS or ChangedBy.SUGGESTIONS in _changed_by(filter)


def depends_on_experiments(filter: PairFilter) -> bool:
    """Whether an experiment that is run, forgotten or brought back can change the filter's pairs."""
    return ChangedBy.EXPERIMENTS in _changed_by(filter)


DISCARDED_PAIRS = PairFilter(statuses=frozenset((PairStatus.DISCARDED,)))
"""The pairs that the rule of gold discards."""


def set_fields(filter: PairFilter) -> list[str]:
    """The fields with a condition."""
    default = PairFilter()
    return [name for name in CONDITIONS if getattr(filter, name) != getattr(default, name)]


def fields_passed_on(filter: PairFilter, *ways: PassedOn) -> list[str]:
    """The fields with a condition that is passed on in one of these ways."""
    return [name for name in set_fields(filter) if CONDITIONS[name].passed_on in ways]


def _changed_by(filter: PairFilter) -> ChangedBy:
    return reduce(or_, (CONDITIONS[name].changed_by for name in set_fields(filter)), ChangedBy.NOTHING)


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
