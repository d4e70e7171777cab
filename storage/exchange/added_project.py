"""The result of adding another project."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from miner.kinds.questionnaire import PairKinds
from storage.annotation.merging import MergeConflict
from storage.changes import Changes

LISTED = 1000  # conflicts and domains that are listed; the others are only counted


class DomainConflict(NamedTuple):
    """A paper with another domain here, which is kept, than there."""

    title: str
    here: str
    there: str


class PersonConflict(NamedTuple):
    """A pair that somebody (a name) has answered differently here and there."""

    name: str
    conflict: MergeConflict


@dataclass(slots=True)
class AddedProject:
    """The result of adding a project.

    papers, data_sets: how many are new. known: how many papers and data sets are here already. answers: how many are
    new, also such as do not count as an answer here is later; known_answers: were here; agreeing: of the new ones,
    those that the annotator had given here too. marks, texts, lists, pilots: how many changed or are new. people: names
    that are new here. conflicts: answers; conflict_count of them in all. text_conflicts: sentences that were mended
    differently, of which the later text holds. domains: the first papers with another domain here, of domain_count.
    roles: the names of those who have another role here, which holds. waiting: pairs with answers, marks or mended
    sentences that mining has yet to find. splitters: papers whose sentences were split with other parameters than those
    here. staying: what the project has that is not taken over. is_split: this project's papers are split. title: of the
    action, "" if nothing was new.
    """

    path: Path
    papers: int = 0
    data_sets: int = 0
    known: int = 0
    answers: int = 0
    known_answers: int = 0
    agreeing: int = 0
    marks: int = 0
    texts: int = 0
    lists: int = 0
    pilots: int = 0
    people: list[str] = field(default_factory=list)
    conflicts: list[PersonConflict] = field(default_factory=list)
    conflict_count: int = 0
    hypotheses: dict[str, str] = field(default_factory=dict)
    text_conflicts: int = 0
    domains: list[DomainConflict] = field(default_factory=list)
    domain_count: int = 0
    roles: list[str] = field(default_factory=list)
    waiting: int = 0
    splitters: int = 0
    staying: tuple[str, ...] = ()
    is_split: bool = False
    title: str = ""

    @property
    def changes(self) -> Changes:
        """What every page must read again."""
        if not self.title:
            return Changes()
        return Changes(papers=True, pairs=True, many_annotated=True, settings=True)

    def conflict_keys(self, *, of_kinds: bool) -> tuple[str, ...]:
        """The pairs with conflicts about their relation, or about kinds; each once."""
        found = [one.conflict for one in self.conflicts]
        wanted = [one for one in found if isinstance(one.here.answer, PairKinds) is of_kinds]
        return tuple(dict.fromkeys(conflict.pair_key for conflict in wanted))
