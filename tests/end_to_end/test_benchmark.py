"""A benchmark at the real window: a round for three people, their files, a conflict and a tie, and the release."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.mining.run import mine
from desktop.jobs.pairs.audit import load_audit
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.review.merging import load_merges
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.annotators import Role
from storage.annotation.round_draw import RoundStratum
from storage.exchange.answer_files import read_answer_file
from storage.project import Project
from storage.settings import TARGETS
from tests.data_set_reader import opened
from tests.end_to_end.virtual_screen import Program, Screen, missing, until, virtual_screen
from tests.sample_papers import SAMPLES

DOMAINS = ("coastal", "ecology")  # of the benchmark; the project has two more
TITLE = "^work.pairwright"
ANSWERS = list(Answer)  # key 1 gives the first, and so on

pytestmark = [
    pytest.mark.skipif(bool(missing()), reason=missing()),
    pytest.mark.timeout(400),
    pytest.mark.slow,
]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    with virtual_screen(tmp_path) as screen:
        yield screen


def test_three_people_make_a_benchmark_that_others_open_and_rebuild(screen: Screen, tmp_path: Path) -> None:
    path, data = tmp_path / "work.pairwright", tmp_path / "data"
    _mine(path)
    with Program(screen, data, path) as program:
        screen.focus_window(TITLE)
        _show_page(screen, "ctrl+shift+r")
        _add_people(screen, path, "Ada, Ben, Cleo")
        _set_targets(screen, path)
        _split_papers(screen, path)
        labels = _draw_round(screen, path)
        sent = _send(screen, tmp_path / "sent")
        _quit(screen, program)
    returned = _answer_all(screen, tmp_path, sent, labels)

    with Program(screen, data, path) as program:
        _back_in_window(screen)
        _merge(screen, path, returned)
        _decide_the_tie(screen, path, labels)
        _show_page(screen, "ctrl+shift+g")
        agreement = _copied(screen, "Which annotators agree with each other?")
        audit = _audit(screen, path)
        folder = _release(screen, path)
        _quit(screen, program)
    agreeing = {tuple(line.split("\t")[:4]) for line in agreement.splitlines()}
    assert {("Ada", "Ben", "16", "0.8750"), ("Ada", "Cleo", "16", "0.9375")} <= agreeing
    assert "Chance\t" in audit
    _check_release(folder, labels, tmp_path)


def _mine(path: Path) -> None:
    """A project of the sample papers of all four domains."""
    with Project.create(path) as project:
        for domain in (*DOMAINS, "nlp", "reading"):
            import_papers(project, [SAMPLES / domain], ImportOptions(domain=domain, workers=1)).work(Progress())
        mine(project, workers=1).work(Progress())


# In the window


def _back_in_window(screen: Screen) -> None:
    screen.focus_window(TITLE)
    screen.wait_until_still()


def _show_page(screen: Screen, keys: str) -> None:
    screen.press(keys)
    screen.wait_until_still()


def _open(screen: Screen, key: str, title: str) -> None:
    """Press a key for a dialog."""
    screen.press_until(key, lambda: screen.windows(title), f"the dialog {title}", again_after=8)
    screen.focus_window(title)


def _quit(screen: Screen, program: Program) -> None:
    screen.press("ctrl+q")
    assert program.end() == 0
    assert "Traceback" not in program.output


def _copied(screen: Screen, heading: str) -> str:
    """The numbers of the page on the screen, which have this heading."""

    def copied() -> str:
        screen.press("ctrl+shift+c")
        screen.wait_until_still()
        text = screen.clipboard()
        return text if heading in text else ""  # they may not be counted yet

    return until(copied, heading, 60)


# The round


def _add_people(screen: Screen, path: Path, names: str) -> None:
    _open(screen, "Return", "^Add people")
    screen.write(names)
    screen.press("Return")
    until(lambda: len(_roles(path)) == 3, "three people")
    _back_in_window(screen)


def _set_targets(screen: Screen, path: Path) -> None:
    """One pair of each class for dev and for test, in two of the four domains."""
    screen.press("ctrl+k")
    screen.write("targets")
    _open(screen, "Return", "^Targets")
    screen.press("Tab", "Tab", "space", "Tab", "space", "Tab")
    screen.write("1")
    screen.press("Tab")
    screen.write("1")
    screen.press("Return")

    def are_saved() -> bool:
        with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
            targets = stores.settings.get(TARGETS)
        return (targets.dev, targets.test, targets.domains) == (1, 1, DOMAINS)

    until(are_saved, "the targets")
    _back_in_window(screen)


def _split_papers(screen: Screen, path: Path) -> None:
    """Of either domain the older paper is a test paper, the newer one a dev paper; all others are train papers."""
    _open(screen, "Return", "^Split the papers")
    screen.press("Down", "Tab")  # by years
    for domain in DOMAINS:
        screen.write(f"{domain}: test -2020, dev 2021-")
        screen.press("Return")
    screen.press("Tab", "space")  # all others are train papers

    def papers() -> dict[tuple[str, str], int]:
        with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
            return stores.split_counts.papers()

    held_out = {(split, domain): 1 for split in ("dev", "test") for domain in DOMAINS}
    everything = held_out | {("train", "nlp"): 2, ("train", "reading"): 2}
    screen.press_until("Return", lambda: papers() == everything, "the split")  # once it is said what it comes to
    _back_in_window(screen)


def _draw_round(screen: Screen, path: Path) -> dict[str, Label]:
    """The labels of the pairs that were drawn, in their order."""

    def drawn() -> dict[str, Label]:
        with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
            keys = [key for one in stores.annotation_rounds.all() for key in stores.annotation_rounds.keys(one.number)]
            return {key: Label(stores.pairs.get(key).distant_label) for key in keys}

    _open(screen, "Return", "^New round")
    screen.press_until("Return", drawn, "the round")
    _back_in_window(screen)
    assert Counter(drawn().values()) == dict.fromkeys(Label, 2 * len(DOMAINS))
    return drawn()


def _send(screen: Screen, folder: Path) -> list[Path]:
    """The answer files of Ada, Ben and Cleo."""
    folder.mkdir()
    _open(screen, "Return", "^Send round 1$")
    _open(screen, "Return", "choose a folder$")
    screen.write(str(folder))
    screen.press("Return")
    until(lambda: len(list(folder.glob("round*"))) == 3, "three files")
    _back_in_window(screen)
    return sorted(folder.glob("round*"))


# The answers


def _answer_all(screen: Screen, folder: Path, sent: list[Path], labels: dict[str, Label]) -> list[Path]:
    """Have everybody answer in a window of their own. Ada answers the first pair twice, in another way on each machine.

    All three differ on this pair by her later answer, and two agree on another label by her first.
    """
    first, second = list(labels)[:2]
    right = {key: Answer(label) for key, label in labels.items()}
    ben = right | {first: _wrong(labels[first], 1), second: _wrong(labels[second], 1)}
    cleo = right | {first: _wrong(labels[first], 2)}
    files = []
    for place, file, answers in (
        ("Ada at work", sent[0], right | {first: ben[first]}),
        ("Ben", sent[1], ben),
        ("Cleo", sent[2], cleo),
        ("Ada at home", sent[0], {first: right[first]}),
    ):
        (folder / place).mkdir()
        copy = Path(shutil.copyfile(file, folder / place / file.name))
        _answer(screen, folder / f"data of {place}", copy, answers)
        files.append(copy)
    return files


def _wrong(label: Label, by: int) -> Answer:
    labels = list(Label)
    return Answer(labels[(labels.index(label) + by) % len(labels)])


def _answer(screen: Screen, data: Path, file: Path, answers: dict[str, Answer]) -> None:
    with Program(screen, data, file) as program:
        screen.focus_window("^Answers of round 1 for")
        screen.wait_until_still()
        for number, answer in enumerate(answers.values(), start=1):
            key = str(ANSWERS.index(answer) + 1)
            screen.press_until(
                key, lambda number=number: len(_given(file)) == number, f"answer {number}", again_after=6
            )
        assert _given(file) == answers
        _quit(screen, program)


def _given(file: Path) -> dict[str, Answer]:
    """What is in an answer file alone, as if it were sent now."""
    copy = Path(shutil.copyfile(file, file.with_name("copy")))
    try:
        return {one.pair_key: one.answer for one in read_answer_file(copy).answers if one.answer is not None}
    finally:
        copy.unlink()


def _merge(screen: Screen, path: Path, files: list[Path]) -> None:
    """Drop all files at once, Ada's later one first."""
    assert screen.drop(files[::-1], 700, 450) == "dropped"
    screen.focus_window("^Merge answer files")
    with Project.open(path, read_only=True) as project:
        merges = load_merges(project).work(Progress())
    [conflict] = [conflict for one in merges for conflict in one.conflicts]
    assert {conflict.here.answer, conflict.there.answer} == set(_ada_answers(files))
    screen.press("Escape")
    until(lambda: not screen.windows("^Merge answer files"), "the end of the receipt")
    _back_in_window(screen)


def _ada_answers(files: list[Path]) -> list[Answer]:
    """Hers to the pair that she answered twice."""
    work, home = _given(files[0]), _given(files[-1])
    return [answer for key, once in home.items() for answer in (work[key], once)]


def _decide_the_tie(screen: Screen, path: Path, labels: dict[str, Label]) -> None:
    _open(screen, "Return", "^Add people")
    screen.write("Dee")
    screen.press("Return")
    until(lambda: _roles(path).get("Dee") is Role.ADJUDICATOR, "an adjudicator")
    _back_in_window(screen)
    _open(screen, "Return", "^Who annotates")
    screen.press("ctrl+a")
    screen.write("Dee")
    screen.press("Return")
    _back_in_window(screen)
    screen.press("Return")
    screen.wait_until_still()  # the tie in Review
    assert [one.gold for one in _strata(path)].count(0) == 1
    screen.press(str(ANSWERS.index(Answer(next(iter(labels.values())))) + 1))
    until(lambda: {one.gold for one in _strata(path)} == {1}, "all targets")
    screen.wait_until_still()
    screen.press("Return")  # back to Annotate
    screen.wait_until_still()


def _roles(path: Path) -> dict[str, Role]:
    with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
        return {one.name: one.role for one in stores.annotators.all()}


def _strata(path: Path) -> list[RoundStratum]:
    with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
        return stores.round_draws.progress(DOMAINS)


# The data set


def _audit(screen: Screen, path: Path) -> str:
    def is_done() -> bool:
        with Project.open(path, read_only=True) as project:
            return load_audit(project).work(Progress()).report is not None

    _show_page(screen, "ctrl+shift+u")
    screen.press("Return")
    until(is_done, "the audit", 60)
    screen.wait_until_still()
    return _copied(screen, "Guessed correctly")


def _release(screen: Screen, path: Path) -> Path:
    """What Annotate offers when all targets are reached, under a name."""
    folder = path.parent / "work-export"
    _show_page(screen, "ctrl+shift+r")
    screen.press("Return")
    screen.wait_until_still()
    screen.press("alt+o", "Tab", "Tab")
    screen.write("first")
    screen.wait_until_still()
    screen.press_until("ctrl+Return", (folder / "manifest.json").exists, "the release", again_after=10)
    screen.wait_until_still()
    return folder


def _check_release(folder: Path, labels: dict[str, Label], path: Path) -> None:
    """Others open the folder, and make the same one of the papers and the manifest."""
    found = opened(folder)
    assert found["errors"] == []
    rows = {name: split for name, split in found["hub"].items() if split}
    assert rows.keys() == {"train", "validation", "test"}
    assert {row["id"]: row["label"] for split in ("validation", "test") for row in rows[split]} == labels
    assert {row["label"] for row in rows["train"]} == set(Label)
    again = path / "again"
    command = ["-m", "desktop", "rebuild", folder / "manifest.json", "--papers", SAMPLES, "--out", again, "--quiet"]
    subprocess.run([sys.executable, *map(str, command)], cwd=path, check=True, timeout=120)
    assert _files(again) == _files(folder)


def _files(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if not one.name.startswith(".")}
