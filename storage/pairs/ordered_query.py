"""Compiles a `PairFilter` and a `PairOrder` into SQL for pair ids in this order.

Sorting a million pairs takes a second, so most orders avoid it:

- Paper: the index `pairs_in_order` has this order.
- Domain, year, title: the few papers are sorted, then their pairs are read paper by paper; the first pairs are probably
  of the first thousand papers.
- Label, distant label, gold label, status, strategy, suggested label: one query for each value, one after another
  (UNION ALL).
- Confidence, doubt: the first pairs are probably among the first of an index on suggestions. If they are not enough, a
  second statement sorts all pairs.
- A search: pairs in the order of the full-text index. Of frequent words, the first matches are tried first. For the
  first pairs, the beginning of a word is searched as the words that begin so (`storage.pairs.word_prefixes`).
- The first pairs of domains, journals or years, by paper: papers are read as far as the last of these pairs.

Phrase, split and lengths are sorted. Pairs without a value come last in either direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from miner.records import Label
from storage.pairs import current_suggestions
from storage.pairs.facets import FACETS
from storage.pairs.filters import PairFilter, PairOrder, PairStatus, SortColumn, full_text_query
from storage.pairs.query import (
    MAX_CANDIDATES,
    PAPER_FIELDS,
    PairQueryCompiler,
    agreement_conditions,
    candidate_lookup,
    index_scan,
    paper_id_conditions,
    suggestion_candidates,
    suggestion_conditions,
    text_candidates,
    text_conditions,
)
from storage.sql import Query, SqlClause, limit_statement

DEFAULT_ORDER = PairOrder()
_FIRST_MATCHES = 5_000  # pairs with frequent words that are tried before all of them
_FIRST_PAPERS = 1_000  # by domain, year or title, whose pairs are tried before those of all papers
_FIRST_SUGGESTIONS = 20_000  # suggestions, by confidence or doubt, that are tried before all of them

_FACET_COLUMNS = {  # the field of `PairFilter` by column
    SortColumn.LABEL: "labels",
    SortColumn.DISTANT: "distant",
    SortColumn.GOLD: "gold",
    SortColumn.STATUS: "statuses",
    SortColumn.STRATEGY: "strategies",
}
_SUGGESTION_COLUMNS = {SortColumn.CONFIDENCE: "confidence", SortColumn.DOUBT: "doubt"}  # columns of `suggestions`
_PAIR_SORT_KEYS = {  # SQL over `pairs`
    **{column: FACETS[field].sql for column, field in _FACET_COLUMNS.items()},
    SortColumn.PHRASE: "pairs.phrase",
    SortColumn.SPLIT: "pairs.split",
    SortColumn.PREMISE_WORDS: "pairs.premise_words",
    SortColumn.HYPOTHESIS_WORDS: "pairs.hypothesis_words",
    SortColumn.OVERLAP: "pairs.overlap",
}
_PAPER_SORT_KEYS = {  # SQL over `papers`, with a place for the direction
    SortColumn.DOMAIN: "papers.domain = '', papers.domain COLLATE NOCASE {}",
    SortColumn.YEAR: "papers.year IS NULL, papers.year {}",
    SortColumn.TITLE: "papers.title = '', papers.title COLLATE NOCASE {}",
    SortColumn.PAPER: "papers.id {}",
}


class OrderedPairQuery:
    """The ids of the first `limit` pairs of a filter (None: of all) in an order, as SQL statements."""

    def __init__(self, compiler: PairQueryCompiler, filter: PairFilter, order: PairOrder, limit: int | None) -> None:
        self._compiler = compiler
        self._filter = filter
        self._order = order
        self._limit = limit
        self._conditions = compiler.pair_conditions(filter, first_only=limit is not None)
        # By MD5 they are few, and looked up at once.
        self._looks_for_papers = not filter.papers and any(getattr(filter, field) for field in PAPER_FIELDS)

    @cached_property
    def _paper_ids(self) -> list[int] | None:
        """The papers in the order, as `paper_ids` of the compiler; for the first pairs it need not be known."""
        return self._compiler.paper_ids(self._filter, _paper_sort_key(self._filter, self._order))

    def statements(self) -> Iterator[SqlClause]:
        """Statements for the ids, one if there is no limit. If one gives fewer than `limit`, run the next one instead.

        With a search text, PAPER is the order in which pairs were stored, which is nearly that of the papers.
        """
        filter = self._filter
        if self._order.column in (*_SUGGESTION_COLUMNS, SortColumn.SUGGESTED):
            yield from self._by_suggestion([*self._conditions, *text_conditions(filter)])
        elif words := full_text_query(filter.text):
            yield from self._with_words(words, [*self._conditions, *suggestion_conditions(filter)])
        else:
            yield from self._without_words()

    def _without_words(self) -> Iterator[SqlClause]:
        filter, column = self._filter, self._order.column
        if current_suggestions.requires_suggestion(filter):
            candidates = suggestion_candidates(filter)
            if self._compiler.are_few(candidates):
                conditions = [*self._conditions, *self._of_papers(), *agreement_conditions(filter)]
                yield self._first_ids(_sorted(candidate_lookup(candidates, conditions), self._order))
                return
        conditions = [*self._conditions, *suggestion_conditions(filter)]
        if column in _FACET_COLUMNS:
            yield self._by_facet(conditions)
            return
        if self._limit is not None and column in _PAPER_SORT_KEYS and column is not SortColumn.PAPER:
            papers = self._compiler.paper_ids(filter, _paper_sort_key(filter, self._order), _FIRST_PAPERS)
            yield self._first_ids(index_scan(papers, conditions))
        yield self._scan(conditions)

    def _of_papers(self) -> list[SqlClause]:
        """The condition that a pair that is looked up is of a paper that the filter asks for."""
        if self._limit is None:
            return paper_id_conditions(self._paper_ids)
        return self._compiler.paper_lookup(self._filter)

    def _scan(self, conditions: list[SqlClause]) -> SqlClause:
        return self._first_ids(self._index_scan(conditions, self._order))

    def _index_scan(self, conditions: list[SqlClause], order: PairOrder) -> Query:
        """The pairs that meet the conditions, in an order; by paper, DEFAULT_ORDER keeps that of `_paper_ids`."""
        if self._limit is not None and self._looks_for_papers and order.column is SortColumn.PAPER:
            scan = self._compiler.scan_of_papers(self._filter, conditions)
            return scan.order_by(f"papers.id {_direction(order)}, pairs.ordinal")
        return _sorted(index_scan(self._paper_ids, conditions), order, by_paper=self._paper_ids is not None)

    def _with_words(self, words: str, conditions: list[SqlClause]) -> Iterator[SqlClause]:
        """The pairs with the words (an FTS5 query) that meet the conditions."""
        if self._limit is not None:
            words = self._compiler.first_words(words)
        as_stored = self._order.column is SortColumn.PAPER
        matches = Query(SqlClause("pairs_text"), (SqlClause("pairs_text MATCH ?", (words,)),))
        matches = matches.order_by(f"rowid {_direction(self._order)}")
        if as_stored and self._filter == PairFilter(text=self._filter.text):
            gone = "SELECT id FROM pairs INDEXED BY pairs_gone WHERE pairs.current = 0"
            current = matches.and_where(SqlClause(f"rowid NOT IN ({gone})"))
            yield current.limit_to(self._limit).select("rowid AS id")
        elif self._compiler.are_few(text_candidates(words)):
            yield self._among_first_matches(matches.limit_to(MAX_CANDIDATES), conditions)
        elif not as_stored:
            yield self._scan([*conditions, *text_conditions(self._filter)])
        else:
            if self._limit is not None:
                yield self._among_first_matches(matches.limit_to(_FIRST_MATCHES), conditions)
            meeting = index_scan(self._paper_ids, conditions).select("pairs.id")
            every = matches.and_where(SqlClause(f"+rowid IN ({meeting.sql})", meeting.params))
            yield every.limit_to(self._limit).select("rowid AS id")

    def _among_first_matches(self, matches: Query, conditions: list[SqlClause]) -> SqlClause:
        lookup = candidate_lookup(matches.select("rowid AS id"), [*conditions, *self._of_papers()])
        if self._order.column is SortColumn.PAPER:
            return self._first_ids(lookup.order_by(f"candidates.id {_direction(self._order)}"))
        return self._first_ids(_sorted(lookup, self._order))

    def _by_facet(self, conditions: list[SqlClause]) -> SqlClause:
        """Ordered by a facet: the pairs of each value in turn."""
        field = _FACET_COLUMNS[self._order.column]
        facet = FACETS[field]
        members = facet.members[::-1] if self._order.descending else facet.members
        members = (*members, "") if facet.first_code else members
        if (wanted := getattr(self._filter, field)) and PairStatus.GONE not in wanted:
            members = tuple(member for member in members if member in wanted)
        values = [SqlClause(f"{facet.sql} = {facet.code(member)}") for member in members]
        return self._one_after_another([*conditions, value] for value in values)

    def _by_suggestion(self, conditions: list[SqlClause]) -> Iterator[SqlClause]:
        if self._limit is not None:
            if self._order.column is SortColumn.SUGGESTED:
                yield self._by_suggested_label(conditions)
                return
            scan = index_scan(self._paper_ids, conditions)
            if not (full_text_query(self._filter.text) or self._compiler.are_few(scan.select("1"))):
                yield self._first_ids(self._among_first_suggestions(conditions))
        yield self._first_ids(self._sorted_by_suggestion(conditions))

    def _by_suggested_label(self, conditions: list[SqlClause]) -> SqlClause:
        """Ordered by the suggested label: the pairs of each label in turn, last those without a suggestion."""
        labels: list[str] = list(Label)
        if self._order.descending:
            labels.reverse()
        wanted = self._filter.suggested or {*labels, ""}
        filters = [replace(self._filter, suggested=frozenset([label])) for label in (*labels, "") if label in wanted]
        return self._one_after_another([*conditions, *suggestion_conditions(filter)] for filter in filters)

    def _one_after_another(self, scans: Iterable[list[SqlClause]]) -> SqlClause:
        """The pairs of the first conditions by paper, then those of the second ones, and so on."""
        parts = [self._index_scan(conditions, DEFAULT_ORDER).select("pairs.id AS id") for conditions in scans]
        sql = " UNION ALL ".join(f"SELECT id FROM ({part.sql})" for part in parts) or "SELECT NULL AS id WHERE 0"
        return limit_statement(SqlClause(sql, tuple(value for part in parts for value in part.params)), self._limit)

    def _sorted_by_suggestion(self, conditions: list[SqlClause]) -> Query:
        """All pairs, sorted by their suggestion; last those without one."""
        filter, direction = self._filter, _direction(self._order)
        join = "CROSS" if current_suggestions.requires_suggestion(filter) else "LEFT"
        condition = current_suggestions.condition(filter) or "1"
        if current_suggestions.allows_no_suggestion(filter):
            condition = f"({condition} OR suggestions.pair IS NULL)"
        query = index_scan(self._paper_ids, conditions).join(f"{join} JOIN {current_suggestions.SUGGESTIONS_ON_PAIR}")
        query = query.and_where(SqlClause(condition))
        if self._order.column is SortColumn.SUGGESTED:
            label = f"suggestions.label IS NULL, suggestions.label {direction}"
            return query.order_by(f"{label}, pairs.paper_id, pairs.ordinal")
        column = f"suggestions.{_SUGGESTION_COLUMNS[self._order.column]}"
        return query.order_by(f"{column} IS NULL, {column} {direction}, pairs.id {direction}")

    def _among_first_suggestions(self, conditions: list[SqlClause]) -> Query:
        """The pairs of the first suggestions in the index. No ORDER BY here: SQLite would read all suggestions."""
        column, direction = _SUGGESTION_COLUMNS[self._order.column], _direction(self._order)
        first = f"""
            SELECT pair, label FROM suggestions INDEXED BY suggestions_by_{column}
            WHERE run = {current_suggestions.CURRENT_RUN_ID} AND {column} IS NOT NULL
                AND {current_suggestions.suggestion_condition(self._filter) or "1"}
            ORDER BY {column} {direction}, pair {direction} LIMIT {_FIRST_SUGGESTIONS}
        """
        tables = f"({first}) AS suggestions CROSS JOIN pairs ON pairs.id = suggestions.pair"
        agrees = SqlClause(current_suggestions.agreement_condition(self._filter) or "1")
        return Query(SqlClause(tables), (*conditions, *self._of_papers(), agrees))

    def _first_ids(self, query: Query) -> SqlClause:
        return query.limit_to(self._limit).select("pairs.id AS id")


def _sorted(query: Query, order: PairOrder, *, by_paper: bool = False) -> Query:
    """The query with its ORDER BY. `by_paper`: it reads the papers in their order, and needs none for paper columns."""
    direction, ties = _direction(order), "pairs.paper_id, pairs.ordinal"
    if order.column in _PAPER_SORT_KEYS and by_paper:
        return query
    if order.column is SortColumn.PAPER:
        return query.order_by(f"pairs.paper_id {direction}, pairs.ordinal")
    if order.column in _PAPER_SORT_KEYS:
        query = query.join("CROSS JOIN papers ON papers.id = pairs.paper_id")
        return query.order_by(f"{_PAPER_SORT_KEYS[order.column].format(direction)}, {ties}")
    key = _PAIR_SORT_KEYS[order.column]
    no_value_last = ""
    if order.column in (SortColumn.PHRASE, SortColumn.SPLIT):
        no_value_last = f"{key} IS NULL, "
    elif order.column in (SortColumn.LABEL, SortColumn.DISTANT, SortColumn.GOLD):
        no_value_last = f"{key} = 0, "
    return query.order_by(f"{no_value_last}{key} {direction}, {ties}")


def _direction(order: PairOrder) -> str:
    return "DESC" if order.descending else ""


def _paper_sort_key(filter: PairFilter, order: PairOrder) -> str:
    """By what the papers are sorted before their pairs are read; "" for by id."""
    if order.column is SortColumn.PAPER and not any(getattr(filter, field) for field in PAPER_FIELDS):
        return ""  # the index is in this order, and SQLite reads it backwards too
    return _PAPER_SORT_KEYS.get(order.column, "").format(_direction(order))
