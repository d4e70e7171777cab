"""Released papers that were removed: what is known of them, so that they keep their split if they come back.

A release knows its papers by MD5, and another file of the same paper has another one. What is recognised
(`miner.references.same_paper`) is entered in the paper's releases under its new MD5 too.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from miner.references.same_paper import KnownPaper
from storage.convert import read_part
from storage.errors import translate_decoding_errors
from storage.pairs import paper_splits
from storage.papers.metadata import PAPERS
from storage.papers.removals import PaperRemovalStore
from storage.schema import DATA_SET

_REMOVED = """
    SELECT md5, max(action) FROM removed_papers
    WHERE part = 0 AND md5 IN (SELECT md5 FROM release_splits) AND md5 NOT IN (SELECT md5 FROM papers)
    GROUP BY 1 ORDER BY 1
"""
_ENTER = """
    INSERT INTO release_splits (release, md5, pair_key, split)
    SELECT release, :md5, pair_key, split FROM release_splits
    WHERE md5 = :released AND NOT EXISTS (SELECT 1 FROM release_splits WHERE md5 = :md5)
"""
# In a project without a split, releases alone have one.
_STAYS = """
    SELECT released.split FROM papers JOIN release_splits AS released ON released.md5 = :released
    WHERE papers.md5 = :md5 AND coalesce(papers.split, released.split) = released.split
    ORDER BY release DESC LIMIT 1
"""


class ReleasedPaperStore:
    """Papers of releases that the project no longer has."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._removals = PaperRemovalStore(connection)

    @translate_decoding_errors()
    def removed(self) -> list[KnownPaper]:
        """The released papers that were removed, as they were then, by MD5; without those merged into another one."""
        removed = self._connection.exec_driver_sql(_REMOVED).all()
        contents: list[dict[str, Any]] = [self._removals.content(action, md5) for md5, action in removed]
        papers = [content["paper"] for content in contents if "merged" not in content]
        return [read_part(KnownPaper, paper) for paper in papers if paper["kind"] != DATA_SET]

    @translate_decoding_errors()
    def removed_texts(self, md5: str) -> list[str]:
        """The text of the paragraphs of a removed paper, in order."""
        actions: dict[str, int] = dict(self._connection.exec_driver_sql(_REMOVED).all())
        return [paragraph["text"] for paragraph in self._removals.content(actions[md5], md5)["paragraphs"]]

    def keep_split(self, md5: str, released: str) -> str:
        """Have a paper stay in the split of the removed one that it is; the split, "" where the project's is another.

        A paper that was released itself stays in its own.
        """
        names = {"md5": md5, "released": released}
        self._connection.exec_driver_sql(_ENTER, names)
        ids = self._connection.scalars(select(PAPERS.c.id).where(PAPERS.c.md5 == md5)).all()
        paper_splits.refresh_papers(self._connection, ids)
        return str(self._connection.exec_driver_sql(_STAYS, names).scalar() or "")
