"""What becomes of the papers of a modelled project: mined again, edited, removed, restored."""

from __future__ import annotations

from hypothesis import strategies as st

from desktop.jobs.papers import edits
from tests.storage.factories import paper, pdf
from tests.torture.project_state import PAPERS, WHO, ProjectState, mine_pending, pairs_in, rule, work
from tests.torture.state_filters import (
    DOMAINS,
)
from tests.torture.state_model import Model
from tests.torture.state_records import ModelPaper


class PapersAndMining(ProjectState):
    """Rules of papers."""

    # Papers

    @rule(variants=st.lists(st.integers(0, 3), min_size=4, max_size=4), anew=st.booleans(), limit=st.integers(1, 6))
    def mine(self, variants: list[int], anew: bool, limit: int) -> None:
        """Mine what is pending, or everything anew; at most so many papers."""
        if anew:
            self.number += 1
            self.run = f"run {self.number}"
        md5s = sorted(paper(name).md5 for name in PAPERS)
        found = dict(zip(md5s, variants, strict=True))
        if not anew:  # the same run finds the same pairs
            found = {md5: one.variant for md5, one in self.model.papers.items() if not one.is_file}
        newly, is_done = mine_pending(self.project, self.run, found, limit)
        for md5 in newly:
            self.model.mine(md5, found[md5], pairs_in)
        if is_done:
            self._check_mined()

    def _check_mined(self) -> None:
        """What is mined depends on the papers alone, whatever came before."""
        fresh = Model()
        fresh.pairs = {key: one for key, one in self.model.pairs.items() if one.is_imported}
        for md5, one in sorted(self.model.papers.items()):
            if not one.is_file:
                fresh.papers[md5] = one
                fresh.mine(md5, one.variant, pairs_in)
        assert {key for key, one in fresh.pairs.items() if one.is_current} == {
            key for key, one in self.model.pairs.items() if one.is_current
        }

    @rule(who=WHO, picks=st.lists(st.integers(0, 9), min_size=1, max_size=2))
    def remove_papers(self, who: str, picks: list[int]) -> None:
        known = sorted(self.model.papers)
        if not known:
            return
        md5s = sorted({known[pick % len(known)] for pick in picks})
        with self.project.read_transaction() as stores:
            ids = stores.paper_table.ids_of(md5s)
        work(edits.remove(self.project, ids, who))
        action = self.model.open(who)
        for md5 in md5s:
            self.model.remove_paper(action, md5)
        self.model.close(action)

    @rule(name=st.sampled_from(PAPERS))
    def add_paper(self, name: str) -> None:
        new = paper(name)
        with self.project.transaction() as stores:
            stores.papers.save(new, pdf(name))
        self.model.papers.setdefault(new.md5, ModelPaper(new.md5))

    @rule(who=WHO, name=st.sampled_from(PAPERS), domain=st.sampled_from(DOMAINS), year=st.sampled_from((None, 2018)))
    def edit_paper(self, who: str, name: str, domain: str, year: int | None) -> None:
        md5 = paper(name).md5
        if md5 not in self.model.papers:
            return
        with self.project.read_transaction() as stores:
            ids = stores.paper_table.ids_of([md5])
        work(edits.edit(self.project, ids, who, {"domain": domain, "year": year}))
        self.model.act(who, [(("domain", md5), domain), (("year", md5), year)])
