"""Papers that are likely the same, but were not joined when they were added; and what people decided about them.

Two papers are compared if they have one DOI, one title or nearly one title, or if mining found the same pairs of
sentences in both. Same DOI and same title are no proof: supplements have the DOI of their paper, and editorials one
title. So the other must agree as well, or the texts share their wording (`miner.references.wording`).
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise
from urllib.parse import unquote

from sqlalchemy import Connection

from miner.mining.identity import sentence_hash
from miner.references.likeness import TitleAgreement, authors_agree, is_similar, normal_title, titles_alike, years_agree
from miner.references.same_paper import KnownPaper, article_key, title_key
from miner.references.wording import share_wording, shingles, wording_shared
from storage.convert import read_all
from storage.papers import decisions
from storage.papers.carried_pairs import waiting_round
from storage.papers.store import PaperStore
from storage.schema import DATA_SET

_SIMILAR_START = 16  # letters at the start or end of two titles that are nearly the same
_MAX_GROUP = 12  # papers with one DOI, title or start of a title; more of them are a series
_MIN_SHARED = 5  # pairs or sentences of two papers: fewer are a licence or a formula
_MAX_SUSPECTS = 200  # papers whose pairs mining has found before
_TITLES = f"SELECT id, doi, title FROM papers WHERE kind <> '{DATA_SET}' ORDER BY md5"
_MD5S = "SELECT id, md5 FROM papers WHERE id IN (SELECT value FROM json_each(?))"
_OF_PAPERS = """
    SELECT md5, kind, parser, title, authors, year, doi FROM papers WHERE md5 IN (SELECT value FROM json_each(?))
"""
# Pairs that more papers have are a licence; the groups are read from the index alone.
_SAME_PAIRS = f"""
    WITH same AS MATERIALIZED (
        SELECT premise_hash, hypothesis_hash FROM pairs INDEXED BY pairs_by_text GROUP BY 1, 2
        HAVING count(*) BETWEEN 2 AND 4
    )
    SELECT p.md5, q.md5, count(*) FROM same
    CROSS JOIN pairs AS a INDEXED BY pairs_by_text
        ON a.premise_hash = same.premise_hash AND a.hypothesis_hash = same.hypothesis_hash
    CROSS JOIN pairs AS b INDEXED BY pairs_by_text
        ON b.premise_hash = same.premise_hash AND b.hypothesis_hash = same.hypothesis_hash AND b.paper_id > a.paper_id
    CROSS JOIN papers AS p ON p.id = a.paper_id AND p.kind <> '{DATA_SET}'
    CROSS JOIN papers AS q ON q.id = b.paper_id AND q.kind <> '{DATA_SET}'
    GROUP BY 1, 2 HAVING count(*) >= {_MIN_SHARED}
"""
_SUSPECTS = f"""
    SELECT md5 FROM funnel JOIN papers ON papers.id = paper_id WHERE reason = 'duplicate'
    GROUP BY paper_id HAVING sum(count) >= {_MIN_SHARED} ORDER BY sum(count) DESC, md5 LIMIT {_MAX_SUSPECTS}
"""
_SHARING = f"""
    SELECT md5 FROM json_each(?) AS wanted CROSS JOIN pairs INDEXED BY pairs_by_text ON premise_hash = wanted.value
    JOIN papers ON papers.id = paper_id WHERE md5 <> ? AND papers.kind <> '{DATA_SET}'
    GROUP BY md5 HAVING count(DISTINCT premise_hash) >= {_MIN_SHARED} ORDER BY count(DISTINCT premise_hash) DESC LIMIT 2
"""
_RELEASED = """
    SELECT split FROM release_splits WHERE md5 = ? AND split IN ('dev', 'test') ORDER BY release DESC LIMIT 1
"""


class Likeness(StrEnum):
    """Why two papers may be one."""

    DOI = "doi"
    TITLE = "title"
    SIMILAR_TITLE = "similar_title"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class LikelyDuplicate:
    """Two papers that are likely one, by MD5 in order, and why."""

    first: str
    second: str
    reasons: tuple[Likeness, ...]


class DuplicateStore:
    """Papers that are likely the same."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._papers = PaperStore(connection)
        self._shingles: dict[str, frozenset[int]] = {}

    def find(self) -> list[LikelyDuplicate]:
        """The papers that are likely the same, without those that people want to keep; sorted."""
        kept = decisions.pairs_kept(self._connection)
        compared = self._with_same_keys()
        for one, other in self._with_same_sentences():
            compared[one, other].add(Likeness.TEXT)
        papers = self._known({md5 for pair in compared for md5 in pair})
        found = []
        for one, other in sorted(compared):
            reasons = compared[one, other]
            if Likeness.SIMILAR_TITLE in reasons:
                titles = (normal_title(papers[md5].title) for md5 in (one, other))
                if Likeness.TITLE in reasons or not is_similar(*titles):
                    reasons.discard(Likeness.SIMILAR_TITLE)
            if reasons and {one, other} not in kept and self._are_alike(papers[one], papers[other], reasons):
                found.append(LikelyDuplicate(one, other, tuple(why for why in Likeness if why in reasons)))
        return found

    def shared_wording(self, one: str, other: str) -> float:
        """The share of the shorter paper's wording that the other paper has too, 0.0 to 1.0."""
        return wording_shared(self._of_text(one), self._of_text(other))

    def why_not(self, kept: str, other: str) -> str:
        """Why `other` cannot be merged into `kept`, in a sentence; "" if it can."""
        if kept == other:
            return "This is one paper."
        if waiting := waiting_round(self._connection, other):
            number, pairs = waiting
            what = "1 pair" if pairs == 1 else f"{pairs:,} pairs"
            return (
                f"{what} of the paper that would go {'is' if pairs == 1 else 'are'} in round {number}, which is open. "
                "Keep this paper, or close the round first: answers that come later still count."
            )
        released = self._connection.exec_driver_sql(_RELEASED, (other,)).scalar()
        split = self._connection.exec_driver_sql("SELECT split FROM papers WHERE md5 = ?", (kept,)).scalar()
        if released and released != split:
            return (
                f"The paper that would go was released in {released}, and the other one is not in it, so its sentences "
                f"could leak. Keep the released paper."
            )
        return ""

    def record_kept(self, action: int, one: str, other: str) -> bool:
        """Record as part of an action that both papers are to be kept; False if that was recorded already."""
        return decisions.record_kept(self._connection, action, one, other)

    def merged_files(self) -> frozenset[str]:
        """The MD5s of files that a merge moved to another paper."""
        return decisions.merged_files(self._connection)

    def _with_same_keys(self) -> defaultdict[tuple[str, str], set[Likeness]]:
        """The pairs of papers with one DOI, one title, or titles that start or end alike, which may be similar.

        Of each paper only numbers are kept until it is known which are to be compared: there may be very many.
        """
        reasons = (Likeness.DOI, Likeness.TITLE, Likeness.SIMILAR_TITLE, Likeness.SIMILAR_TITLE)
        ids, keys = array("q"), [array("q") for _ in reasons]
        for id, doi, title in self._connection.exec_driver_sql(_TITLES):
            normal = normal_title(title)
            parts = article_key(unquote(doi or "")), title_key(title), normal[:_SIMILAR_START], normal[-_SIMILAR_START:]
            ids.append(id)
            for column, part in zip(keys, parts, strict=True):
                column.append(hash(part) if part else 0)
        same = [(why, pair) for why, column in zip(reasons, keys, strict=True) for pair in _in_groups(ids, column)]
        wanted = json.dumps(sorted({id for _, pair in same for id in pair}))
        md5s: dict[int, str] = dict(self._connection.exec_driver_sql(_MD5S, (wanted,)).all())
        found: defaultdict[tuple[str, str], set[Likeness]] = defaultdict(set)
        for why, (one, other) in same:
            found[md5s[one], md5s[other]].add(why)
        return found

    def _known(self, md5s: Iterable[str]) -> dict[str, KnownPaper]:
        rows = self._connection.exec_driver_sql(_OF_PAPERS, (json.dumps(sorted(md5s)),))
        return {paper.md5: paper for paper in read_all(KnownPaper, rows)}

    def _with_same_sentences(self) -> set[tuple[str, str]]:
        rows = self._connection.exec_driver_sql(_SAME_PAIRS)
        found = {(min(one, other), max(one, other)) for one, other, _ in rows}
        for md5 in self._connection.exec_driver_sql(_SUSPECTS).scalars().all():
            hashes = json.dumps(self._sentence_hashes(md5))
            for other in self._connection.exec_driver_sql(_SHARING, (hashes, md5)).scalars():
                found.add((min(md5, other), max(md5, other)))
        return found

    def _sentence_hashes(self, md5: str) -> list[int]:
        paper = self._papers.get(md5)
        paragraphs = (paragraph for section in paper.sections for paragraph in section.paragraphs)
        return [sentence_hash(one.text[at.start : at.end]) for one in paragraphs for at in one.sentences]

    def _are_alike(self, one: KnownPaper, other: KnownPaper, reasons: set[Likeness]) -> bool:
        agree = authors_agree(one.authors, other.authors)
        titles = titles_alike(one.title, other.title)
        if Likeness.DOI in reasons and titles is not TitleAgreement.NO:
            return True
        if Likeness.TITLE in reasons and (agree or (agree is None and years_agree(one.year, other.year) is not False)):
            return True
        return share_wording(self._of_text(one.md5), self._of_text(other.md5))

    def _of_text(self, md5: str) -> frozenset[int]:
        if md5 not in self._shingles:
            self._shingles[md5] = shingles(self._papers.paragraph_texts(md5))
        return self._shingles[md5]


def _in_groups(ids: array[int], keys: array[int]) -> list[tuple[int, int]]:
    """Every two ids that have the same key, in order, except for the key 0 and very frequent keys."""
    repeated = {key for key, following in pairwise(sorted(keys)) if key and key == following}
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for id, key in zip(ids, keys, strict=True):
        if key in repeated:
            groups[key].append(id)
    return [pair for group in groups.values() if len(group) <= _MAX_GROUP for pair in combinations(group, 2)]
