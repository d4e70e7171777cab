"""Sending a round again into the same folder: what was stopped is completed, and answers are never written over."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.review.answer_files import send_assignments
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotation_rounds import AssignmentState
from storage.annotation.sent_assignments import AssignmentForm
from storage.project import Project
from storage.settings import GUIDELINES
from tests.answer_file_factory import answer_in, keys_in, merge, owner_project, send


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with owner_project(tmp_path / "owner.pairwright", "ab") as project:
        yield project


def states(project: Project) -> list[AssignmentState]:
    with project.read_transaction() as stores:
        return [one.state for one in stores.annotation_rounds.assignments(1)]


@pytest.mark.parametrize("form", [AssignmentForm.ANSWER_FILE, AssignmentForm.CSV, AssignmentForm.LABEL_STUDIO])
def test_sending_again_completes_what_was_stopped(project: Project, tmp_path: Path, form: AssignmentForm) -> None:
    folder = tmp_path / "sent"
    [anna] = send_assignments(project, 1, folder, ["Anna"], form).work(Progress())
    with project.transaction() as stores:  # as if it was killed once the file was written
        stores._connection.exec_driver_sql("UPDATE assignments SET state = 'open', sent_at = NULL, digest = NULL")
    for path in anna.beside[1:]:
        path.unlink()
    leftover = folder / f".pairwright-{'0' * 16}.part"
    leftover.touch()
    os.utime(leftover, (0, 0))
    before = anna.path.stat()
    again, ben = send_assignments(project, 1, folder, (), form).work(Progress())
    assert (again.path, again.is_left, ben.is_left) == (anna.path, not anna.beside[1:], False)
    assert (anna.path.stat().st_ino, anna.path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert set(folder.iterdir()) == {anna.path, *anna.beside, ben.path, *ben.beside}
    assert states(project) == [AssignmentState.SENT, AssignmentState.SENT]


def test_what_is_left_as_it_was_sent_stays_merged(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    shutil.copy(anna, tmp_path / anna.name)
    answer_in(tmp_path / anna.name, {keys_in(project)[0]: [(1, Answer.NEUTRAL)]})
    merge(project, tmp_path / anna.name)
    send(project, tmp_path / "sent")
    assert states(project) == [AssignmentState.MERGED, AssignmentState.SENT]


def test_an_unanswered_file_with_other_guidelines_is_refused(project: Project, tmp_path: Path) -> None:
    send(project, tmp_path / "sent")
    with project.transaction() as stores:
        stores.settings.put(GUIDELINES, "New ones.")
    with pytest.raises(UserError, match=r"Anna.* and .*Čech.* exist already") as refused:
        send(project, tmp_path / "sent")
    assert "it is not what would be sent now" in refused.value.hint
