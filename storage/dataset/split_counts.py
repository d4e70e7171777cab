"""The project's split in numbers of papers, pairs and gold labels, and the papers that a change of it would move."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from miner.split_suggestion import PaperYield
from miner.splits import PaperSplit
from storage.connections import driver_connection
from storage.convert import read_all
from storage.dataset.dev_in_test import find_gold_in_test
from storage.dataset.gold_rule import VOTED_GOLD
from storage.pairs import paper_splits
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import IN_DEV_OR_TEST, IS_SPLIT, PILOT_KEYS
from storage.pairs.paper_splits import (
    CAN_BE_ANNOTATED,
    NAMED,
    PAPER_MD5,
    AssignedPairs,
    AssignedPapers,
    PaperMove,
)
from storage.pairs.query import PairQueryCompiler

_PAPERS = f"""
    SELECT coalesce(papers.split, ''), papers.domain, count(DISTINCT {PAPER_MD5})
    FROM papers WHERE {NAMED} GROUP BY 1, 2
"""
_PAIRS = f"""
    SELECT coalesce(pairs.split, '') AS split, papers.domain, coalesce(pairs.distant_label, '') AS label,
        iif(pairs.key IN ({PILOT_KEYS}), NULL, {VOTED_GOLD}) AS gold,
        sum(pairs.key IN (SELECT value FROM json_each(?))), count(*)
    FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id WHERE pairs.current GROUP BY 1, 2, 3, 4
"""
_WITHOUT_SPLIT = f"""
    SELECT iif(papers.title = '', papers.md5, papers.title) AS title, papers.md5, papers.domain, papers.year,
        (SELECT count(*) FROM pairs WHERE paper_id = papers.id AND current) AS pairs
    FROM papers WHERE {NAMED} AND papers.split IS NULL ORDER BY papers.domain, papers.year, 1, 2
"""
_YIELDS = f"""
    SELECT {PAPER_MD5}, papers.domain, pairs.distant_label, sum({CAN_BE_ANNOTATED})
    FROM papers LEFT JOIN pairs ON pairs.paper_id = papers.id WHERE {NAMED} GROUP BY 1, 2, 3
"""
_GOLD_PAPERS = f"""
    SELECT DISTINCT {PAPER_MD5} FROM pairs JOIN papers ON papers.id = pairs.paper_id
    WHERE pairs.current AND {NAMED} AND pairs.votes > 1 AND {VOTED_GOLD} IS NOT NULL ORDER BY 1
"""
_PLACES = """
    SELECT papers.md5, papers.title, papers.domain, papers.split AS old, papers.split AS new, count(pairs.id) AS pairs,
        coalesce(sum(pairs.status <> 'open' OR pairs.votes > 0), 0) AS answered, 0 AS released
    FROM papers LEFT JOIN pairs ON pairs.paper_id = papers.id AND pairs.current
    WHERE papers.md5 IN (SELECT value FROM json_each(?)) GROUP BY papers.id
"""
_COUNT_IN = f"""
    SELECT count(*) FROM json_each(?) CROSS JOIN pairs ON pairs.key = json_each.value
    WHERE pairs.current AND pairs.split = ? AND {IS_SPLIT}
"""
_HAS_OWN_SPLITS = "SELECT EXISTS (SELECT 1 FROM pairs WHERE own_split IS NOT NULL)"
_PAPERS_OF_FILTER = f"SELECT DISTINCT {PAPER_MD5} FROM papers WHERE {NAMED} AND papers.id IN ({{papers}}) ORDER BY 1"


class SplitCount(NamedTuple):
    """How many pairs in a split of a domain have this distant label, and how many this gold label; "" for none.

    left_out: how many more have this gold label, but are in no release, as they share a sentence with test.
    """

    split: str
    domain: str
    label: str
    pairs: int
    gold: int
    left_out: int = 0


class PaperWithoutSplit(NamedTuple):
    """A paper in no split. title: its MD5 if it has none."""

    title: str
    md5: str
    domain: str
    year: int | None
    pairs: int


class SplitCountStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._driver = driver_connection(connection)

    def papers(self) -> dict[tuple[str, str], int]:
        """The number of papers by split ("" for none) and domain."""
        return {(split, domain): number for split, domain, number in self._driver.execute(_PAPERS)}

    def pairs(self) -> list[SplitCount]:
        """The current pairs by split, domain and label."""
        pairs: Counter[tuple[str, str, str]] = Counter()
        golds: Counter[tuple[str, str, str]] = Counter()
        left_out: Counter[tuple[str, str, str]] = Counter()
        shared = json.dumps(sorted(find_gold_in_test(self._connection)))
        for split, domain, label, gold, of_test, number in self._driver.execute(_PAIRS, (shared,)):
            pairs[split, domain, label] += number
            if gold is not None:
                golds[split, domain, gold] += number - of_test
                left_out[split, domain, gold] += of_test
        found = sorted(pairs.keys() | golds.keys())
        return [SplitCount(*key, pairs[key], golds[key], left_out[key]) for key in found]

    def without_split(self) -> list[PaperWithoutSplit]:
        """The papers that are in no split, by domain and year."""
        return list(read_all(PaperWithoutSplit, self._driver.execute(_WITHOUT_SPLIT)))

    def yields(self) -> list[PaperYield]:
        """How many pairs of each class every paper has that can be annotated."""
        found: dict[tuple[str, str], Counter[str]] = {}
        for md5, domain, label, pairs in self._driver.execute(_YIELDS):
            counts = found.setdefault((md5, domain), Counter())
            if label is not None:
                counts[label] += pairs
        return [PaperYield(md5, domain, counts) for (md5, domain), counts in found.items()]

    def papers_with_gold(self) -> list[str]:
        """The MD5s of papers with a gold label by several people."""
        return [md5 for (md5,) in self._driver.execute(_GOLD_PAPERS)]

    def moved_papers(self, split: PaperSplit | None) -> list[PaperMove]:
        """The papers that this split would move to another one, by MD5; nothing is changed."""
        return paper_splits.moved_papers(self._connection, split)

    def assigned(self, split: PaperSplit | None) -> tuple[list[AssignedPapers], list[AssignedPairs]]:
        """The numbers of papers and pairs that this split would give; nothing is changed."""
        return paper_splits.count_assigned(self._connection, split)

    def has_own_splits(self) -> bool:
        """Whether an imported data set says which split its pairs are in."""
        return bool(self._driver.execute(_HAS_OWN_SPLITS).fetchone()[0])

    def places(self, md5s: Sequence[str]) -> dict[str, PaperMove]:
        """Where these papers are now, by MD5: as moves to where they are."""
        rows = self._driver.execute(_PLACES, (json.dumps(list(md5s)),))
        return {place.md5: place for place in read_all(PaperMove, rows)}

    def count_in(self, keys: Sequence[str], split: str) -> int:
        """How many of the pairs with these keys are in a split of the project; 0 if its papers are not split."""
        return int(self._driver.execute(_COUNT_IN, (json.dumps(list(keys)), split)).fetchone()[0])

    def refresh(self) -> None:
        """Assign all papers and pairs anew, after the setting has changed; `refresh_statuses` has to follow."""
        paper_splits.refresh_all(self._connection, judges=False)

    def held_out(self, keys: Sequence[str]) -> frozenset[str]:
        """The pairs, of these, that are of dev or test papers of the project's split."""
        query = f"""
            SELECT pairs.key FROM json_each(?) CROSS JOIN pairs ON pairs.key = json_each.value WHERE {IN_DEV_OR_TEST}
        """
        return frozenset(key for (key,) in self._driver.execute(query, (json.dumps(list(keys)),)))

    def papers_of(self, filter: PairFilter) -> list[str]:
        """The MD5s of the papers that the filter's pairs are from."""
        query = PairQueryCompiler(self._connection).for_rows(filter).select("pairs.paper_id")
        rows = self._driver.execute(_PAPERS_OF_FILTER.format(papers=query.sql), query.params)
        return [md5 for (md5,) in rows]
