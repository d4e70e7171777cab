"""The ledger says what was merged, and the conflicts of each file, until that is undone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.review.answers import undo
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.annotation.merge_ledger import MergedAnswers
from storage.project import Project
from tests.answer_file_factory import ANNA, answer_in, keys_in, merge, minute, owner_project, send

CONTRASTING, NEUTRAL, REASONING = Answer.CONTRASTING, Answer.NEUTRAL, Answer.REASONING


def ledger(project: Project) -> list[MergedAnswers]:
    with project.read_transaction() as stores:
        return stores.merge_ledger.merges()


def test_what_was_merged_is_listed_with_its_conflicts_until_it_is_undone(tmp_path: Path) -> None:
    with owner_project(tmp_path / "p.pairwright") as project:
        anna, ben = send(project, tmp_path / "sent")
        first, second, third = keys_in(project)[:3]
        with project.transaction() as stores:
            stores.answers.append([NewAnswer(first, ANNA.key, minute(1), CONTRASTING)])
        answer_in(anna, {first: [(5, NEUTRAL)], second: [(6, NEUTRAL)]})
        answer_in(ben, {third: [(7, REASONING)]})
        assert ledger(project) == []
        merge(project, anna)
        merge(project, ben)
        merge(project, anna)  # again: nothing is new
        of_ben, of_anna = ledger(project)
        assert (of_anna.name, of_anna.round, of_anna.pairs) == ("Anna", 1, 2)
        assert (of_ben.name, of_ben.pairs, of_ben.conflicts) == ("Ben Čech", 1, ())
        (conflict,) = of_anna.conflicts
        assert (conflict.pair_key, conflict.here.answer, conflict.there.answer) == (first, CONTRASTING, NEUTRAL)
        assert (conflict.here.at, conflict.there.at, conflict.holds) == (minute(1), minute(5), NEUTRAL)
        assert of_anna.hypotheses[first]
        with project.transaction() as stores:  # somebody settles it
            stores.answers.append([NewAnswer(first, ANNA.key, datetime.now(UTC), REASONING)])
        assert ledger(project)[1].conflicts[0].holds is REASONING


def test_what_was_undone_is_no_longer_listed(tmp_path: Path) -> None:
    with owner_project(tmp_path / "p.pairwright") as project:
        anna = send(project, tmp_path / "sent")[0]
        answer_in(anna, {keys_in(project)[0]: [(5, NEUTRAL)]})
        merge(project, anna)
        undo(project, "").work(Progress())
        assert ledger(project) == []
        merge(project, anna)
        assert [one.pairs for one in ledger(project)] == [1]


def test_the_command_lists_what_was_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ["--project", str(tmp_path / "p.pairwright")]
    with owner_project(tmp_path / "p.pairwright") as project:
        anna = send(project, tmp_path / "sent")[0]
        key = keys_in(project)[0]
        with project.transaction() as stores:
            stores.answers.append([NewAnswer(key, ANNA.key, minute(1), CONTRASTING)])
        answer_in(anna, {key: [(5, NEUTRAL)]})
    assert main(["merge", "--list", *at]) == 0
    assert capsys.readouterr().out == "No answer file has been merged yet.\n"
    assert main(["merge", str(anna), *at]) == 0
    capsys.readouterr()
    assert main(["merge", "--list", *at]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("Anna, round 1: 1 answer, 1 conflict")
    assert "Anna answered contrasting on" in second
    assert second.endswith(key)
    assert main(["merge", "--list", "--json", *at]) == 0
    [listed] = json.loads(capsys.readouterr().out)
    assert [(one["id"], one["holds"]) for one in listed["conflicts"]] == [(key, "neutral")]
    assert main(["merge", *at]) == 1
    assert "Name the files to merge" in capsys.readouterr().err
