"""Pushes what people did in a project to a corpus: answers, marks, mended sentences and answers about kinds.

Events are added, by the pair's key and the annotator's name; none is changed. Pushing again adds what is new. Where an
annotator has answered a pair differently in two projects, both answers are kept, and the later one will hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow.compute as pc

from miner.corpus.answers import read_answers, write_answers, write_taxonomy
from miner.corpus.schema import ANSWERS_IDENTITY
from miner.corpus.shards import read_shard
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotators import Role
from storage.annotation.answers import IMPORTED_ANNOTATOR, AnswerSource
from storage.annotation.merging import MergeConflict, TimedAnswer
from storage.convert import utc_text
from storage.exchange.added_project import LISTED, PersonConflict
from storage.exchange.corpus_pull import SettledCorpus
from storage.exchange.other_project import OtherProject, Work
from storage.project import Project

ANSWER, KINDS = "answer", "kinds"

_Row = dict[str, Any]  # of `ANSWERS`, by column


@dataclass(frozen=True, slots=True)
class PushedAnswers:
    """What was pushed: events that the corpus did not have. known: those that it had. elsewhere: those about pairs that
    the corpus does not have. people: names. conflicts: the first answers of the same person that differ, of
    conflict_count. file: in the corpus, "" if nothing was new."""

    events: int
    known: int
    elsewhere: int
    people: tuple[str, ...]
    conflicts: tuple[PersonConflict, ...]
    conflict_count: int
    file: str


def push_answers(project: Project, corpus: SettledCorpus, progress: Progress) -> PushedAnswers:
    """Add to the corpus what people did to its pairs in the project, and it does not have."""
    out, given, taxonomies = corpus.out, list[_Row](), dict[str, str]()
    elsewhere = 0
    with project.read_transaction() as stores:
        here = OtherProject(project.path, stores)
        people = {
            key: (one.name, one.role) if one else (key, Role.ANNOTATOR)
            for key, one in here.annotators.items()
            if not IMPORTED_ANNOTATOR.fullmatch(key)
        }
        for work in here.work():
            progress.tick(len(given), None, "answers")
            papers = _papers_of_keys(corpus, {pair.identity for pair in here.pairs(work.keys).values()})
            for row in _rows(work, people):
                if (md5 := papers.get(row["pair_key"])) is not None:
                    given.append(row | {"md5": md5})
                else:
                    elsewhere += 1
        for digest in {row["taxonomy"] for row in given} - {None}:
            taxonomies[digest] = here.taxonomies[digest][0]
    there = read_answers(out, sorted({row["md5"] for row in given})).to_pylist()
    known_events = {_identity(row) for row in there}
    new = [row for row in given if _identity(row) not in known_events]
    for digest, text in sorted(taxonomies.items()):
        write_taxonomy(out, digest, text)
    file = write_answers(out, new) if new else ""
    conflicts = _conflicts(given, there)
    names = tuple(sorted({row["annotator"] for row in new}))
    return PushedAnswers(
        len(new), len(given) - len(new), elsewhere, names, tuple(conflicts[:LISTED]), len(conflicts), file
    )


def _papers_of_keys(corpus: SettledCorpus, md5s: Iterable[str]) -> dict[str, str]:
    """The papers of all pairs that the corpus has of these papers, by key."""
    found: dict[str, str] = {}
    for shard, some in corpus.batches(sorted(md5s)):
        table = read_shard(corpus.out, shard, "pairs", ["md5", "key"], pc.field("md5").isin(some))
        found.update(zip(table["key"].to_pylist(), table["md5"].to_pylist(), strict=True))
    return found


def _rows(work: Work, people: dict[str, tuple[str, Role]]) -> Iterator[_Row]:
    def row(annotator: str, one: Any, what: str, value: str | None, **more: str | None) -> _Row:
        name, role = people[annotator]
        plain = dict.fromkeys(("old", "seen", "via", "taxonomy"))
        base = {"pair_key": one.pair_key, "annotator": name, "role": role.value, "at": utc_text(one.at)}
        return base | {"what": what, "value": value} | plain | more

    for annotator in work.answers.keys() & people.keys():
        for answer in work.answers[annotator]:
            yield row(annotator, answer, ANSWER, answer.answer, seen=answer.seen.to_json(), via=answer.source)
    for annotator, taxonomy in work.kinds:
        if annotator in people:
            for answer in work.kinds[annotator, taxonomy]:
                yield row(annotator, answer, KINDS, answer.answer, taxonomy=taxonomy)
    for annotator in work.marks.keys() & people.keys():
        for mark in work.marks[annotator]:
            yield row(annotator, mark, mark.kind.value, mark.value)
    for text in work.texts:
        if text.annotator in people:
            yield row(text.annotator, text, text.field.value, text.new, old=text.old)


def _identity(row: _Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ANSWERS_IDENTITY)


def _conflicts(here: list[_Row], there: list[_Row]) -> list[PersonConflict]:
    """The answers about the relation that differ: the last one here, and the last one that only the corpus has."""
    own = {_identity(row) for row in here}
    ours, theirs = _last_answers(here), _last_answers(row for row in there if _identity(row) not in own)
    found = []
    for (key, annotator), (at, answer) in sorted(ours.items()):
        other_at, other = theirs.get((key, annotator), (at, answer))
        if answer and other and other != answer:
            holds = max((at, answer), (other_at, other))[1]
            sides = TimedAnswer(at, Answer(answer)), TimedAnswer(other_at, Answer(other))
            found.append(PersonConflict(annotator, MergeConflict(key, *sides, Answer(holds))))
    return found


def _last_answers(rows: Iterable[_Row]) -> dict[tuple[str, str], tuple[datetime, str]]:
    """By pair and annotator; answers of people alone, no accepted suggestions."""
    last: dict[tuple[str, str], tuple[datetime, str]] = {}
    for row in rows:
        if row["what"] == ANSWER and row["via"] == AnswerSource.ANSWER:
            of, given = (row["pair_key"], row["annotator"]), (datetime.fromisoformat(row["at"]), row["value"] or "")
            last[of] = max(last.get(of, given), given)
    return last
