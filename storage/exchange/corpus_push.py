"""Pushes what people did in a project to a corpus: answers, marks, mended sentences and answers about kinds.

Events are added, by the pair's key and the annotator's name; none is changed. Pushing again adds what is new. Where an
annotator has answered a pair differently in two projects, both answers are kept, and the later one will hold. What was
undone since it was pushed is followed by what the undo came to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from miner.corpus.answers import read_answers, write_answers, write_taxonomy
from miner.corpus.shards import read_shard
from miner.libraries import pc
from miner.progress import Progress
from storage.exchange.added_project import LISTED, PersonConflict
from storage.exchange.corpus_events import Event, events_of, find_conflicts, identity, last_undone
from storage.exchange.corpus_pull import SettledCorpus
from storage.exchange.other_project import OtherProject
from storage.project import Project


@dataclass(frozen=True, slots=True)
class PushedAnswers:
    """What was pushed: how many events the corpus did not have.

    known: how many it had. elsewhere: how many are about pairs that the corpus does not have. people: names. conflicts:
    the first differing answers of the same person, of conflict_count. file: in the corpus, "" if nothing was new.
    """

    events: int
    known: int
    elsewhere: int
    people: tuple[str, ...]
    conflicts: tuple[PersonConflict, ...]
    conflict_count: int
    file: str


def push_answers(project: Project, corpus: SettledCorpus, progress: Progress) -> PushedAnswers:
    """Add to the corpus the events of the project about its pairs that it does not have."""
    out, given, undone, taxonomies = corpus.out, list[Event](), list[Event](), dict[str, str]()
    elsewhere = 0
    with project.read_transaction() as stores:
        here = OtherProject(project.path, stores)
        for work, held, taken_back in events_of(here):
            progress.tick(len(given), None, "answers")
            papers = _papers_of_keys(corpus, {pair.identity for pair in here.pairs(work.keys).values()})
            elsewhere += sum(event["pair_key"] not in papers for event in held)
            given += [event | {"md5": papers[key]} for event in held if (key := event["pair_key"]) in papers]
            undone += [event | {"md5": papers[key]} for event in taken_back if (key := event["pair_key"]) in papers]
        for digest in {row["taxonomy"] for row in (*given, *undone)} - {None}:
            taxonomies[digest] = here.taxonomies[digest][0]
    there = read_answers(out, sorted({row["md5"] for row in (*given, *undone)})).to_pylist()
    given += last_undone(undone, there).values()
    known_events = {identity(row) for row in there}
    new = [row for row in given if identity(row) not in known_events]
    for digest, text in sorted(taxonomies.items()):
        write_taxonomy(out, digest, text)
    file = write_answers(out, new) if new else ""
    conflicts = find_conflicts(given, there)
    names = tuple(sorted({row["annotator"] for row in new}))
    return PushedAnswers(
        len(new), len(given) - len(new), elsewhere, names, tuple(conflicts[:LISTED]), len(conflicts), file
    )


def _papers_of_keys(corpus: SettledCorpus, md5s: Iterable[str]) -> dict[str, str]:
    """The papers of all pairs that the corpus has of these papers, by key."""
    found: dict[str, str] = {}
    for shard, some in corpus.by_shard(sorted(md5s)):
        table = read_shard(corpus.out, shard, "pairs", ["md5", "key"], pc.field("md5").isin(some))
        found.update(zip(table["key"].to_pylist(), table["md5"].to_pylist(), strict=True))
    return found
