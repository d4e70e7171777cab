"""An answer file at the real window: answered by keys, whole after each answer, and merged by a drop elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.review import answers
from miner.progress import Progress
from miner.records import Answer
from storage.exchange.answer_files import read_answer_file
from storage.project import Project
from tests.answer_file_factory import ANNA, answers_of, keys_in, owner_project, send
from tests.end_to_end.virtual_screen import Program, Screen, missing, until, virtual_screen

KEYS = "21435"  # of the answers, in the order in which they are pressed
ANSWERS = [list(Answer)[int(key) - 1] for key in KEYS]

pytestmark = [pytest.mark.skipif(bool(missing()), reason=missing()), pytest.mark.timeout(240)]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    with virtual_screen(tmp_path) as screen:
        yield screen


def test_a_round_goes_out_as_a_file_and_comes_back_with_a_conflict(screen: Screen, tmp_path: Path) -> None:
    owner = tmp_path / "owner.pairwright"
    with owner_project(owner, "a", [ANNA]) as project:
        [sent] = send(project, tmp_path / "sent")
        keys = keys_in(project)
    file = tmp_path / "Anna" / sent.name
    file.parent.mkdir()
    sent.rename(file)

    with Program(screen, tmp_path / "data of Anna", file) as program:
        screen.focus_window("^Answers of round 1 for Anna")
        for number, key in enumerate(KEYS, start=1):
            screen.press_until(
                key, lambda number=number: _answers(file, tmp_path) == ANSWERS[:number], f"answer {number}"
            )
        screen.press("ctrl+q")
        assert program.end() == 0
        assert "Traceback" not in program.output
    assert [path.name for path in file.parent.iterdir()] == [file.name]

    with Project.open(owner) as project:
        answers.answer(project, keys[:1], ANNA.key, Answer.UNCLEAR).work(Progress())  # later, and something else
    with Program(screen, tmp_path / "data", owner) as program:
        screen.focus_window("^owner.pairwright")
        assert screen.drop([file], 700, 450) == "dropped"
        screen.focus_window("^Merge answer files")
        expected = dict(zip(keys, [Answer.UNCLEAR, *ANSWERS[1:]], strict=True))
        assert _in_project(owner) == expected
        screen.press("Escape")
        until(lambda: not screen.windows("^Merge answer files"), "the end of the receipt")
        screen.focus_window("^owner.pairwright")
        screen.press_until("ctrl+z", lambda: _in_project(owner) == {keys[0]: Answer.UNCLEAR}, "the undo")
        screen.press("ctrl+q")
        assert program.end() == 0
        assert "Traceback" not in program.output


def _answers(file: Path, folder: Path) -> list[Answer | None]:
    """What is in the file alone, as if it were sent now."""
    return [one.answer for one in read_answer_file(Path(shutil.copyfile(file, folder / "copy.pairwright"))).answers]


def _in_project(path: Path) -> dict[str, Answer]:
    with Project.open(path, read_only=True) as project:
        return answers_of(project)
