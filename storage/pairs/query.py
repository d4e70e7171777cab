"""Compiles a `PairFilter` into SQL: which pairs, read in the way that is fastest.

Each field of the filter becomes a condition over the table `pairs`. What is asked of a pair's facets (status, labels,
marks, flags) is compared in one packed number, see `storage.pairs.facets`. What is asked of papers (domain, journal,
year, MD5) is looked up first and becomes a list of paper ids. There are two ways to read the pairs that meet them:

- `index_scan` reads one covering index from end to end, and no row of `pairs`. The index `pairs_in_order` holds paper,
  ordinal, facets, phrase, split and lengths of every pair. Two partial indexes are smaller: `pairs_judged` (only pairs
  that somebody has annotated or mended) and `pairs_gone` (only pairs that are no longer mined).
- `candidate_lookup` starts from few ids, which the full-text index or an index on suggestions gives, and looks up the
  row of each in `pairs`.

`INDEXED BY` and `CROSS JOIN` are in the SQL on purpose: with them SQLite takes the plan that was measured, and no
other. Ids in a certain order are compiled by `storage.pairs.ordered_query`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import Connection

from storage.pairs import cells, current_suggestions, facets, journals, pair_kinds, tags, traits
from storage.pairs.filters import PairFilter, PairStatus, full_text_query
from storage.pairs.word_prefixes import with_whole_words
from storage.sql import Query, SqlClause, all_of, membership_clauses, range_clauses

MAX_CANDIDATES = 20_000  # rows of `pairs` that are looked up one by one; for more of them a scan is faster
_MAX_ANSWERS_READ_FIRST = 5_000  # answers; of annotators with more, each pair's answers are looked up instead

PAPER_FIELDS = ("domains", "journals", "years", "papers")  # the fields of `PairFilter` that are about the pair's paper
_IS_ANNOTATED = SqlClause(f"({facets.IS_ANNOTATED})")
_IS_GONE = SqlClause("pairs.current = 0")
_NEVER = SqlClause("0")


class PairQueryCompiler:
    """Compiles filters for one project: how many pairs it holds decides between scan and lookup."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def for_rows(self, filter: PairFilter) -> Query:
        """The filter's pairs, in no order, for a reader of whole rows."""
        return self._from_candidates(filter) or self.for_counts(filter)

    def for_rows_if_few(self, filter: PairFilter) -> Query | None:
        """As `for_rows`, or None if there are more than `MAX_CANDIDATES` pairs."""
        if lookup := self._from_candidates(filter):
            return lookup
        scan = self.for_counts(filter)
        return scan if self.are_few(scan.select("1")) else None

    def for_counts(self, filter: PairFilter) -> Query:
        """The filter's pairs, in no order, for a reader of indexed columns only: no row of `pairs` is read."""
        conditions = [*self.pair_conditions(filter), *suggestion_conditions(filter), *text_conditions(filter)]
        return index_scan(self.paper_ids(filter), conditions)

    def in_paper_order(self, filter: PairFilter) -> Query:
        """The filter's pairs by MD5 of their paper, then by ordinal. Nothing is sorted: the first rows come at once."""
        tables = SqlClause("papers CROSS JOIN pairs INDEXED BY pairs_in_order ON pairs.paper_id = papers.id")
        conditions = [*self._paper_conditions(filter), *self.pair_conditions(filter)]
        conditions += [*suggestion_conditions(filter), *text_conditions(filter)]
        return Query(tables, tuple(conditions), order="papers.md5, pairs.ordinal")

    def condition(self, filter: PairFilter) -> SqlClause:
        """The whole filter as one condition over `pairs`, for a query with a FROM clause of its own."""
        papers = paper_id_conditions(self.paper_ids(filter))
        return all_of(
            [*self.pair_conditions(filter), *papers, *suggestion_conditions(filter), *text_conditions(filter)]
        )

    def pair_conditions(self, filter: PairFilter, *, first_only: bool = False) -> list[SqlClause]:
        """The conditions on the pair and its answers. `first_only`: only the first few pairs will be read."""
        packed = facets.conditions(filter)
        if packed is None:
            return [_NEVER]
        partial_index: list[SqlClause] = []  # conditions that `index_scan` recognises
        if facets.matches_only_annotated(filter):
            partial_index = [_IS_ANNOTATED]
        elif filter.statuses == {PairStatus.GONE}:
            partial_index = [_IS_GONE]
        return [
            *partial_index,
            *map(SqlClause, packed),
            *membership_clauses("pairs.phrase", filter.phrases),
            *membership_clauses("pairs.split", filter.splits),
            *range_clauses("pairs.premise_words + pairs.hypothesis_words", filter.words),
            *range_clauses("pairs.premise_words", filter.premise_words),
            *range_clauses("pairs.hypothesis_words", filter.hypothesis_words),
            *range_clauses("pairs.overlap", filter.overlap),
            *traits.conditions(filter.traits),
            *_differing_conditions(filter.differing),
            *_round_conditions(filter.rounds),
            *_list_conditions(filter.lists),
            *(SqlClause(f"NOT {one.sql}", one.params) for one in _list_conditions(filter.outside_lists)),
            *cells.conditions(self._connection, filter),
            *tags.conditions(filter.tags),
            *pair_kinds.conditions(filter),
            *self._annotator_conditions(filter.annotators, first_only),
        ]

    def paper_ids(self, filter: PairFilter, order: str = "", limit: int | None = None) -> list[int] | None:
        """The ids of the papers that the filter asks for, in `order` (SQL), by default by id; the first `limit`.

        None stands for all papers by id.
        """
        conditions = self._paper_conditions(filter)
        if not conditions and not order:
            return None
        query = Query(SqlClause("papers"), tuple(conditions)).order_by(f"{order}, papers.id" if order else "papers.id")
        return list(self._connection.exec_driver_sql(*query.limit_to(limit).select("papers.id")).scalars())

    def scan_of_papers(self, filter: PairFilter, conditions: Sequence[SqlClause]) -> Query:
        """As `index_scan`, for a reader of the first pairs by paper id: papers are looked up only as far as needed."""
        tables = f"papers CROSS JOIN pairs INDEXED BY {_index_of(conditions)} ON pairs.paper_id = papers.id"
        return Query(SqlClause(tables), (*self._paper_conditions(filter), *conditions))

    def paper_lookup(self, filter: PairFilter) -> list[SqlClause]:
        """The condition that the pair's paper is one that the filter asks for, looked up for each of a few pairs."""
        if not (conditions := self._paper_conditions(filter)):
            return []
        paper = all_of(conditions)
        return [
            SqlClause(f"EXISTS (SELECT 1 FROM papers WHERE papers.id = pairs.paper_id AND {paper.sql})", paper.params)
        ]

    def first_words(self, words: str) -> str:
        """An FTS5 query that gives the same pairs, the first ones sooner."""
        return with_whole_words(self._connection, words)

    def are_few(self, statement: SqlClause) -> bool:
        """Whether the statement gives at most `MAX_CANDIDATES` rows."""
        return self._has_at_most(MAX_CANDIDATES, statement)

    def _from_candidates(self, filter: PairFilter) -> Query | None:
        """A lookup of the pairs with the filter's words, else of those with its suggestions; None if there are many."""
        if words := full_text_query(filter.text):
            candidates, conditions = text_candidates(words), suggestion_conditions(filter)
        elif current_suggestions.requires_suggestion(filter):
            candidates, conditions = suggestion_candidates(filter), agreement_conditions(filter)
        else:
            return None
        if not self.are_few(candidates):
            return None
        papers = paper_id_conditions(self.paper_ids(filter))
        return candidate_lookup(candidates, [*self.pair_conditions(filter), *papers, *conditions])

    def _paper_conditions(self, filter: PairFilter) -> list[SqlClause]:
        """The conditions on the pair's paper, over `papers`."""
        return [
            *membership_clauses("papers.domain", filter.domains),
            *membership_clauses("papers.journal", journals.all_spellings(self._connection, filter.journals)),
            *membership_clauses("papers.md5", filter.papers),
            *range_clauses("papers.year", filter.years),
        ]

    def _annotator_conditions(self, annotators: frozenset[str], first_only: bool) -> list[SqlClause]:
        """The latest answer of one of the annotators was not withdrawn.

        Few answers are read before the pairs, as a list of pair ids. Many are looked up pair by pair if only the first
        pairs are wanted.
        """
        if not annotators:
            return []
        among = all_of(membership_clauses("annotator", annotators))
        answers = Query(SqlClause("label_events"), (among,))
        if not first_only or self._has_at_most(_MAX_ANSWERS_READ_FIRST, answers.select("1")):
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
        return [SqlClause(f"EXISTS ({query})", among.params)]

    def _has_at_most(self, limit: int, statement: SqlClause) -> bool:
        count = f"SELECT count(*) FROM ({statement.sql} LIMIT ?)"
        rows = self._connection.exec_driver_sql(count, (*statement.params, limit + 1)).scalar_one()
        return int(rows) <= limit


def _differing_conditions(annotators: frozenset[str]) -> list[SqlClause]:
    """The latest answers of the annotators are not all the same."""
    if not annotators:
        return []
    among = all_of(membership_clauses("annotator", annotators))
    query = f"""
        SELECT answered.id FROM (
            SELECT pair_key, new, via, max(id) FROM label_events WHERE {among.sql} GROUP BY annotator, pair_key
        ) AS latest CROSS JOIN pairs AS answered ON answered.key = latest.pair_key
        WHERE new IS NOT NULL AND via = 'answer' GROUP BY answered.id HAVING count(DISTINCT new) > 1
    """
    return [SqlClause(f"pairs.id IN ({query})", among.params)]


def _round_conditions(numbers: frozenset[str]) -> list[SqlClause]:
    """The pair is in one of the annotation rounds with these numbers, or in none, for ""."""
    drawn = """
        SELECT drawn.id FROM annotation_round_pairs JOIN annotation_rounds ON annotation_rounds.id = round
        CROSS JOIN pairs AS drawn ON drawn.key = pair_key
    """
    return _group_conditions(drawn, "CAST(annotation_rounds.number AS TEXT)", numbers)


def _list_conditions(names: frozenset[str]) -> list[SqlClause]:
    """The pair is in one of the lists with these names, or in none, for ""."""
    listed = """
        SELECT listed.id FROM listed_pairs JOIN pair_lists ON pair_lists.id = list
        CROSS JOIN pairs AS listed ON listed.key = pair_key
    """
    return _group_conditions(listed, "pair_lists.name", names)


def _group_conditions(grouped: str, column: str, names: frozenset[str]) -> list[SqlClause]:
    """The pair is in one of these groups, or in none, for "". grouped: a SELECT of all pairs in groups, by `column`."""
    if not names:
        return []
    among = all_of(membership_clauses(column, names - {""}) or [_NEVER])
    either = f"pairs.id IN ({grouped} WHERE {among.sql})"
    if "" in names:
        either += f" OR pairs.id NOT IN ({grouped})"
    return [SqlClause(f"({either})", among.params)]


def index_scan(paper_ids: list[int] | None, conditions: Sequence[SqlClause]) -> Query:
    """Read the smallest index with all pairs that can meet the conditions; paper by paper if there are paper ids."""
    index = "pairs_gone" if _IS_GONE in conditions and paper_ids is None else _index_of(conditions)
    tables = SqlClause(f"pairs INDEXED BY {index}")
    if paper_ids is not None:
        by_paper = f"json_each(?) AS wanted CROSS JOIN {tables.sql} ON pairs.paper_id = wanted.value"
        tables = SqlClause(by_paper, (json.dumps(paper_ids),))
    return Query(tables, tuple(conditions))


def _index_of(conditions: Sequence[SqlClause]) -> str:
    """The smallest index by paper with all pairs that can meet the conditions."""
    return "pairs_judged" if _IS_ANNOTATED in conditions else "pairs_in_order"


def candidate_lookup(candidates: SqlClause, conditions: Sequence[SqlClause]) -> Query:
    """Look up the pairs of `candidates`, a statement that gives ids, one by one."""
    tables = f"({candidates.sql}) AS candidates CROSS JOIN pairs ON pairs.id = candidates.id"
    return Query(SqlClause(tables, candidates.params), tuple(conditions))


def text_candidates(words: str) -> SqlClause:
    """A statement for the ids of the pairs with these words (an FTS5 query)."""
    return SqlClause("SELECT rowid AS id FROM pairs_text WHERE pairs_text MATCH ?", (words,))


def suggestion_candidates(filter: PairFilter) -> SqlClause:
    """A statement for the ids of the pairs with such a suggestion, without the condition that it agrees."""
    index = "doubt" if filter.doubt and not filter.confidence else "confidence"
    condition = current_suggestions.suggestion_condition(filter) or "1"
    return SqlClause(f"""
        SELECT pair AS id FROM suggestions INDEXED BY suggestions_by_{index}
        WHERE run = {current_suggestions.CURRENT_RUN_ID} AND {condition}
    """)


def text_conditions(filter: PairFilter) -> list[SqlClause]:
    """The condition on the sentences' words, over `pairs`."""
    words = full_text_query(filter.text)
    return [SqlClause(f"pairs.id IN ({text_candidates(words).sql})", (words,))] if words else []


def suggestion_conditions(filter: PairFilter) -> list[SqlClause]:
    """The condition on the pair's suggestion, over `pairs`."""
    condition = current_suggestions.pair_condition(filter)
    return [SqlClause(condition)] if condition else []


def agreement_conditions(filter: PairFilter) -> list[SqlClause]:
    """What `suggestion_candidates` leaves out, over `pairs`."""
    return [] if filter.suggestion_agrees is None else suggestion_conditions(filter)


def paper_id_conditions(paper_ids: list[int] | None) -> list[SqlClause]:
    """The condition, over `pairs`, that a pair is of one of these papers; no condition for all papers."""
    if paper_ids is None:
        return []
    return [SqlClause("pairs.paper_id IN (SELECT value FROM json_each(?))", (json.dumps(paper_ids),))]
