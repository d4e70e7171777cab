"""Adds another project: its papers as they were parsed, and what people did there, as one action.

- A paper that is here already stays as it is; only the work on its pairs comes. Which papers are the same:
  `miner.references.same_paper`. Where the two have another MD5, the keys of its pairs are made of the one here.
- Of each pair an annotator's latest answer holds, as when answer files are merged (`storage.annotation.merging`); so do
  the latest mark and the latest text of a sentence. People are the same if they have the same name.
- Pairs with answers, marks or mended sentences are stored as no longer mined, with all that people did, until mining
  finds them by this project's settings. What mining does not find stays so, as after a change of the settings.
- Settings, the split and the rules of gold are this project's. Pilot rounds come, closed, since their answers are no
  votes.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection

from miner.errors import UserError
from miner.mining.identity import sentence_hash
from miner.mining.pair_values import casefold_sentences
from miner.parsing.formats import FileKind
from miner.parsing.sentences import SentenceSplitter, SplitterParameters
from miner.progress import Progress
from miner.records import NEUTRAL_STRATEGIES, Answer
from miner.references.same_paper import PaperIndex
from storage.annotation.annotators import key_for
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import IMPORTED_ANNOTATOR, AnswerSource
from storage.annotation.merging import ReturnedAnswer, ReturnedMark
from storage.annotation.removals import LIST
from storage.annotation.setup import SetupStore
from storage.exchange.added_project import LISTED, AddedProject, DomainConflict
from storage.exchange.other_project import OtherPair, OtherProject, Work, opened_project
from storage.exchange.work_merging import WorkMerging
from storage.mining.runs import invalidate_from
from storage.pairs import paper_splits
from storage.pairs.store import insert_pairs
from storage.papers.transfer import PaperCopy, add_copies
from storage.project import Project
from storage.schema import DATA_SET
from storage.settings import SENTENCES
from storage.stores import Stores

_BATCH_PAPERS = 20  # stored in one transaction
_SAME_TEXTS = """
    SELECT pairs.key, coalesce(mined_premise, premise), coalesce(mined_hypothesis, hypothesis)
    FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.premise_hash = wanted.value WHERE current
"""
_PAPER_IDS = """
    SELECT md5, papers.id FROM json_each(?) AS wanted CROSS JOIN papers ON papers.md5 = wanted.value
"""
_LIST = "SELECT pair_key FROM listed_pairs JOIN pair_lists ON pair_lists.id = list WHERE name = ? ORDER BY pair_key"


def add_project(project: Project, path: Path, at: datetime, progress: Progress) -> AddedProject:
    """Add the project at `path` to this one.

    It is read as it is at this moment, and never changed. Adding it again adds what is new since. If the job is
    stopped, what was stored stays, and one undo removes it. `UserError` for a file that cannot be taken.
    """
    with opened_project(path, progress) as other:
        with project.read_transaction() as stores:
            known = frozenset(md5 for md5 in other.papers if stores.files.paper_of(md5) is not None)
        other.check(progress, known)
        return _Addition(project, other, known, at, progress).run()


class _Addition:
    """Adds a project in several transactions, so that others can write meanwhile."""

    def __init__(
        self, project: Project, other: OtherProject, known: frozenset[str], at: datetime, progress: Progress
    ) -> None:
        self._project, self._other, self._at, self._progress = project, other, at, progress
        self._known = known  # the MD5s of papers that were here before
        self._result = AddedProject(other.path)
        self._title = f"Add the project {other.path.stem}"
        self._action: int | None = None
        self._here: dict[str, str] = {}  # the MD5s that papers have here, by those there
        self._people: dict[str, str] = {}  # the keys that annotators have here, by those there
        self._merging = WorkMerging(self._people, self._result)

    def run(self) -> AddedProject:
        """Add everything; returns the counts."""
        self._add_papers()
        with self._transaction() as stores, self._acting(stores) as action:
            self._add_people(stores, action)
        for work in self._other.work():
            self._progress.tick(len(self._here), len(self._other.papers), "answers")
            with self._transaction() as stores:
                self._add_work(stores, work)
        with self._transaction() as stores:
            self._add_pilots(stores)
            self._add_lists(stores)
        with self._project.read_transaction() as stores:
            self._result.is_split = paper_splits.read_paper_split(stores._connection) is not None
        self._result.staying = self._other.staying()
        self._result.title = self._title if self._action is not None else ""
        return self._result

    # Transactions

    @contextmanager
    def _transaction(self, *, bulk: bool = False) -> Iterator[Stores]:
        with self._project.transaction(bulk=bulk) as stores:
            if self._action is not None and not stores.actions.is_done(self._action):
                raise UserError(f"“{self._title}” was undone before it had finished, and stopped.")
            yield stores

    @contextmanager
    def _acting(self, stores: Stores) -> Iterator[int]:
        """The id of the action, which begins with the first change and is discarded if there is none."""
        action = self._action or stores.actions.begin("", self._title, self._at)
        yield action
        if self._action is None and not stores.actions.discard_if_empty(action):
            self._action = action

    # Papers

    def _add_papers(self) -> None:
        with self._project.read_transaction() as stores:
            index = PaperIndex(stores.papers.known_papers())
            splitter = SentenceSplitter(stores.settings.get(SENTENCES) or SplitterParameters.bundled()).name
        there = self._other.papers
        for first in range(0, len(there), _BATCH_PAPERS):
            self._progress.tick(first, len(there), "papers")
            md5s = there[first : first + _BATCH_PAPERS]
            copies = {md5: self._other.paper(md5) for md5 in md5s if md5 not in self._known}
            with self._transaction(bulk=True) as stores, self._acting(stores) as action:
                self._here |= {md5: here for md5 in md5s if (here := _find_paper(stores, index, md5, copies.get(md5)))}
                for md5 in md5s:
                    if md5 in self._here:
                        self._count_known(stores, md5, self._here[md5])
                new = [copy for md5, copy in copies.items() if md5 not in self._here]
                ids = add_copies(stores._connection, new)
                stores.paper_edits.note_added(action, ids)
                self._here |= {md5: md5 for md5 in ids}
                for copy in new:
                    if copy.summary.kind == DATA_SET:
                        self._add_imported_pairs(stores, copy.summary.md5, ids[copy.summary.md5])
                        self._result.data_sets += 1
                    else:
                        self._result.papers += 1
                        self._result.splitters += copy.summary.splitter != splitter

    def _count_known(self, stores: Stores, md5: str, md5_here: str) -> None:
        """Count a paper that is here already, and compare its domain."""
        self._result.known += 1
        here, there = stores.papers.summary(md5_here), self._other.stores.papers.summary(md5)
        if here is not None and there is not None and there.domain and here.domain != there.domain:
            self._result.domain_count += 1
            if len(self._result.domains) < LISTED:
                title = here.title or there.title or _file_name(stores, md5_here)
                self._result.domains.append(DomainConflict(title, here.domain, there.domain))

    def _add_imported_pairs(self, stores: Stores, md5: str, paper_id: int) -> None:
        """Add the pairs of a stand-in for a data set; those that the project has, by key or text, are left out."""
        connection = stores._connection
        for some in self._other.imported_pairs(md5):
            keyed = {one.pair.key: one for one in some if one.key_of(one.identity) == one.pair.key}
            known = set(stores.pairs.present(list(keyed)))
            texts = _texts_here(connection, [one.pair.premise for one in some])
            rows = []
            for key, one in keyed.items():
                if key not in known and (text := one.texts) not in texts:
                    texts.add(text)
                    rows.append(one.values(key) | {"paper_id": paper_id, "run": None, "current": True})
            insert_pairs(connection, rows)
        paper_splits.refresh_papers(connection, [paper_id])

    # People and their work

    def _add_people(self, stores: Stores, action: int) -> None:
        names = stores.annotators.names()
        for key, there in self._other.annotators.items():
            if there is None:
                self._people[key] = key_for(key, names)
                continue
            if (here := stores.annotators.find(there.name)) is None:
                here = stores.annotators.ensure(there.name, there.role)
                SetupStore(stores._connection).note_person(action, here)
                self._result.people.append(here.name)
            elif here.role is not there.role:
                self._result.roles.append(here.name)
            self._people[key] = here.key
        self._people[""] = ""
        for text, _ in self._other.taxonomies.values():
            stores.kinds.put_taxonomy(text)

    def _add_work(self, stores: Stores, work: Work) -> None:
        pairs = self._other.pairs(work.keys)
        keys = self._keys_here(work.keys, pairs)
        texts = {keys[key]: one.pair.hypothesis for key, one in pairs.items()}
        with self._acting(stores) as action:
            self._insert_pairs(stores, pairs, keys)
            self._merging.merge_texts(stores, work.held.last_texts, keys, action)
            self._import_answers(stores, work, keys)
            for annotator in sorted({*work.held.answers, *work.held.marks}):
                if not IMPORTED_ANNOTATOR.fullmatch(annotator):
                    answers = _translated(work.held.answers.get(annotator, ()), keys)
                    marks = _translated(work.held.marks.get(annotator, ()), keys)
                    self._merging.merge(stores, annotator, answers, marks, texts, None, action)
            for (annotator, taxonomy), given in sorted(work.held.kinds.items()):
                if not IMPORTED_ANNOTATOR.fullmatch(annotator):
                    self._merging.merge(stores, annotator, _translated(given, keys), [], texts, taxonomy, action)

    def _insert_pairs(self, stores: Stores, pairs: Mapping[str, OtherPair], keys: Mapping[str, str]) -> None:
        """Store the pairs that the project does not have as no longer mined; mining makes them current."""
        connection = stores._connection
        known = set(stores.pairs.present([keys[key] for key in pairs]))
        md5s = {key: self._here[one.paper] for key, one in pairs.items() if one.paper in self._here}
        ids = dict(map(tuple, connection.exec_driver_sql(_PAPER_IDS, (json.dumps(sorted({*md5s.values()})),))))
        run = stores.mining_runs.current()
        rows: dict[str, dict[str, Any]] = {}
        redrawn: set[str] = set()
        for key, one in pairs.items():
            here = keys[key]
            is_own = here == one.key_of(self._identity_here(one))
            if here in known or not is_own or (paper_id := ids.get(md5s.get(key, ""))) is None:
                continue
            rows[here] = one.values(here) | {"paper_id": paper_id, "run": run and run.number, "current": False}
            redrawn |= {md5s[key]} if one.pair.strategy in NEUTRAL_STRATEGIES else set()
        insert_pairs(connection, list(rows.values()))
        self._result.waiting += len(rows)
        if redrawn:  # an annotated neutral pair takes the place of one that was drawn
            invalidate_from(connection, min(redrawn))

    def _import_answers(self, stores: Stores, work: Work, keys: Mapping[str, str]) -> None:
        """Take over what the annotators of data sets answered, whom the files number, as importing them does."""
        given: dict[tuple[datetime, str], list[tuple[str, int, Answer, AnswerSource]]] = {}
        for annotator, answers in sorted(work.held.answers.items()):
            if found := IMPORTED_ANNOTATOR.fullmatch(annotator):
                for one in answers:
                    if one.answer:
                        row = keys[one.pair_key], int(found[1]), Answer(one.answer), AnswerSource(one.source)
                        given.setdefault((one.at, one.seen.to_json()), []).append(row)
        for (at, seen), rows in given.items():
            stores.answers.import_answers(rows, at, seen=AnswerContext.from_json(seen))

    # Keys

    def _identity_here(self, one: OtherPair) -> str:
        """The MD5 that the key of a pair is made of here."""
        here = self._here.get(one.paper, one.paper)
        return one.identity if here == one.paper else here

    def _keys_here(self, keys: Iterable[str], pairs: Mapping[str, OtherPair]) -> dict[str, str]:
        """The keys that pairs have here, by those there."""
        found = {key: key for key in keys}
        for key, one in pairs.items():
            if self._here.get(one.paper, one.paper) != one.paper:
                found[key] = one.key_of(self._identity_here(one))
        return found

    def _translate(self, keys: Sequence[str]) -> list[str]:
        if all(md5 == here for md5, here in self._here.items()):
            return list(keys)
        return list(self._keys_here(keys, self._other.pairs(keys)).values())

    # Rounds and lists

    def _add_pilots(self, stores: Stores) -> None:
        there = self._other.stores.annotation_rounds
        for round in self._other.pilots():
            if stores.annotation_rounds.find(round.uid) is not None:
                continue
            pairs = there.pairs(round.number)
            keys = self._translate([pair.key for pair in pairs])
            drawn = {
                key: pair._replace(key=key, annotator=self._people.get(pair.annotator or ""))
                for key, pair in zip(keys, pairs, strict=True)
            }
            whose = [self._people[one.annotator] for one in there.assignments(round.number)]
            with self._acting(stores) as action, SetupStore(stores._connection).recording(action):
                stores.annotation_rounds.add_closed(round, list(drawn.values()), whose)
            self._result.pilots += 1

    def _add_lists(self, stores: Stores) -> None:
        """Add the lists of pairs; one with other pairs than the list of its name here gets the project's name, too."""
        for name, keys in self._other.lists():
            wanted = sorted(set(self._translate(keys)))
            base = f"{name} ({self._other.path.stem})"
            for given in itertools.chain((name, base), (f"{base} {number}" for number in itertools.count(2))):
                present = stores._connection.exec_driver_sql(_LIST, (given,)).scalars().all()
                if present == wanted:
                    break
                if not stores.actions.is_there(f"{LIST} {given}"):
                    with self._acting(stores) as action:
                        stores.pair_lists.put(given, wanted, self._at)
                        SetupStore(stores._connection).note_added(action, f"{LIST} {given}")
                    self._result.lists += 1
                    break


def _find_paper(stores: Stores, index: PaperIndex, md5: str, copy: PaperCopy | None) -> str | None:
    """The MD5 of this project's paper that equals another project's; None if it is new.

    copy: None if the MD5 is the same.
    """
    if (here := stores.files.paper_of(md5)) is not None or copy is None or copy.summary.kind == DATA_SET:
        return here
    for file in copy.files:
        if file.sha256 and (known := stores.papers.summary_by_sha256(file.sha256)) is not None:
            return known.md5
    return index.find(copy.paper, FileKind(copy.summary.kind), stores.papers.paragraph_texts)


def _file_name(stores: Stores, md5: str) -> str:
    """What the table of papers calls a paper without a title."""
    return next((Path(path).name for path in stores.papers.file_paths(md5)), md5)


def _texts_here(connection: Connection, premises: Iterable[str]) -> set[tuple[str, str]]:
    """The sentences, as `OtherPair.texts`, of the current pairs with one of these premises."""
    hashes = json.dumps([sentence_hash(premise) for premise in premises])
    rows = connection.exec_driver_sql(_SAME_TEXTS, (hashes,))
    return {casefold_sentences(premise, hypothesis) for _, premise, hypothesis in rows}


_Returned = TypeVar("_Returned", ReturnedAnswer, ReturnedMark)


def _translated(given: Iterable[_Returned], keys: Mapping[str, str]) -> list[_Returned]:
    """With the keys that the pairs have here, the oldest first: two papers there may be one here."""
    return sorted((one._replace(pair_key=keys[one.pair_key]) for one in given), key=lambda one: one.at)
