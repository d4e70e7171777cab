"""A whole session at the real window, from the first drop to the export, with a kill in between."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from miner.records import Answer
from storage.pairs.filters import PairFilter
from storage.pairs.table import PairTableStore
from storage.project import Project
from tests import hostile_files
from tests.end_to_end.virtual_screen import Program, Screen, missing, until, virtual_screen
from tests.sample_papers import SAMPLES

ANSWERS = list(Answer)  # key 1 gives the first, and so on
TITLE = "^work.pairwright"
CONTRASTING, ACCENT, WHITE = (194, 85, 0), (59, 91, 219), (255, 255, 255)
MARKED = (216, 222, 248)  # the accent at 20 % on white

pytestmark = [pytest.mark.skipif(bool(missing()), reason=missing()), pytest.mark.timeout(240)]


class Event(NamedTuple):
    pair: str
    annotator: str
    old: str | None
    new: str | None


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    with virtual_screen(tmp_path) as screen:
        yield screen


@pytest.mark.slow  # test_answer_files.py has keys at the real window, tests/storage/test_kills.py has kills
def test_what_a_person_did_is_there_after_a_kill_and_comes_out_as_shown(screen: Screen, tmp_path: Path) -> None:
    path = tmp_path / "work.pairwright"  # beside the papers, as is offered
    with Program(screen, tmp_path / "data") as program:
        _drop_papers(screen, _papers(tmp_path / "papers"))
        until(lambda: path.exists() and _is_mined(path), "mined pairs", 60)
        one_by_one, burst = _label(screen, path, program)
    events = _events(path)
    answers, slow = [event.new for event in events], len(one_by_one)
    assert answers[:slow] == [ANSWERS[int(key) - 1] for key in one_by_one]
    left = iter(burst)  # a key that came before its pair was on the screen has answered nothing
    assert all(answer in (ANSWERS[int(key) - 1] for key in left) for answer in answers[slow:])
    assert len({event.pair for event in events}) == len(events), "one answer, one event"

    with Program(screen, tmp_path / "data", path) as program:
        screen.focus_window(TITLE)
        assert _events(path) == events
        screen.press("ctrl+z")
        undone = until(lambda: _events(path)[len(events) :], "the undo")
        assert undone == [Event(events[-1].pair, "mk", events[-1].new, None)]
        _see_in_the_page(screen)
        shown = _filter(screen, path, events[0].pair)
        _export(screen, path, shown, _answers(events[:-1]))
        screen.focus_window(TITLE)
        screen.press("ctrl+q")
        assert program.end() == 0
        assert "Traceback" not in program.output
    with Project.open(path) as project:
        assert project.check() == []


def _papers(folder: Path) -> Path:
    """A folder of papers as people have them: in subfolders, between files that are none."""
    for name in ("coastal", "ecology", "nlp", "reading"):
        pdfs_alone = shutil.ignore_patterns("*.jsonl", "*.xml")  # of the others there is no page to see
        shutil.copytree(SAMPLES / name, folder / "to read" / name, ignore=pdfs_alone)
    junk = folder / "downloads (2)"
    junk.mkdir()
    for make in (
        hostile_files.scan_pdf,
        hostile_files.truncated_pdf,
        hostile_files.empty_pdf,
        hostile_files.renamed_html,
        hostile_files.encrypted_pdf,
    ):
        make(junk)
    (folder / "notes.txt").write_text("Read these.")
    (folder / "Thumbs.db").write_bytes(b"\0" * 100)
    return folder


def _drop_papers(screen: Screen, folder: Path) -> None:
    """On the start page: a drop there asks for a project's name first."""
    screen.focus_window("^Pairwright$")
    assert screen.drop([folder], 700, 450) == "dropped"
    screen.focus_window("New project")
    screen.press("ctrl+a")
    screen.write("work")
    screen.press("Return")
    screen.focus_window("Add papers")
    screen.press("Return")


def _label(screen: Screen, path: Path, program: Program) -> tuple[list[str], list[str]]:
    """Answers pairs, one at a time and then in a burst in which the program is killed; the keys of both."""
    screen.focus_window(TITLE)
    screen.press("ctrl+2")
    screen.press_until("Return", lambda: screen.windows("Who annotates"), "the round that is offered")
    screen.focus_window("Who annotates")
    screen.write("mk")
    screen.press("Return")
    screen.focus_window(TITLE)
    until(lambda: _shows_a_pair(screen), "a pair")
    keys = list("1234123")
    for number, key in enumerate(keys, start=1):
        screen.press_until(key, lambda number=number: len(_events(path)) == number, f"answer {number}", again_after=6)
    burst = list("4321" * 5)
    with subprocess.Popen(["xdotool", "key", "--delay", "60", *burst], env=screen.environment):
        until(lambda: len(_events(path)) >= len(keys) + 3, "answers of the burst")
        program.kill()
    return keys, burst


def _shows_a_pair(screen: Screen) -> bool:
    """The answers are there to be given, the first one's letter in its colour; and no round is to be started."""
    colors = screen.colors((170, 400, 1280, 760))
    return colors.get(CONTRASTING, 0) > 100 and colors.get(ACCENT, 0) < 1_000


def _see_in_the_page(screen: Screen) -> None:
    """Opens the pair's PDF page beside it: low on the right, white paper with marks on it, where neither was."""

    def marked() -> bool:
        colors = screen.colors((820, 400, 1240, 740))
        return colors.get(MARKED, 0) > 500 and colors.get(WHITE, 0) > 50_000

    screen.press("ctrl+2")
    until(lambda: _shows_a_pair(screen), "a pair")
    assert not marked()
    screen.press("c")
    until(marked, "the page with its marks")


def _filter(screen: Screen, path: Path, pair: str) -> PairFilter:
    """Types a word of a pair into the search; the filter that is then shown."""
    with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
        words = [word for word in stores.pairs.get(pair).premise.split() if word.isalpha()]
    word = max(words, key=len)
    screen.press("ctrl+3", "ctrl+f")
    screen.write(word)
    return PairFilter(text=word)


def _export(screen: Screen, path: Path, shown: PairFilter, answers: dict[str, str]) -> None:
    screen.press("ctrl+7", "Down")  # from all pairs to those that the Pairs page shows
    file = path.parent / "work-export" / "pairs.jsonl"

    screen.press_until("ctrl+Return", file.exists, "the export")  # the pairs are counted first
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
        table = PairTableStore(stores._connection)
        lines = {line.key: line for line in table.rows(table.ids(shown))}
    assert {row["id"] for row in rows} == set(lines)
    assert len(rows) == len(lines)
    for row in rows:
        assert row["label"] == answers.get(row["id"], lines[row["id"]].distant)
    assert any(row["id"] in answers for row in rows)


def _is_mined(path: Path) -> bool:
    with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
        states = stores._connection.exec_driver_sql("SELECT state FROM mining_runs ORDER BY id").scalars().all()
        return stores.pairs.count() > 0 and bool(states) and states[-1] == "done"


def _events(path: Path) -> list[Event]:
    with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
        rows = stores._connection.exec_driver_sql("SELECT pair_key, annotator, old, new FROM label_events ORDER BY id")
        return [Event(*row) for row in rows]


def _answers(events: list[Event]) -> dict[str, str]:
    return {event.pair: event.new for event in events if event.new}
