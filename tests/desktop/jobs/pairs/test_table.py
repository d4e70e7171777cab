"""Jobs that read the table of pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.pairs import table
from desktop.jobs.pairs.table import CopyFormat
from desktop.jobs.review import answers
from miner.progress import Cancelled, Progress
from miner.records import Answer
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.marks import MarkKind
from storage.pairs.filters import PairFilter, PairOrder, SortColumn
from storage.project import Project
from storage.settings import PAIR_FILTERS
from tests.storage.factories import add, answer_about_kinds, mine, reasoned


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        add(project, ["a", "b"])
        mine(project)
        yield project


def test_a_short_list_is_complete_at_first(project: Project) -> None:
    first = table.load_first(project, PairFilter(), PairOrder(), 3).work(Progress())
    assert first.is_complete
    assert len(first.ids) > len(first.lines) == 3
    assert table.load_all(project, PairFilter(), PairOrder()).work(Progress()).ids == first.ids


def test_selected_pairs_are_found_at_their_new_positions(project: Project) -> None:
    ids = table.load_all(project, PairFilter(), PairOrder()).work(Progress()).ids
    sorted_list = table.load_all(
        project, PairFilter(), PairOrder(SortColumn.OVERLAP, True), frozenset([ids[0], 999])
    ).work(Progress())
    assert sorted_list.positions == {ids[0]: sorted_list.ids.index(ids[0])}


def test_a_cancelled_read_stops(project: Project) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        table.copy_pairs(project, [1], CopyFormat.TSV).work(progress)


def test_details_have_current_and_replaced_answers(project: Project) -> None:
    ids = table.load_first(project, PairFilter(), PairOrder(), 1).work(Progress()).ids
    [key] = table.load_keys(project, ids[:1]).work(Progress())
    answers.answer(project, [key], "mk", Answer.NEUTRAL).work(Progress())
    answers.answer(project, [key], "mk", Answer.REASONING).work(Progress())
    answers.mark(project, [key], "ada", MarkKind.NOTE, "Look here.").work(Progress())
    with project.transaction() as stores:
        at = datetime.now(UTC)
        stores.answers.append([NewAnswer(key, "ada", at, Answer.NEUTRAL, AnswerSource.ACCEPTED)])
    details = table.load_details(project, key).work(Progress())
    assert details is not None
    assert [(entry.annotator, entry.text, entry.is_current) for entry in details.history] == [
        ("mk", "neutral", False),
        ("mk", "reasoning", True),
        ("ada", "note: Look here.", True),
        ("ada", "accepted neutral", True),
    ]
    answer_about_kinds(project, key, "ada", reasoned("ct", "b"))
    answer_about_kinds(project, key, "ada", reasoned("", "b"))
    answer_about_kinds(project, key, "mk", reasoned("c"))
    answered = table.load_details(project, key).work(Progress())
    assert answered is not None
    assert {(entry.annotator, entry.text, entry.is_current) for entry in answered.history[:3]} == {
        ("ada", "kinds: reasoning; causal, temporal; hypothesis entails premise", False),
        ("ada", "kinds: reasoning; no kind of reasoning; hypothesis entails premise", True),
        ("mk", "kinds: reasoning; causal (not finished)", True),
    }
    assert details.provenance.section == "Introduction"
    assert details.provenance.run == "run"
    assert table.load_details(project, "nothing").work(Progress()) is None


def test_pairs_are_copied_as_lines_and_as_json(project: Project) -> None:
    ids = table.load_all(project, PairFilter(), PairOrder()).work(Progress()).ids
    head, *rows = table.copy_pairs(project, ids, CopyFormat.TSV).work(Progress()).text.splitlines()
    assert head.split("\t")[:3] == ["id", "premise", "hypothesis"]
    assert len(rows) == len(ids)
    assert {len(row.split("\t")) for row in rows} == {len(head.split("\t"))}
    objects = json.loads(table.copy_pairs(project, ids, CopyFormat.JSON).work(Progress()).text)
    assert [one["id"] for one in objects] == table.load_keys(project, ids).work(Progress())


def test_a_filter_is_saved_under_its_name_until_it_is_deleted(project: Project) -> None:
    wanted = PairFilter(text="cells", flagged=True)
    table.save_filter(project, "Mine", wanted).work(Progress())
    assert table.load_filters(project).work(Progress()) == {"Mine": wanted}
    assert table.save_filter(project, "Mine", None).work(Progress()) == {}
    with project.transaction() as stores:
        stores.settings.put(replace(PAIR_FILTERS, dump=lambda data: data), {"Odd": {"from_the_future": 1}, "Good": {}})
    assert table.load_filters(project).work(Progress()) == {"Good": PairFilter()}
