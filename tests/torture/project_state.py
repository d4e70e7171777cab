"""A project, what must hold of it after every step, and the model in plain Python that says so."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant
from hypothesis.stateful import rule as hypothesis_rule

from miner.errors import UserError
from miner.kinds.questionnaire import Answers
from miner.progress import Job, Progress
from miner.records import Answer, Label, Pair, Strategy
from miner.splits import PaperSplit, shares_split
from miner.year_ranges import OTHER_DOMAINS, YearRange
from storage.annotation.marks import FLAG_VALUE, MarkKind, RejectReason
from storage.dataset.export_options import ExportOptions
from storage.exchange.pair_export import export_pairs
from storage.integrity.history_chain import HISTORIES
from storage.pairs import judgement
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.verification import find_changed_rows
from tests.storage.factories import as_many, mined, pair, paper, pdf, reasoned, some_pairs
from tests.torture.state_filters import (
    PEOPLE,
    TAGS,
    FilteredPair,
    means,
    read_pairs,
)
from tests.torture.state_model import Model
from tests.torture.state_records import ModelPaper, NewRow, Slot

PAPERS = ("a", "b", "c", "d")
TEXTS = (None, "A mended sentence.", "Mended again!")
SPLITS = (
    None,
    shares_split(1, 1, 1),
    shares_split(1, 1, 1, seed=2),
    PaperSplit(rest="test"),
    PaperSplit(rest="test", keep_released=False),
    PaperSplit((YearRange(OTHER_DOMAINS, (("dev", 1.0),), 2019, None),), rest="train"),
)
KINDS: tuple[Answers, ...] = (reasoned("c", "f"), reasoned("ct", "b", "entailment"), reasoned("c"), {})
MARKS = (
    (MarkKind.FLAG, FLAG_VALUE),
    (MarkKind.NOTE, "Look again."),
    (MarkKind.BAD, RejectReason.NOT_PROSE.value),
    (MarkKind.TAG, ", ".join(TAGS)),
    (MarkKind.TAG, TAGS[1]),
)
ANSWERS = (*Answer, None)
STATUS_EVERY, ROWS_EVERY = 7, 29  # steps between the checks that read all rows
WHO, PICKS = st.sampled_from(PEOPLE), st.lists(st.integers(0, 40), min_size=1, max_size=3)
ANSWER_GIVEN, MARK_GIVEN = st.sampled_from(ANSWERS), st.sampled_from(MARKS)
STORED_PAIRS = """
    SELECT pairs.key, md5, current, premise, hypothesis, mined_premise, mined_hypothesis, pairs.edited, distant_label,
        pairs.split, pairs.label, run IS NULL, status, gold, majority, contested, flagged, noted, accepted, votes
    FROM pairs JOIN papers ON papers.id = paper_id
"""
_SUGGESTED = """
    SELECT pairs.key, suggestions.label FROM suggestions JOIN pairs ON pairs.id = pair
    JOIN suggestion_runs ON suggestion_runs.id = suggestions.run WHERE state = 'complete'
"""
_ROUNDS = """
    SELECT annotation_rounds.uid, number, kind, is_open, sum(state <> 'open') > 0 FROM annotation_rounds
    JOIN assignments ON assignments.round = annotation_rounds.id GROUP BY 1
"""


def pairs_in(md5: str, variant: int) -> Sequence[Pair]:
    """What mining finds in a paper."""
    found = list(some_pairs(md5).pairs)
    match variant:
        case 1:
            return found[1:]
        case 2:
            return [
                pair(md5, one.premise, one.hypothesis_original, label=Label.ENTAILMENT, number=number)
                for number, one in enumerate(found)
                if one.strategy is Strategy.LINKED
            ]
        case 3:
            return [*found, pair(md5, f"{md5} has more.", "However, it is more.", label=Label.REASONING, number=7)]
        case _:
            return found


def work(job: Job[Any]) -> Any:
    return job.work(Progress())


DRAWN: dict[str, dict[str, st.SearchStrategy[Any]]] = {}  # what each rule draws, by its name


def rule(**drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A rule of the machine that counts how often it is applied."""

    def counted(apply: Callable[..., None]) -> Callable[..., None]:
        DRAWN[apply.__name__] = drawn

        @wraps(apply)
        def count(self: ProjectState, **values: Any) -> None:
            ProjectState.counts[apply.__name__] += 1
            apply(self, **values)

        return hypothesis_rule(**drawn)(count)

    return counted


class ProjectState(RuleBasedStateMachine):
    """steps, counts: how many of all machines so far."""

    steps: ClassVar[int] = 0
    counts: ClassVar[Counter[str]] = Counter()
    template: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=self.template.parent))
        path = self.folder / "project.pairwright"
        shutil.copyfile(self.template, path)
        self.project = Project.open(path)
        self.raw = sqlite3.connect(path, isolation_level=None)
        self.model = Model()
        self.histories: dict[str, list[tuple[Any, ...]]] = {table: [] for table in HISTORIES}
        self.files: list[tuple[Path, str, str, tuple[str, ...]]] = []  # path, round, annotator, pairs
        self.given: dict[Path, list[tuple[Slot, datetime, str | None]]] = {}
        self.releases: dict[str, dict[str, bytes]] = {}
        self.number = 0  # of files, releases and mining runs
        self.run = "run"
        for md5 in sorted(paper(name).md5 for name in PAPERS):
            self.model.papers[md5] = ModelPaper(md5)
            self.model.mine(md5, 0, pairs_in)

    def teardown(self) -> None:
        self.raw.close()
        self.project.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @classmethod
    def make_template(cls, folder: Path) -> None:
        """Make the project that every machine begins with a copy of."""
        cls.template = folder / "template.pairwright"
        with Project.create(cls.template) as project:
            for name in PAPERS:
                with project.transaction() as stores:
                    stores.papers.save(paper(name), pdf(name))
            mine_pending(project, "run", dict.fromkeys((paper(name).md5 for name in PAPERS), 0), 100)
            for name in PEOPLE[:-1]:  # nobody registers the last one, who only answers
                with project.transaction() as stores:
                    stores.annotators.ensure(name)

    # What must hold after each step

    @invariant()
    def check(self) -> None:
        ProjectState.steps += 1
        self._check_histories()
        self._check_actions()
        self._check_pairs()
        self._check_decisions()
        if self.steps % STATUS_EVERY == 0:
            with self.project.read_transaction() as stores:
                assert judgement.find_changed(stores._connection) == []
        if self.steps % ROWS_EVERY == 0:
            assert find_changed_rows(self.project) == []

    def _check_histories(self) -> None:
        """Histories have only grown, by the rows that were foretold."""
        added = []
        for table, known in self.histories.items():
            rows = self.raw.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
            assert rows[: len(known)] == known, f"{table} is not append-only"
            self.histories[table] = rows
            added += [_new_row(table, row) for row in rows[len(known) :] if table in _SLOT_KINDS]
        expected, self.model.foretold = self.model.foretold, []
        found = [row for _, row in added]
        foretold, there = Counter(map(_comparable, expected)), Counter(map(_comparable, found))
        assert foretold == there, f"missing: {[*(foretold - there)]}, not foretold: {[*(there - foretold)]}"
        for at, row in added:
            events = self.model.events[row.slot]
            place = next(place for place, one in enumerate(events) if one.is_new)
            foretold_at = events[place].at
            assert not foretold_at or datetime.fromisoformat(foretold_at) == datetime.fromisoformat(at), row
            events[place] = events[place]._replace(at=at, is_new=False)

    def _check_actions(self) -> None:
        expected: list[tuple[int, str, str, int | None]] = [
            (id, one.who, one.state, None) for id, one in self.model.actions.items()
        ]
        expected += [(id, who, "reversal", of) for id, who, of in self.model.reversals]
        found = self.raw.execute("SELECT id, annotator, state, reverses FROM actions ORDER BY id").fetchall()
        assert found == sorted(expected), (found, sorted(expected))

    def _check_pairs(self) -> None:
        found = {row[0]: row[1:] for row in self.raw.execute(STORED_PAIRS)}
        assert found.keys() == self.model.pairs.keys()
        for key, one in self.model.pairs.items():
            texts = [self.model.text_of(key, name) for name in ("premise", "hypothesis")]
            mined = [one.pair.premise, one.pair.hypothesis]
            judged = self.model.judge(key)
            expected = (
                *(one.paper, one.is_current, *texts),
                *(None if now == then else then for now, then in zip(texts, mined, strict=True)),
                *(texts != mined, one.distant, self.model.split_of(one), judged.label(one.distant), one.is_imported),
                *judged,
            )
            assert found[key] == expected, (key, found[key], expected)

    def _check_decisions(self) -> None:
        decided = self.model.decided
        for who, role, name in self.raw.execute("SELECT key, role, name FROM annotators"):
            assert (self.model.role(who), self.model.decided.get(("name", who), who)) == (role, name)
        stored: dict[str, set[str]] = {}
        for name, key in self.raw.execute("SELECT name, pair_key FROM pair_lists LEFT JOIN listed_pairs ON list = id"):
            stored.setdefault(name, set()).add(key)
        assert stored == {slot[1]: set(keys) for slot, keys in decided.items() if slot[0] == "list"}
        rounds = sorted((uid, one.number, one.kind, one.is_open, one.sent) for uid, one in self.model.rounds.items())
        assert sorted(self.raw.execute(_ROUNDS)) == rounds

    # Helpers

    def _keys(self, picks: list[int]) -> list[str]:
        """Pairs of the project, or ones that it had."""
        known = sorted({*self.model.pairs, *(slot[1] for slot in self.model.events)})
        return sorted({known[pick % len(known)] for pick in picks}) if known else ["0" * 32]

    def _present(self, keys: Sequence[str]) -> list[str]:
        return [key for key in keys if key in self.model.pairs]

    def _read(self) -> dict[str, FilteredPair]:
        labels = list(Label)
        suggested = {key: labels[number].value for key, number in self.raw.execute(_SUGGESTED)}
        return read_pairs(self.model, suggested)

    def _meant(self, filter: PairFilter) -> list[str]:
        return [key for key, one in self._read().items() if means(filter, one)]

    def _refuses(self, job: Job[Any]) -> None:
        refused = False
        try:
            work(job)
        except UserError:
            refused = True
        assert refused

    def _export(self, project: Project, options: ExportOptions) -> dict[str, bytes]:
        out = Path(tempfile.mkdtemp(dir=self.folder))
        export_pairs(project, out, options, Progress())
        found = {file.name: file.read_bytes() for file in out.iterdir() if file.name != "receipt.json"}
        shutil.rmtree(out)
        return found

    def _everything(self, raw: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
        """All that merging could change."""
        tables = (*HISTORIES, "actions", "merged_answers", "assignments", "pairs")
        return {table: raw.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables}


_SLOT_KINDS = {"label_events": "answer", "mark_events": "mark", "text_events": "text", "kind_events": "kinds"}


def _new_row(table: str, row: tuple[Any, ...]) -> tuple[str, NewRow]:
    """When a row of a history was added, and what it says."""
    match table:
        case "label_events":
            _, key, who, at, _, old, new, action, via = row
            return at, NewRow(("answer", key, who), old, new, action, via)
        case "mark_events":
            _, key, who, at, kind, old, new, action = row
            return at, NewRow(("mark", key, who, kind), old, new, action)
        case "text_events":
            _, key, _, at, field, _, new, action = row
            return at, NewRow(("text", key, field), None, new, action)
        case _:
            _, key, who, at, _, old, new, *_, action = row
            return at, NewRow(("kinds", key, who), old, new, action)


def _comparable(row: NewRow) -> tuple[str, ...]:
    """What is compared of a row; `old` of a sentence is the text that was shown."""
    old = None if row.slot[0] == "text" else row.old
    return (*row.slot, str(old), str(row.new), str(row.action), row.via)


def mine_pending(project: Project, id: str, variants: dict[str, int], limit: int) -> tuple[list[str], bool]:
    """Mine the next papers of a run; the MD5s of those that were, and whether none is left."""
    with project.transaction() as stores:
        run = stores.mining_runs.start(id, "{}", program="1", language_model="")
        pending = stores.mining_runs.next_papers(run, limit=limit)
    for one in pending:
        with project.transaction(bulk=True) as stores:
            assert stores.pairs.replace_for(one, mined(pairs_in(one.md5, variants[one.md5])), as_many) is not None
    with project.transaction() as stores:
        is_done = stores.mining_runs.finish(run)
    return [one.md5 for one in pending], is_done
