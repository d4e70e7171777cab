"""Which pairs are meant, and in which order: what the table shows, Review asks for and Export writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, NamedTuple

from miner.records import Flag, Strategy

_Ask = Callable[..., None]  # (term, *its parameters)
Range = tuple[int | None, int | None]  # both ends included; None: no limit on that side

_PIECES = re.compile(r'"([^"]*)"?|([^\s"]+)')  # a phrase in quotation marks, or a word
_LONGEST = 1000  # characters of a search; nobody types more, and SQLite's parser is not asked to swallow a book


class Status(StrEnum):
    """What people made of a pair: `storage.verdicts`. GONE: no longer mined, and only there because it was answered."""

    OPEN = "open"
    SETTLED = "settled"
    UNSETTLED = "unsettled"
    BAD = "bad"
    GONE = "gone"


class Column(StrEnum):
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


class Order(NamedTuple):
    """By `column`, ties by paper and place; `descending` turns the column, not the ties."""

    column: Column = Column.PAPER
    descending: bool = False


@dataclass(frozen=True, slots=True)
class PairFilter:
    """The pairs that all of this holds of; the default asks nothing, and means every pair that is still mined.

    A set asks for any of its members ("" is "none given"), an empty one for nothing. `labels` are what an export would
    say, `papers` are MD5s, `annotators` those whose answer holds now, `disagrees`: people say other than the phrase.
    `text` asks for all its words, the last one begun, and for "phrases"; see `match`. Bad pairs are in unless
    `statuses` leaves them out, those no longer mined only with `Status.GONE`.
    """

    text: str = ""
    labels: frozenset[str] = frozenset()
    distant: frozenset[str] = frozenset()
    gold: frozenset[str] = frozenset()
    statuses: frozenset[Status] = frozenset()
    strategies: frozenset[Strategy] = frozenset()
    phrases: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    years: Range | None = None
    splits: frozenset[str] = frozenset()
    papers: frozenset[str] = frozenset()
    flags: frozenset[Flag] = frozenset()
    flagged: bool | None = None
    noted: bool | None = None
    annotators: frozenset[str] = frozenset()
    contested: bool | None = None
    disagrees: bool | None = None
    premise_words: Range | None = None
    hypothesis_words: Range | None = None
    overlap: Range | None = None

    def to_json(self) -> str:
        """Only what is asked, so that an empty filter is `{}`."""
        asked = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in asked.items()}
        return json.dumps({name: value for name, value in plain.items() if value not in ("", [], None)})

    @classmethod
    def from_json(cls, text: str) -> PairFilter:
        """The filter `to_json` wrote; ValueError when it is none."""
        values = json.loads(text)
        if not isinstance(values, dict):
            raise ValueError("not a filter")
        try:
            return cls(**{name: _READERS[name](value) for name, value in values.items()})
        except (KeyError, TypeError) as exc:
            raise ValueError("not a filter") from exc


def match(text: str) -> str:
    """What was typed as an FTS5 query that asks for all words and "phrases", the last one as a prefix; "" for none.

    Nothing typed is taken for FTS5's own syntax, and words without letters or digits are left out.
    """
    text = text.replace("\0", " ")[:_LONGEST]
    pieces = [(phrase or word, bool(word)) for phrase, word in _PIECES.findall(text)]
    pieces = [(piece, is_word) for piece, is_word in pieces if any(map(str.isalnum, piece))]
    if not pieces:
        return ""
    _, is_word = pieces[-1]
    begun = "*" if is_word and text[-1:].isalnum() else ""
    return " ".join(f'"{piece}"' for piece, _ in pieces) + begun


def where(filter: PairFilter) -> tuple[str, list[str | int]]:
    """An SQL condition over `pairs` JOIN `papers`, and its parameters."""
    terms: list[str] = []
    parameters: list[str | int] = []

    def ask(term: str, *values: str | int) -> None:
        terms.append(term)
        parameters.extend(values)

    _ask_status(filter.statuses, ask)
    for column, values in (
        ("pairs.label", filter.labels),
        ("pairs.distant_label", filter.distant),
        ("pairs.gold", filter.gold),
        ("pairs.strategy", filter.strategies),
        ("pairs.phrase", filter.phrases),
        ("pairs.split", filter.splits),
        ("papers.domain", filter.domains),
        ("papers.md5", filter.papers),
    ):
        if values:
            _ask_member(column, sorted(values), ask)
    for column, wanted in (
        ("pairs.flagged", filter.flagged),
        ("pairs.noted", filter.noted),
        ("pairs.contested", filter.contested),
    ):
        if wanted is not None:
            ask(f"{column} = {int(wanted)}")
    for column, limits in (
        ("papers.year", filter.years),
        ("pairs.premise_words", filter.premise_words),
        ("pairs.hypothesis_words", filter.hypothesis_words),
        ("pairs.overlap", filter.overlap),
    ):
        low, high = limits or (None, None)
        if low is not None:
            ask(f"{column} >= ?", low)
        if high is not None:
            ask(f"{column} <= ?", high)
    if filter.flags:
        ask("(" + " OR ".join("instr(pairs.flags, ?)" for _ in filter.flags) + ")", *sorted(filter.flags))
    if filter.disagrees is not None:
        same = "IS NOT" if filter.disagrees else "IS"
        ask(f"pairs.gold IS NOT NULL AND pairs.distant_label IS NOT NULL AND pairs.gold {same} pairs.distant_label")
    if filter.annotators:
        marks = ", ".join("?" * len(filter.annotators))
        ask(
            "pairs.key IN (SELECT pair_key FROM (SELECT pair_key, new, max(id) FROM label_events "
            f"WHERE annotator IN ({marks}) GROUP BY annotator, pair_key) WHERE new IS NOT NULL)",
            *sorted(filter.annotators),
        )
    if query := match(filter.text):
        ask("pairs.id IN (SELECT rowid FROM pairs_text WHERE pairs_text MATCH ?)", query)
    return " AND ".join(terms), parameters


def _ask_status(statuses: frozenset[Status], ask: _Ask) -> None:
    still = sorted(statuses - {Status.GONE})
    if not statuses:
        ask("pairs.current = 1")
    elif not still:
        ask("pairs.current = 0")
    else:
        marks = ", ".join("?" * len(still))
        gone = "pairs.current = 0 OR " if Status.GONE in statuses else "pairs.current = 1 AND "
        ask(f"({gone}pairs.status IN ({marks}))", *still)


def _ask_member(column: str, values: list[str], ask: _Ask) -> None:
    given = [value for value in values if value]
    marks = ", ".join("?" * len(given))
    terms = [f"{column} IN ({marks})"] if given else []
    if "" in values:
        terms += [f"{column} IS NULL", f"{column} = ''"]
    ask("(" + " OR ".join(terms) + ")", *given)


def _range(value: Any) -> Range:
    low, high = value
    if not all(limit is None or type(limit) is int for limit in (low, high)):
        raise TypeError
    return low, high


def _typed(kind: type) -> Any:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError
        return value

    return read


def _set_of(kind: type[str]) -> Any:
    def read(value: Any) -> frozenset[str]:
        if type(value) is not list or not all(type(member) is str for member in value):
            raise TypeError
        return frozenset(map(kind, value))

    return read


_KINDS: dict[str, type[str]] = {"statuses": Status, "strategies": Strategy, "flags": Flag}
_READERS: dict[str, Any] = {  # from JSON, by field
    **{field.name: _set_of(_KINDS.get(field.name, str)) for field in fields(PairFilter)},
    "text": _typed(str),
    **dict.fromkeys(("flagged", "noted", "contested", "disagrees"), _typed(bool)),
    **dict.fromkeys(("years", "premise_words", "hypothesis_words", "overlap"), _range),
}
