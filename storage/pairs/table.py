"""Pairs as a table shows them: which there are in which order, their lines, and how many of each kind."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.records import Flag, Label, Strategy
from storage.errors import decoding
from storage.models import suggestion_queries
from storage.models.current_suggestions import JOINED, UNITS
from storage.pairs import facets
from storage.pairs.facets import FACETS, FLAGS, MARKS, PACKED
from storage.pairs.filters import SUGGESTED, Column, Order, PairFilter, Status, Term, match, terms, with_value
from storage.pairs.query import (
    ENUMERATED,
    GONE,
    JUDGED,
    OF_PAPERS,
    PAPERS_SORTED,
    USUAL,
    all_of,
    by_member,
    from_index,
    looked_up,
    order_by,
    with_limit,
    with_words,
)

_TOGETHER = 20_000  # characters read as numbers at a time, so that other threads have their turn
_FREQUENT = 20_000  # matches of a search; more are not looked up one by one
_LIKELY = 5_000  # of frequent matches; the first lines of a table are likely among them
_LABELS = tuple(label.value for label in Label)
_FEW = 5_000  # answers of an annotator; so few are looked up one by one


@dataclass(frozen=True, slots=True)
class PairLine:
    """A line of the table. `label` is what an export would say, `paper` an MD5; "" and None where there is nothing.

    `suggested` to `probabilities` are of the shown suggestion, as in `Suggestion`; `accepted`: see `PairFilter`.
    """

    id: int
    key: str
    premise: str
    hypothesis: str
    label: str
    distant: str
    gold: str
    status: Status
    strategy: Strategy
    phrase: str
    split: str
    domain: str
    year: int | None
    title: str
    paper: str
    page: int | None
    flags: tuple[Flag, ...]
    flagged: bool
    noted: bool
    contested: bool
    premise_words: int
    hypothesis_words: int
    overlap: int
    suggested: str = ""
    confidence: float | None = None
    doubt: float | None = None
    probabilities: tuple[float, ...] = ()
    accepted: bool = False


_LINES = f"""
    SELECT pairs.id, pairs.key, premise, hypothesis, pairs.label, distant_label, gold, iif(current, status, 'gone'),
        strategy, phrase, split, domain, year, title, md5, page, flags, flagged, noted, contested, premise_words,
        hypothesis_words, overlap, accepted, suggestions.label, confidence, doubt, contrasting, reasoning,
        entailment, neutral
    FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.id = wanted.value CROSS JOIN papers ON papers.id = paper_id
    LEFT JOIN {JOINED}
"""
_KEYS = "SELECT pairs.key FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.id = wanted.value"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a pair came from. `run` is the mining run's id; `source_label` what an imported file said."""

    hypothesis_original: str
    section: str
    parser: str
    parser_version: str
    run: str
    program: str
    source_id: str
    source_label: str


_PROVENANCE = """
    SELECT hypothesis_original, coalesce(sections.title, pairs.source ->> '$.section'), parser, parser_version,
        mining_runs.id, program, source_id, source_label
    FROM pairs JOIN papers ON papers.id = pairs.paper_id
    LEFT JOIN sections ON sections.paper_id = pairs.paper_id AND sections.ordinal = premise_section
    LEFT JOIN mining_runs ON mining_runs.number = run
    WHERE pairs.id = ?
"""


class Share(NamedTuple):
    """So many pairs have this value: a member of the field's set, True for marks, a year (None: not known)."""

    value: str | int | bool | None
    pairs: int
    title: str = ""  # of a paper


class BrowseStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ids(self, filter: PairFilter, order: Order = USUAL, limit: int | None = None) -> array[int]:
        """The filter's pairs in order, the first `limit` of them.

        With a text, PAPER is the order in which pairs were stored: nearly that of papers, and nothing to sort.
        """
        found = array("q")
        for query in self._queries(filter, order, limit):
            found = self._fetch(query)
            if len(found) == limit:
                break
        return found

    def count(self, filter: PairFilter) -> int:
        source = self.source(filter)
        if source is None:
            return 0
        return int(self._connection.exec_driver_sql(f"SELECT count(*) {source.sql}", source.parameters).scalar_one())

    def lines(self, ids: Sequence[int]) -> list[PairLine]:
        """The pairs of `ids` in this order, without those that are gone meanwhile."""
        return [_line(row) for row in self._connection.exec_driver_sql(_LINES, (json.dumps(list(ids)),)).all()]

    def keys(self, ids: Sequence[int]) -> list[str]:
        return list(self._connection.exec_driver_sql(_KEYS, (json.dumps(list(ids)),)).scalars())

    def provenance(self, id: int) -> Provenance:
        row = self._connection.exec_driver_sql(_PROVENANCE, (id,)).one()
        return Provenance(*(value or "" for value in row))

    def ids_of(self, keys: Sequence[str]) -> list[int]:
        query = "SELECT pairs.id FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.key = wanted.value"
        return list(self._connection.exec_driver_sql(query, (json.dumps(list(keys)),)).scalars())

    def shares(self, filter: PairFilter, field: str) -> list[Share]:
        """How the filter's pairs are spread over what `field` can ask for, most first; what it asks now is ignored.

        Years come in order; annotators are counted over all pairs.
        """
        filter = with_value(filter, field, None)
        if field == "annotators":
            return self._annotators()
        if (source := self.source(filter)) is None:
            return []
        if field in FACETS or field in MARKS or field in ("flags", "disagrees"):
            return self._packed_shares(source, field)
        if field in OF_PAPERS:
            return self._paper_shares(source, field)
        if field in ("suggested", "suggestion_agrees"):
            return self._suggestion_shares(filter, source, field)
        column = {"phrases": "phrase", "splits": "split"}[field]
        query = f"SELECT coalesce({column}, ''), count(*) {source.sql} GROUP BY 1 ORDER BY 2 DESC, 1"
        return [Share(value, count) for value, count in self._connection.exec_driver_sql(query, source.parameters)]

    def _fetch(self, query: Term) -> array[int]:
        """A million rows one by one would keep other threads from working for a second; one long text does not."""
        joined = f"SELECT group_concat(id) FROM ({query.sql})"
        text = self._connection.exec_driver_sql(joined, query.parameters).scalar_one() or ""
        found = array("q")
        start = 0
        while start < len(text):
            end = text.find(",", start + _TOGETHER)
            end = len(text) if end < 0 else end
            found.extend(map(int, text[start:end].split(",")))
            start = end + 1
        return found

    def _packed_shares(self, source: Term, field: str) -> list[Share]:
        tests: dict[str | bool, str] = {}
        if facet := FACETS.get(field):
            members = (*facet.members, "") if facet.first else facet.members
            tests = {member: f"{facet.sql} = {facet.number(member)}" for member in members}
        elif field == "flags":
            tests = {flag: f"({PACKED}) & {bit} != 0" for flag, bit in FLAGS.items()}
        elif field in MARKS:
            tests = {wanted: f"({PACKED}) & {MARKS[field]} = {MARKS[field] * wanted}" for wanted in (True, False)}
        else:
            asked = {wanted: facets.conditions(PairFilter(disagrees=wanted)) or [] for wanted in (True, False)}
            tests = {wanted: " AND ".join(asked[wanted]) for wanted in (True, False)}
        sums = ", ".join(f"total({test})" for test in tests.values())
        row = self._connection.exec_driver_sql(f"SELECT {sums} {source.sql}", source.parameters).one()
        found = [Share(value, int(count)) for value, count in zip(tests, row, strict=True)]
        if field == "statuses":
            gone = "SELECT count(*) FROM pairs WHERE current = 0"
            found.append(Share(Status.GONE, int(self._connection.exec_driver_sql(gone).scalar_one())))
        return [share for share in found if share.pairs]

    def _paper_shares(self, source: Term, field: str) -> list[Share]:
        query = f"SELECT paper_id, count(*) {source.sql} GROUP BY paper_id"
        counts = {row[0]: row[1] for row in self._connection.exec_driver_sql(query, source.parameters)}
        papers = self._connection.exec_driver_sql("SELECT id, md5, title, domain, year FROM papers").all()
        if field == "papers":
            found = [Share(row.md5, counts[row.id], row.title) for row in papers if row.id in counts]
            return sorted(found, key=lambda share: -share.pairs)
        values: Counter[str | int | None] = Counter()
        for row in papers:
            values[row.domain if field == "domains" else row.year] += counts.get(row.id, 0)
        shares = [Share(value, count) for value, count in values.most_common() if count]
        if field == "years":
            shares.sort(key=lambda share: (share.value is None, share.value or 0))
        return shares

    def _suggestion_shares(self, filter: PairFilter, source: Term, field: str) -> list[Share]:
        values: list[tuple[str | bool, PairFilter]] = [
            (label, replace(filter, suggested=frozenset([label]))) for label in (*_LABELS, "")
        ]
        if field == "suggestion_agrees":
            values = [(wanted, replace(filter, suggestion_agrees=wanted)) for wanted in (True, False)]
        tests = ", ".join(f"total({suggestion_queries.conditions(asked)[0].sql})" for _, asked in values)
        row = self._connection.exec_driver_sql(f"SELECT {tests} {source.sql}", source.parameters).one()
        counts = zip((value for value, _ in values), row, strict=True)
        return [Share(value, int(count)) for value, count in counts if count]

    def _annotators(self) -> list[Share]:
        query = "SELECT annotator, count(DISTINCT pair_key) FROM label_events GROUP BY 1 ORDER BY 2 DESC"
        return [Share(name, count) for name, count in self._connection.exec_driver_sql(query)]

    def source(self, filter: PairFilter) -> Term | None:
        """FROM and WHERE, once, of all pairs the filter means, by the index alone; None when there are none."""
        asked = self._asked(filter)
        papers = self._papers(filter, USUAL)
        if asked is None or papers == []:
            return None
        asked += suggestion_queries.conditions(filter)
        if query := match(filter.text):
            asked.append(Term("pairs.id IN (SELECT rowid FROM pairs_text WHERE pairs_text MATCH ?)", (query,)))
        return from_index(papers, asked)

    def _queries(self, filter: PairFilter, order: Order, limit: int | None) -> list[Term]:
        """Queries for the ids, each next one to be asked when the one before found fewer than `limit`."""
        asked = self._asked(filter, first=limit is not None)
        papers = self._papers(filter, order)
        if asked is None or papers == []:
            return []
        words = match(filter.text)
        if order.column in suggestion_queries.COLUMNS:
            return self._by_suggestion(filter, asked, papers, order, limit)
        if not words and suggestion_queries.needed(filter) and self._few(suggestion_queries.named(filter)):
            return [
                looked_up(
                    suggestion_queries.named(filter),
                    suggestion_queries.rest(filter, asked),
                    papers,
                    order,
                    limit,
                    as_stored=False,
                )
            ]
        asked += suggestion_queries.conditions(filter)
        if not words and order.column in ENUMERATED:
            return [by_member(filter, asked, papers, order, limit)]
        if not words:
            source = from_index(papers, asked)
            tail = order_by(order, listed=papers is not None)
            return [with_limit(f"SELECT pairs.id AS id {source.sql} {tail}", source.parameters, limit)]
        return self._searches(words, filter, asked, papers, order, limit)

    def _by_suggestion(
        self, filter: PairFilter, asked: list[Term], papers: list[int] | None, order: Order, limit: int | None
    ) -> list[Term]:
        words = match(filter.text)
        if words:
            asked.append(Term("pairs.id IN (SELECT rowid FROM pairs_text WHERE pairs_text MATCH ?)", (words,)))
        every = suggestion_queries.every(filter, asked, papers, order, limit)
        if limit is None:
            return [every]
        if order.column is Column.SUGGESTED:
            return [suggestion_queries.first_by_label(filter, asked, papers, order, limit)]
        if words:
            return [every]
        pairs = from_index(papers, asked)
        if self._few(Term(f"SELECT 1 {pairs.sql}", pairs.parameters)):
            return [every]
        return [suggestion_queries.first(filter, asked, papers, order, limit), every]

    def _few(self, query: Term) -> bool:
        """So few rows that looking at what belongs to each is quick."""
        counted = f"SELECT count(*) FROM ({query.sql} LIMIT ?)"
        found = self._connection.exec_driver_sql(counted, (*query.parameters, _FREQUENT + 1)).scalar_one()
        return bool(found <= _FREQUENT)

    def _searches(
        self,
        words: str,
        filter: PairFilter,
        asked: list[Term],
        papers: list[int] | None,
        order: Order,
        limit: int | None,
    ) -> list[Term]:
        stored = order.column is Column.PAPER
        turn = "DESC" if order.descending else ""
        if stored and papers is None and filter == PairFilter(text=filter.text):
            query = f"""
                SELECT rowid AS id FROM pairs_text
                WHERE pairs_text MATCH ? AND rowid NOT IN (SELECT id FROM pairs INDEXED BY pairs_gone WHERE current = 0)
                ORDER BY rowid {turn}
            """
            return [with_limit(query, (words,), limit)]
        matches = "SELECT 1 FROM pairs_text WHERE pairs_text MATCH ? LIMIT ?"
        probe = self._connection.exec_driver_sql(f"SELECT count(*) FROM ({matches})", (words, _FREQUENT + 1))
        if probe.scalar_one() <= _FREQUENT:
            return [looked_up(with_words(words, order, _FREQUENT), asked, papers, order, limit)]
        if not stored:
            source = from_index(
                papers, [*asked, Term("pairs.id IN (SELECT rowid FROM pairs_text WHERE pairs_text MATCH ?)", (words,))]
            )
            tail = order_by(order, listed=papers is not None)
            return [with_limit(f"SELECT pairs.id AS id {source.sql} {tail}", source.parameters, limit)]
        source = from_index(papers, asked)
        query = f"""
            SELECT rowid AS id FROM pairs_text
            WHERE pairs_text MATCH ? AND +rowid IN (SELECT pairs.id {source.sql}) ORDER BY rowid {turn}
        """
        found = [with_limit(query, (words, *source.parameters), limit)]
        if limit is not None:
            found.insert(0, looked_up(with_words(words, order, _LIKELY), asked, papers, order, limit))
        return found

    def _asked(self, filter: PairFilter, *, first: bool = False) -> list[Term] | None:
        """What is asked of the pairs themselves but for the text and suggestions; None when nothing can be so."""
        packed = facets.conditions(filter)
        if packed is None:
            return None
        handled = facets.FIELDS | {"text", "annotators", *OF_PAPERS, *SUGGESTED}
        rest = chain.from_iterable(found for field, found in terms(filter).items() if field not in handled)
        few = [JUDGED] if facets.is_judged(filter) else [GONE] if filter.statuses == {Status.GONE} else []
        return [*few, *map(Term, packed), *rest, *self._answered_by(filter.annotators, first)]

    def _answered_by(self, annotators: frozenset[str], first: bool) -> list[Term]:
        """Who answered: looked up for each pair when only the `first` are wanted of many, else gathered before."""
        if not annotators:
            return []
        names = tuple(sorted(annotators))
        among = f"annotator IN ({', '.join('?' * len(names))})"
        probe = f"SELECT count(*) FROM (SELECT 1 FROM label_events WHERE {among} LIMIT ?)"
        if not first or self._connection.exec_driver_sql(probe, (*names, _FEW + 1)).scalar_one() <= _FEW:
            query = f"""
                SELECT answered.id FROM (
                    SELECT pair_key, new, max(id) FROM label_events WHERE {among} GROUP BY annotator, pair_key
                ) AS latest CROSS JOIN pairs AS answered ON answered.key = latest.pair_key WHERE new IS NOT NULL
            """
            return [Term(f"pairs.id IN ({query})", names)]
        query = f"""
            SELECT 1 FROM label_events e WHERE e.pair_key = pairs.key AND e.{among} AND e.new IS NOT NULL AND e.id = (
                SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator
            )
        """
        return [Term(FACETS["statuses"].sql), Term(f"EXISTS ({query})", names)]

    def _papers(self, filter: PairFilter, order: Order) -> list[int] | None:
        """The papers whose pairs are meant, in order; None when all are, in that of their ids."""
        found = terms(filter)
        asked = [term for field in OF_PAPERS for term in found.get(field, [])]
        if not asked and (order.column not in PAPERS_SORTED or order.column is Column.PAPER):
            return None
        by = PAPERS_SORTED.get(order.column, "papers.id").format("DESC" if order.descending else "")
        condition = all_of(asked)
        query = f"SELECT id FROM papers WHERE {condition.sql} ORDER BY {by}, papers.id"
        return list(self._connection.exec_driver_sql(query, condition.parameters).scalars())


@decoding()
def _line(row: Any) -> PairLine:
    """Of a row of `_LINES`: its columns are the fields, in order, but for what SQLite has no type for."""
    id, key, premise, hypothesis, label, distant, gold, status, strategy, phrase, split, *paper, page, flags = row[:17]
    flagged, noted, contested, premise_words, hypothesis_words, overlap = row[17:23]
    accepted, suggested, confidence, doubt, *probabilities = row[23:]
    domain, year, title, md5 = paper
    suggestion = ("" if suggested is None else _LABELS[suggested], _share(confidence), _share(doubt))
    return PairLine(
        *(id, key, premise, hypothesis, label or "", distant or "", gold or "", Status(status), Strategy(strategy)),
        *(phrase or "", split or "", domain, year, title, md5, page, _flags(flags)),
        *(bool(flagged), bool(noted), bool(contested), premise_words, hypothesis_words, overlap),
        *suggestion,
        probabilities=tuple(number / UNITS for number in probabilities if number is not None),
        accepted=bool(accepted),
    )


def _share(stored: int | None) -> float | None:
    return None if stored is None else stored / UNITS


@lru_cache(maxsize=32)
def _flags(stored: str) -> tuple[Flag, ...]:
    return tuple(map(Flag, json.loads(stored)))
