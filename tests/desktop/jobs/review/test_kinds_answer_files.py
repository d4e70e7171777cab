"""Answer files that ask for kinds: blind, merged with a ledger, refused if somebody has changed them."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.results import describe
from desktop.jobs.review import answers as review
from desktop.jobs.review.annotation_rounds import list_rounds, start_annotation_round
from desktop.jobs.review.kinds_rounds import load_kinds
from desktop.jobs.review.merging import load_merges
from miner.kinds.questionnaire import Answers
from miner.kinds.taxonomy import RELATION
from miner.progress import Progress
from storage.annotation.annotation_rounds import AssignmentState, RoundAsks, RoundPlan
from storage.annotation.marks import MarkKind
from storage.project import Project
from storage.settings import ASSIGNMENT
from tests.answer_file_factory import edit, mark_in, merge, minute, send
from tests.storage.annotation.kinds_round_factory import (
    BEGUN,
    CAUSAL,
    CAUSAL_KINDS,
    UNCLEAR,
    UNCLEAR_KINDS,
    answer_round,
)
from tests.storage.annotation.round_factory import C, E, N, R, add_pairs

NAMES = ("Ada", "Ben")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "owner.pairwright") as project:
        add_pairs(project, {"ecology": {C: 3, R: 3, E: 3, N: 3}})
        plan = RoundPlan(asks=RoundAsks.KINDS, pairs=6, overlap=4)
        start_annotation_round(project, plan, NAMES).work(Progress())
        yield project


@pytest.fixture
def files(project: Project, tmp_path: Path) -> list[Path]:
    return send(project, tmp_path / "sent")


def waiting(project: Project, who: str) -> tuple[str, ...]:
    queue = load_kinds(project, who).work(Progress()).queue
    assert queue is not None
    return queue.waiting


def shared_keys(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return [pair.key for pair in stores.annotation_rounds.pairs(1) if pair.annotator is None]


def answer(path: Path, given: Mapping[str, Answers], at: float, who: str = "") -> None:
    """Answer pairs at a minute; by the annotator of the answer file, unless there is a name."""
    with Project.open(path) as file, file.transaction() as stores:
        sent = stores.settings.get(ASSIGNMENT)
        answer_round(stores, who or (sent.annotator if sent else ""), given, minute(at))


def state(project: Project) -> list[object]:
    """What holds now, and the ledger."""
    with project.read_transaction() as stores:
        ledger = stores._connection.exec_driver_sql("SELECT pair_key, at, answer FROM merged_answers ORDER BY 1, 2, 3")
        return [stores.kinds.all(), [one.state for one in stores.annotation_rounds.assignments()], ledger.all()]


def test_a_file_holds_the_annotators_pairs_and_nothing_that_tells_their_label(
    project: Project, files: list[Path]
) -> None:
    for name, path in zip(NAMES, files, strict=True):
        with Project.open(path) as file:
            loaded = load_kinds(file, name).work(Progress())
            assert loaded.queue is not None
            assert (loaded.queue.round, loaded.open, loaded.joinable) == (1, (1,), ())
            assert loaded.queue.waiting == waiting(project, name)
            for one in loaded.queue.pairs:
                assert (one.pair.phrase, one.pair.distant_label, one.domain) == (None, None, "")
            with file.read_transaction() as stores:
                assert stores.queues.current(name) is None  # Review asks nothing
                [pair, *_] = stores.annotation_rounds.pairs(1)
                assert (pair.domain, pair.label) == ("", None)
                sent = stores.settings.get(ASSIGNMENT)
                assert sent is not None
                assert (sent.asks, sent.pairs) == (RoundAsks.KINDS, 6)


def test_answers_come_back_once_and_in_any_order(project: Project, files: list[Path], tmp_path: Path) -> None:
    ada, ben = files
    first, second, third, _ = shared_keys(project)
    answer(ada, {first: CAUSAL, second: BEGUN, third: UNCLEAR}, 1)
    earlier = shutil.copy(ada, tmp_path / "earlier.answers.pairwright")
    answer(ada, {second: UNCLEAR}, 2)
    mark_in(ada, third, MarkKind.NOTE, "an odd pair", 3)
    answer(ben, {first: CAUSAL}, 1)
    result = merge(project, ada, ben)
    [from_ada, from_ben] = result.merged
    assert (from_ada.new, from_ada.unanswered, from_ada.marks, from_ada.conflicts) == (3, 3, 1, ())
    assert (from_ben.new, from_ben.unanswered) == (1, 5)
    assert describe(from_ben).sentence == "Ben, round 1: 1 new answer, 5 unanswered."
    with project.read_transaction() as stores:
        assert stores.kinds.all()[first] == {"Ada": CAUSAL_KINDS, "Ben": CAUSAL_KINDS}
        assert stores.gold.count() == 0
        assert {item.status for item in stores.rounds.items([first, second, third], "Ada")} == {"open"}
    [round] = list_rounds(project).work(Progress())
    assert [(one.assignment.state, one.left) for one in round.assignments] == [
        (AssignmentState.MERGED, 3),
        (AssignmentState.MERGED, 5),
    ]
    after = state(project)
    assert merge(project, ada, earlier).title == ""
    assert state(project) == after
    undone = review.undo(project, "").work(Progress())
    assert undone is not None
    with project.read_transaction() as stores:
        assert stores.kinds.all() == {}
    assert merge(project, earlier).merged[0].unanswered == 4  # one is only begun
    merge(project, ben, ada)
    assert state(project)[0] == after[0]
    assert state(project)[2] == after[2]


def test_the_later_of_two_different_answers_holds_and_the_conflict_is_shown(
    project: Project, files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third, fourth = shared_keys(project)
    answer(project.path, {first: CAUSAL, second: CAUSAL, third: CAUSAL}, 2, "Ada")
    answer(files[0], {first: UNCLEAR, second: CAUSAL, fourth: BEGUN}, 1)
    answer(files[0], {third: UNCLEAR}, 3)
    [merged] = merge(project, files[0]).merged
    assert (merged.new, merged.agreeing) == (3, 1)
    found = {one.pair_key: (one.here.answer, one.there.answer, one.holds) for one in merged.conflicts}
    assert found == {
        first: (CAUSAL_KINDS, UNCLEAR_KINDS, CAUSAL_KINDS),
        third: (CAUSAL_KINDS, UNCLEAR_KINDS, UNCLEAR_KINDS),
    }
    assert [note for note in describe(merged).notes if "Conflict: Ada answered reasoning; causal; forward on" in note]
    [listed] = load_merges(project).work(Progress())
    assert {one.pair_key for one in listed.conflicts} == {first, third}
    assert main(["merge", "--list", "--json", "--project", str(project.path)]) == 0
    [data] = json.loads(capsys.readouterr().out)
    expected = {"relation": "reasoning", "categories": ["causal"], "direction": "forward", "complete": True}
    assert expected in [one["here"]["answer"] for one in data["conflicts"]]
    with project.read_transaction() as stores:
        assert stores.kinds.all()[third]["Ada"] == UNCLEAR_KINDS
        assert [event.annotator for event in stores.kinds.history(fourth)] == ["Ada"]


def test_a_file_that_somebody_has_changed_is_refused(project: Project, files: list[Path], tmp_path: Path) -> None:
    first = shared_keys(project)[0]
    own = waiting(project, "Ben")
    [elsewhere, *_] = [key for key in own if key not in waiting(project, "Ada")]
    answer(files[0], {first: CAUSAL}, 1)
    good = json.dumps({RELATION: ["reasoning"]})
    columns = "pair_key, annotator, at, taxonomy, new, categories, complete"
    values = "'{key}', 'Ada', '{at}', digest, '{new}', '', 1"
    event = f"INSERT INTO kind_events ({columns}) SELECT {values} FROM taxonomies"
    at = datetime(2026, 3, 3, tzinfo=UTC).isoformat()
    changes = {
        "unknown option": [event.format(key=first, at=at, new=json.dumps({RELATION: ["maybe"]}))],
        "unknown question": [event.format(key=first, at=at, new=json.dumps({"colour": ["r"]}))],
        "no JSON": [event.format(key=first, at=at, new="rubbish")],
        "huge": [event.format(key=first, at=at, new=json.dumps({RELATION: ["x" * 200_000]}))],
        "foreign pair": [event.format(key=elsewhere, at=at, new=good)],
        "no time": [event.format(key=first, at="soon", new=good)],
        "other annotator": ["UPDATE kind_events SET annotator = 'Ben'"],
        "other questions": ["UPDATE taxonomies SET text = replace(text, 'Lexical', 'Comical')"],
        "a relation": [
            "INSERT INTO label_events (pair_key, annotator, at, seen, new) "
            f"VALUES ('{first}', 'Ada', '{at}', '{{}}', 'neutral')"
        ],
        "asks for relations": [
            """UPDATE settings SET value = json_remove(value, '$.taxonomy') WHERE "key" = 'assignment'"""
        ],
    }
    before = state(project)
    for number, (what, statements) in enumerate(changes.items()):
        path = Path(shutil.copy(files[0], tmp_path / f"{number}.answers.pairwright"))
        edit(path, *statements)
        result = merge(project, path)
        assert len(result.refused) == 1, what
        assert "Ask Ada to send the file again" in result.refused[0].hint, what
        assert state(project) == before, what


def test_the_order_of_files_does_not_matter(project: Project, files: list[Path], tmp_path: Path) -> None:
    keys = shared_keys(project)
    copies = [Path(shutil.copy(files[0], tmp_path / f"{name}.answers.pairwright")) for name in "xyz"]
    for number, path in enumerate(copies):
        answer(path, {keys[number]: CAUSAL, keys[3]: [CAUSAL, UNCLEAR, BEGUN][number]}, 10 - number)
    found = []
    for order in itertools.permutations(copies):
        for path in order:
            merge(project, path)
        found.append(state(project)[0])
        for _ in order:
            review.undo(project, "").work(Progress())
    assert all(one == found[0] for one in found)
    assert found[0][keys[3]]["Ada"] == CAUSAL_KINDS  # type: ignore[index]
