"""The compiler of pair filters: which pairs, in which order, as SQL that reads the one index that will do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from miner.records import Label
from storage.pairs import current_suggestions, facets
from storage.pairs.facets import FACETS
from storage.pairs.filters import PairFilter, PairOrder, PairStatus, SortColumn, full_text_query
from storage.sql import Query, SqlClause, all_of, limit_statement, membership_clauses, range_clauses

_MANY = 20_000  # rows; no more than so many are looked up one by one
_LIKELY_MATCHES = 5_000  # of frequent words; the first lines of a table are likely among them
_LIKELY_SUGGESTIONS = 20_000  # the most doubtful, or least certain; the first lines of a table are likely among them
_FEW_ANSWERS = 5_000  # of an annotator; so few are gathered before


DEFAULT_ORDER = PairOrder()
PAPER_FIELDS = ("domains", "years", "papers")  # fields of the filter
_ENUMERATED = {
    SortColumn.LABEL: "labels",
    SortColumn.DISTANT: "distant",
    SortColumn.GOLD: "gold",
    SortColumn.STATUS: "statuses",
    SortColumn.STRATEGY: "strategies",
}
_SORTED = {  # in SQL over `pairs`
    **{column: FACETS[field].sql for column, field in _ENUMERATED.items()},
    SortColumn.PHRASE: "pairs.phrase",
    SortColumn.SPLIT: "pairs.split",
    SortColumn.PREMISE_WORDS: "pairs.premise_words",
    SortColumn.HYPOTHESIS_WORDS: "pairs.hypothesis_words",
    SortColumn.OVERLAP: "pairs.overlap",
}
_PAPERS_SORTED = {
    SortColumn.DOMAIN: "papers.domain = '', papers.domain COLLATE NOCASE {}",
    SortColumn.YEAR: "papers.year IS NULL, papers.year {}",
    SortColumn.TITLE: "papers.title = '', papers.title COLLATE NOCASE {}",
    SortColumn.PAPER: "papers.id {}",
}
_SUGGESTIONS_SORTED = {
    SortColumn.CONFIDENCE: "confidence",
    SortColumn.DOUBT: "doubt",
}  # their columns, each with an index
_JUDGED = SqlClause(f"({facets.IS_ANNOTATED})")
_GONE = SqlClause("pairs.current = 0")
_NOTHING = SqlClause("0")


class PairQueryCompiler:
    """Compiles filters; what the project holds decides from which side its pairs are read."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def for_rows(self, filter: PairFilter) -> Query:
        """All pairs of the filter, each once, in any order; for what needs their rows."""
        return self._from_candidates(filter) or self.for_counts(filter)

    def for_rows_if_few(self, filter: PairFilter) -> Query | None:
        """The same where they are so few that reading all their rows is quick; else None."""
        if found := self._from_candidates(filter):
            return found
        scanned = self.for_counts(filter)
        return scanned if self._are_few(scanned.select("1")) else None

    def for_counts(self, filter: PairFilter) -> Query:
        """The same by an index alone, for what only counts; `pairs`' own rows need not be read."""
        conditions = [*self._conditions(filter), *_suggestion(filter), *_text(filter)]
        return _indexed(self._paper_ids(filter), conditions)

    def in_paper_order(self, filter: PairFilter) -> Query:
        """The same by the papers' MD5 and within each by place, with nothing to sort: the first are soon there."""
        tables = SqlClause("papers CROSS JOIN pairs INDEXED BY pairs_in_order ON pairs.paper_id = papers.id")
        conditions = [*_paper(filter), *self._conditions(filter), *_suggestion(filter), *_text(filter)]
        return Query(tables, tuple(conditions), order="papers.md5, pairs.ordinal")

    def condition(self, filter: PairFilter) -> SqlClause:
        """The same as a condition over `pairs`, whatever these are joined to and read by."""
        papers = _of_papers(self._paper_ids(filter))
        return all_of([*self._conditions(filter), *papers, *_suggestion(filter), *_text(filter)])

    def ordered_ids(
        self, filter: PairFilter, order: PairOrder = DEFAULT_ORDER, limit: int | None = None
    ) -> list[SqlClause]:
        """Statements for the ids in order, each next one to be run when the one before gave fewer than `limit`.

        With a text, PAPER is the order in which pairs were stored: nearly that of papers, and nothing to sort.
        """
        conditions = self._conditions(filter, first=limit is not None)
        papers = self._paper_ids(filter, _paper_order(filter, order))
        if order.column in (*_SUGGESTIONS_SORTED, SortColumn.SUGGESTED):
            return self._by_suggestion(filter, conditions, papers, order, limit)
        if words := full_text_query(filter.text):
            return self._with_words(words, filter, [*conditions, *_suggestion(filter)], papers, order, limit)
        if current_suggestions.requires_suggestion(filter) and self._are_few(candidates := _suggested(filter)):
            rest = [*conditions, *_of_papers(papers), *_agreement(filter)]
            return [_ids(_in_order(_looked_up(candidates, rest), order).limit_to(limit))]
        conditions += _suggestion(filter)
        if order.column in _ENUMERATED:
            return [_by_member(filter, conditions, papers, order, limit)]
        return [_ids(_in_order(_indexed(papers, conditions), order, listed=papers is not None).limit_to(limit))]

    def _from_candidates(self, filter: PairFilter) -> Query | None:
        """From those with the filter's words, else its suggestions, where these are few; None where they are many."""
        if words := full_text_query(filter.text):
            candidates, rest = _with_words(words), _suggestion(filter)
        elif current_suggestions.requires_suggestion(filter):
            candidates, rest = _suggested(filter), _agreement(filter)
        else:
            return None
        if not self._are_few(candidates):
            return None
        papers = _of_papers(self._paper_ids(filter))
        return _looked_up(candidates, [*self._conditions(filter), *papers, *rest])

    def _by_suggestion(
        self,
        filter: PairFilter,
        conditions: list[SqlClause],
        papers: list[int] | None,
        order: PairOrder,
        limit: int | None,
    ) -> list[SqlClause]:
        conditions += _text(filter)
        every = _ids(_by_each_suggestion(filter, conditions, papers, order).limit_to(limit))
        if limit is None:
            return [every]
        if order.column is SortColumn.SUGGESTED:
            return [_by_suggested_label(filter, conditions, papers, order, limit)]
        if full_text_query(filter.text) or self._are_few(_indexed(papers, conditions).select("1")):
            return [every]
        conditions += _of_papers(papers)
        return [_ids(_likely_by_suggestion(filter, conditions, order).limit_to(limit)), every]

    def _with_words(
        self,
        words: str,
        filter: PairFilter,
        conditions: list[SqlClause],
        papers: list[int] | None,
        order: PairOrder,
        limit: int | None,
    ) -> list[SqlClause]:
        as_stored = order.column is SortColumn.PAPER
        text = Query(SqlClause("pairs_text"), (SqlClause("pairs_text MATCH ?", (words,)),))
        text = text.order_by(f"rowid {_turn(order)}")
        if as_stored and filter == PairFilter(text=filter.text):
            gone = Query(SqlClause("pairs INDEXED BY pairs_gone"), (_GONE,)).select("id")
            return [text.and_where(SqlClause(f"rowid NOT IN ({gone.sql})")).limit_to(limit).select("rowid AS id")]

        def first(most: int) -> SqlClause:
            found = _looked_up(text.limit_to(most).select("rowid AS id"), [*conditions, *_of_papers(papers)])
            return _ids(_in_order(found, order, as_stored=as_stored).limit_to(limit))

        if self._are_few(_with_words(words)):
            return [first(_MANY)]
        scanned = _indexed(papers, conditions)
        if not as_stored:
            scanned = scanned.and_where(*_text(filter))
            return [_ids(_in_order(scanned, order, listed=papers is not None).limit_to(limit))]
        among = scanned.select("pairs.id")
        every = text.and_where(SqlClause(f"+rowid IN ({among.sql})", among.params)).limit_to(limit)
        return [*([] if limit is None else [first(_LIKELY_MATCHES)]), every.select("rowid AS id")]

    def _conditions(self, filter: PairFilter, *, first: bool = False) -> list[SqlClause]:
        """What is asked of pairs and their answers; `first`: the first pairs are wanted, which may be soon found."""
        packed = facets.conditions(filter)
        if packed is None:
            return [_NOTHING]
        only = (
            [_JUDGED]
            if facets.matches_only_annotated(filter)
            else [_GONE]
            if filter.statuses == {PairStatus.GONE}
            else []
        )
        return [
            *only,
            *map(SqlClause, packed),
            *membership_clauses("pairs.phrase", filter.phrases),
            *membership_clauses("pairs.split", filter.splits),
            *range_clauses("pairs.premise_words", filter.premise_words),
            *range_clauses("pairs.hypothesis_words", filter.hypothesis_words),
            *range_clauses("pairs.overlap", filter.overlap),
            *self._answered_by(filter.annotators, first),
        ]

    def _answered_by(self, annotators: frozenset[str], first: bool) -> list[SqlClause]:
        """Who answered: looked up pair by pair when only the `first` are wanted of many, else gathered before."""
        if not annotators:
            return []
        among = all_of(membership_clauses("annotator", annotators))
        events = Query(SqlClause("label_events"), (among,))
        if not first or self._count(events.select("1"), _FEW_ANSWERS + 1) <= _FEW_ANSWERS:
            query = f"""
                SELECT answered.id FROM (
                    SELECT pair_key, new, max(id) FROM label_events WHERE {among.sql} GROUP BY annotator, pair_key
                ) AS latest CROSS JOIN pairs AS answered ON answered.key = latest.pair_key WHERE new IS NOT NULL
            """
            return [SqlClause(f"pairs.id IN ({query})", among.params)]
        query = f"""
            SELECT 1 FROM label_events e WHERE e.pair_key = pairs.key AND {among.sql} AND e.new IS NOT NULL AND e.id = (
                SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator
            )
        """
        return [SqlClause(FACETS["statuses"].sql), SqlClause(f"EXISTS ({query})", among.params)]

    def _paper_ids(self, filter: PairFilter, by: str = "") -> list[int] | None:
        """The papers whose pairs are meant, in the order that `by` (SQL) says; None for all, in that of their ids."""
        conditions = _paper(filter)
        if not conditions and not by:
            return None
        query = Query(SqlClause("papers"), tuple(conditions)).order_by(f"{by}, papers.id" if by else "papers.id")
        return list(self._connection.exec_driver_sql(*query.select("papers.id")).scalars())

    def _are_few(self, rows: SqlClause) -> bool:
        """So few rows that looking at what belongs to each is quick."""
        return self._count(rows, _MANY + 1) <= _MANY

    def _count(self, rows: SqlClause, most: int) -> int:
        """How many rows, up to `most`."""
        counted = f"SELECT count(*) FROM ({rows.sql} LIMIT ?)"
        return int(self._connection.exec_driver_sql(counted, (*rows.params, most)).scalar_one())


def _indexed(papers: list[int] | None, conditions: Sequence[SqlClause]) -> Query:
    """Read by one index alone, the smallest that will do; paper by paper as `papers` has them."""
    index = "pairs_in_order"
    if _JUDGED in conditions:
        index = "pairs_judged"
    elif _GONE in conditions and papers is None:
        index = "pairs_gone"
    tables = SqlClause(f"pairs INDEXED BY {index}")
    if papers is not None:
        each = f"json_each(?) AS wanted CROSS JOIN {tables.sql} ON pairs.paper_id = wanted.value"
        tables = SqlClause(each, (json.dumps(papers),))
    return Query(tables, tuple(conditions))


def _looked_up(candidates: SqlClause, conditions: Sequence[SqlClause]) -> Query:
    """Those of the candidates (a statement for ids) that the conditions hold of, one by one."""
    tables = f"({candidates.sql}) AS candidates CROSS JOIN pairs ON pairs.id = candidates.id"
    return Query(SqlClause(tables, candidates.params), tuple(conditions))


def _in_order(query: Query, order: PairOrder, *, listed: bool = False, as_stored: bool = False) -> Query:
    """`listed`: papers come in order by themselves, and within each its pairs; `as_stored`: in that of ids instead."""
    if listed and order.column in _PAPERS_SORTED:
        return query
    if as_stored:
        return query.order_by(f"candidates.id {_turn(order)}")
    if order.column is SortColumn.PAPER:
        return query.order_by(f"pairs.paper_id {_turn(order)}, pairs.ordinal")
    if order.column in _PAPERS_SORTED:
        query = query.join("CROSS JOIN papers ON papers.id = pairs.paper_id")
        return query.order_by(f"{_PAPERS_SORTED[order.column].format(_turn(order))}, pairs.paper_id, pairs.ordinal")
    column = _SORTED[order.column]
    absent = f"{column} IS NULL, " if order.column in (SortColumn.PHRASE, SortColumn.SPLIT) else ""
    if order.column in (SortColumn.LABEL, SortColumn.DISTANT, SortColumn.GOLD):
        absent = f"{column} = 0, "
    return query.order_by(f"{absent}{column} {_turn(order)}, pairs.paper_id, pairs.ordinal")


def _by_member(
    filter: PairFilter, conditions: list[SqlClause], papers: list[int] | None, order: PairOrder, limit: int | None
) -> SqlClause:
    """Ordered by a facet: its members' pairs one after the other, so that there is nothing to sort."""
    field = _ENUMERATED[order.column]
    facet = FACETS[field]
    members = facet.members[::-1] if order.descending else facet.members
    members = (*members, "") if facet.first else members
    if (wanted := getattr(filter, field)) and PairStatus.GONE not in wanted:
        members = tuple(member for member in members if member in wanted)
    each = [SqlClause(f"{facet.sql} = {facet.number(member)}") for member in members]
    return _one_after_another([_indexed(papers, [*conditions, member]) for member in each], papers, limit)


def _by_suggested_label(
    filter: PairFilter, conditions: list[SqlClause], papers: list[int] | None, order: PairOrder, limit: int | None
) -> SqlClause:
    """Ordered by the suggested label, pairs without a suggestion last; label by label, so that nothing is sorted."""
    labels = list(Label)[::-1] if order.descending else list(Label)
    wanted = [label for label in (*labels, "") if not filter.suggested or label in filter.suggested]
    each = [_suggestion(replace(filter, suggested=frozenset([label]))) for label in wanted]
    return _one_after_another([_indexed(papers, [*conditions, *label]) for label in each], papers, limit)


def _one_after_another(queries: Iterable[Query], papers: list[int] | None, limit: int | None) -> SqlClause:
    parts = [_ids(_in_order(query, DEFAULT_ORDER, listed=papers is not None)) for query in queries]
    sql = " UNION ALL ".join(f"SELECT id FROM ({part.sql})" for part in parts) or "SELECT NULL AS id WHERE 0"
    return limit_statement(SqlClause(sql, tuple(value for part in parts for value in part.params)), limit)


def _by_each_suggestion(
    filter: PairFilter, conditions: list[SqlClause], papers: list[int] | None, order: PairOrder
) -> Query:
    """Ordered by what each pair's suggestion says, pairs without one last."""
    join = "CROSS" if current_suggestions.requires_suggestion(filter) else "LEFT"
    having = current_suggestions.condition(filter) or "1"
    if current_suggestions.allows_no_suggestion(filter):
        having = f"({having} OR suggestions.pair IS NULL)"
    query = (
        _indexed(papers, conditions)
        .join(f"{join} JOIN {current_suggestions.SUGGESTIONS_ON_PAIR}")
        .and_where(SqlClause(having))
    )
    if order.column is SortColumn.SUGGESTED:
        label = f"suggestions.label IS NULL, suggestions.label {_turn(order)}"
        return query.order_by(f"{label}, pairs.paper_id, pairs.ordinal")
    column = f"suggestions.{_SUGGESTIONS_SORTED[order.column]}"
    return query.order_by(f"{column} IS NULL, {column} {_turn(order)}, pairs.id {_turn(order)}")


def _likely_by_suggestion(filter: PairFilter, conditions: list[SqlClause], order: PairOrder) -> Query:
    """Those of a likely first few alone, in the same order; asked for it again, SQLite would look at all of them."""
    column = _SUGGESTIONS_SORTED[order.column]
    likely = f"""
        SELECT pair, label FROM suggestions INDEXED BY suggestions_by_{column}
        WHERE run = {current_suggestions.CURRENT_RUN_ID} AND {column} IS NOT NULL
            AND {current_suggestions.suggestion_condition(filter) or "1"}
        ORDER BY {column} {_turn(order)}, pair {_turn(order)} LIMIT {_LIKELY_SUGGESTIONS}
    """
    tables = f"({likely}) AS suggestions CROSS JOIN pairs ON pairs.id = suggestions.pair"
    agrees = SqlClause(current_suggestions.agreement_condition(filter) or "1")
    return Query(SqlClause(tables), (*conditions, agrees))


def _ids(query: Query) -> SqlClause:
    return query.select("pairs.id AS id")


def _turn(order: PairOrder) -> str:
    return "DESC" if order.descending else ""


def _paper_order(filter: PairFilter, order: PairOrder) -> str:
    """How papers are to be ordered; "" for by their ids."""
    if order.column is SortColumn.PAPER and not any(getattr(filter, field) for field in PAPER_FIELDS):
        return ""  # by an index, descending too
    return _PAPERS_SORTED.get(order.column, "").format(_turn(order))


def _with_words(words: str) -> SqlClause:
    """A statement for the ids of pairs with these words."""
    return SqlClause("SELECT rowid AS id FROM pairs_text WHERE pairs_text MATCH ?", (words,))


def _suggested(filter: PairFilter) -> SqlClause:
    """A statement for the ids of pairs whose suggestions are asked for, but for whether these agree."""
    index = "doubt" if filter.doubt and not filter.confidence else "confidence"
    condition = current_suggestions.suggestion_condition(filter) or "1"
    return SqlClause(f"""
        SELECT pair AS id FROM suggestions INDEXED BY suggestions_by_{index}
        WHERE run = {current_suggestions.CURRENT_RUN_ID} AND {condition}
    """)


def _text(filter: PairFilter) -> list[SqlClause]:
    words = full_text_query(filter.text)
    return [SqlClause(f"pairs.id IN ({_with_words(words).sql})", (words,))] if words else []


def _suggestion(filter: PairFilter) -> list[SqlClause]:
    condition = current_suggestions.pair_condition(filter)
    return [SqlClause(condition)] if condition else []


def _agreement(filter: PairFilter) -> list[SqlClause]:
    return [] if filter.suggestion_agrees is None else _suggestion(filter)


def _paper(filter: PairFilter) -> list[SqlClause]:
    """What is asked of papers, over `papers`."""
    named = [*membership_clauses("papers.domain", filter.domains), *membership_clauses("papers.md5", filter.papers)]
    return [*named, *range_clauses("papers.year", filter.years)]


def _of_papers(papers: list[int] | None) -> list[SqlClause]:
    if papers is None:
        return []
    return [SqlClause("pairs.paper_id IN (SELECT value FROM json_each(?))", (json.dumps(papers),))]
