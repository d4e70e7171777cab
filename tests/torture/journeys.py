"""What people do with a project, in small form: what is there before, the call, and what must come of it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from desktop.jobs.lab.experiments.report import TIMED_FILES
from miner.records import Answer
from storage import backups
from storage.project import Project
from tests.answer_file_factory import answer_in, keys_in, owner_project, send
from tests.sample_papers import SAMPLES
from tests.storage.factories import add, mine
from tests.storage.stored_schemas import write_project
from tests.torture import training
from tests.torture.answering import ANNOTATOR, answer_of, is_flagged

PROJECT = "p.pairwright"
_COMMAND = "desktop.cli.main:main"
_AT = datetime(2026, 7, 1, tzinfo=UTC)
_LEARNED = 10  # papers, whose pairs are enough for folds and to measure the model by
_EXPERIMENT = """
name = "words"
seeds = [1]
[data.all]
train = {}
test = {}
[[system]]
kind = "naive_bayes"
"""

RunCommand = Callable[..., None]
"""Runs a command, given as words, undisturbed; it must end with 0."""
Inputs = Path
"""The folder of what several journeys begin with: papers, a model."""


@dataclass(frozen=True)
class Journey:
    """prepare: makes what is there before, in an empty folder. call: a function and its arguments, with {folder} and
    {inputs}. result: what must be as after an undisturbed run. problems: what is wrong after a kill, in sentences; also
    given the folder of an undisturbed run. done: words of an error that says that it was done before it was killed.
    has_workers: it starts processes of its own. opening_changes: a project is changed by opening it, too.
    """

    name: str
    prepare: Callable[[Path, Inputs, RunCommand], None]
    call: tuple[Any, ...]
    result: Callable[[Path], object]
    problems: Callable[[Path, Path], list[str]] = lambda folder, whole: []
    done: str = ""
    has_workers: bool = False
    opening_changes: bool = False


def _command(*words: str, project: str = PROJECT) -> tuple[Any, ...]:
    return (_COMMAND, ["--project", f"{{folder}}/{project}", "--quiet", *words])


def rows_of(path: Path, *queries: str) -> list[Any]:
    """The rows of several queries, each a list."""
    with closing(sqlite3.connect(path)) as connection:
        return [connection.execute(query).fetchall() for query in queries]


# What is there before


def _prepare_mined(count: int, folder: Path, inputs: Path, run: RunCommand) -> None:
    with Project.create(folder / PROJECT) as project:
        add(project, [f"paper {number}" for number in range(count)])
        mine(project)


def _prepare_empty(folder: Path, inputs: Path, run: RunCommand) -> None:
    Project.create(folder / PROJECT).close()


def make_inputs(inputs: Path) -> None:
    """Two small papers, in the forms that take no time to read."""
    (inputs / "papers").mkdir(parents=True)
    for name in ("ecology/late-mowing.jsonl", "reading/whispering.tei.xml"):
        shutil.copy(SAMPLES / name, inputs / "papers")


def _prepare_added(folder: Path, inputs: Path, run: RunCommand) -> None:
    _prepare_empty(folder, inputs, run)
    run("--project", folder / PROJECT, "add", inputs / "papers", "--jobs", "1")


def _prepare_card(folder: Path, inputs: Path, run: RunCommand) -> None:
    _prepare_added(folder, inputs, run)
    run("--project", folder / PROJECT, "mine", "--jobs", "1", "--model", "none")
    run("--project", folder / PROJECT, "export", folder / "data", "--card", "--preset", "full")


def _prepare_backup(folder: Path, inputs: Path, run: RunCommand) -> None:
    _prepare_mined(3, folder, inputs, run)
    backups.back_up(folder / PROJECT, _AT)
    with Project.open(folder / PROJECT) as project:
        add(project, ["later"])


def _prepare_answer_files(folder: Path, inputs: Path, run: RunCommand) -> None:
    with owner_project(folder / PROJECT, "abc") as project:
        keys = keys_in(project)
        for file in send(project, folder):
            answer_in(file, {key: [(number, list(Answer)[number % 4])] for number, key in enumerate(keys)})


def _prepare_stored(schema: str, folder: Path, inputs: Path, run: RunCommand) -> None:
    write_project(schema, folder / PROJECT)


def _prepare_experiment(folder: Path, inputs: Path, run: RunCommand) -> None:
    from tests.desktop.jobs.lab.experiments.test_run import write_rows

    _prepare_empty(folder, inputs, run)
    (folder / "words.toml").write_text(_EXPERIMENT, encoding="utf-8")
    files = [write_rows(folder / f"{split}.csv", n, 10) for n, split in enumerate(("train", "test"))]
    run("--project", folder / PROJECT, "import", *files)


def _prepare_model(count: int, folder: Path, inputs: Path, run: RunCommand) -> None:
    from tests.desktop.model_factory import make_model

    if not (inputs / "tiny").exists():
        make_model(inputs / "tiny")
    _prepare_mined(count, folder, inputs, run)


# What must come of it


def _files_of(name: str, folder: Path) -> dict[str, bytes]:
    """The content of the files of a folder; the report of an experiment also says how long its runs took."""
    out = folder / name
    return {path.name: path.read_bytes() for path in sorted(out.iterdir()) if path.name not in TIMED_FILES}


def _papers(folder: Path) -> object:
    papers = "SELECT md5, digest, domain, title, length(sources) FROM papers ORDER BY md5"
    return rows_of(folder / PROJECT, papers, "SELECT count(*), count(DISTINCT path) FROM files")


def _pairs(folder: Path) -> object:
    pairs = "SELECT id, key, premise, hypothesis, distant_label, split FROM pairs WHERE current ORDER BY key"
    return rows_of(folder / PROJECT, pairs, "SELECT * FROM funnel ORDER BY paper_id, strategy, outcome, reason")


def _answers(folder: Path) -> object:
    answers = "SELECT pair_key, annotator, old, new FROM label_events ORDER BY pair_key, annotator, old"
    marks = "SELECT pair_key, annotator, kind, new FROM mark_events ORDER BY pair_key, annotator, kind"
    pairs = "SELECT key, status, gold, label FROM pairs ORDER BY key"
    return rows_of(folder / PROJECT, answers, marks, pairs, "SELECT count(*) FROM actions")


def find_lost_answers(project: Path, said: Path) -> list[str]:
    """The answers and flags that were shown as saved and are not in the file, or not once."""
    answers, marks = rows_of(
        project,
        f"SELECT pair_key, new FROM label_events WHERE annotator = '{ANNOTATOR}'",
        f"SELECT pair_key FROM mark_events WHERE annotator = '{ANNOTATOR}'",
    )
    lines = [line.split() for line in said.read_text().splitlines()] if said.exists() else []
    problems = []
    for key, value in lines:
        is_there = (key,) in marks if value == "flag" else (key, value) in answers
        if not is_there:
            problems.append(f"{value} of {key} was shown as saved and is not there")
    for rows in (answers, marks):
        keys = [row[0] for row in rows]
        problems += [f"{key} is there {keys.count(key)} times" for key in sorted(set(keys)) if keys.count(key) > 1]
    problems += [f"{key}: {new} was not answered" for key, new in answers if new != answer_of(key)]
    problems += [f"{key} was not flagged" for (key,) in marks if not is_flagged(key)]
    return problems


def _mended(folder: Path) -> object:
    return rows_of(
        folder / PROJECT, "SELECT pair_key, field, old, new FROM text_events", "SELECT key, premise FROM pairs"
    )


def _merged(folder: Path) -> object:
    merged = "SELECT count(*) FROM merged_answers"
    return _answers(folder), rows_of(folder / PROJECT, merged)


def _suggested(folder: Path) -> object:
    return rows_of(
        folder / PROJECT,
        "SELECT pair, label, confidence FROM suggestions JOIN suggestion_runs ON run = id WHERE state = 'complete' "
        "ORDER BY pair",
    )


def _trained(folder: Path) -> object:
    """Whether a run is done whose model is there; a killed one may be kept beside it, to be gone on with."""
    [done] = rows_of(folder / PROJECT, "SELECT folder FROM training_runs WHERE state = 'done'")
    models = folder / f"{Path(PROJECT).stem}.models"
    return {len(list((models / name).glob("*.safetensors"))) for (name,) in done}


def _released(folder: Path) -> object:
    files = "SELECT name, rows, size, sha256, content FROM release_files ORDER BY name"
    return _files_of("out", folder), rows_of(folder / PROJECT, files, "SELECT count(*) FROM releases")


def _backed_up(folder: Path) -> object:
    """What the newest backup holds; how many there are depends on when it was killed."""
    newest = backups.list_rolling_backups(folder / PROJECT)[0].path
    return rows_of(newest, "SELECT key FROM pairs ORDER BY key"), rows_of(newest, "SELECT md5 FROM papers ORDER BY md5")


def _restored(folder: Path) -> object:
    kept = [file for file in backups.list_backups(folder / PROJECT) if file.note == "replaced by a backup"]
    papers = [rows_of(file.path, "SELECT count(*) FROM papers")[0][0][0] for file in kept]
    return rows_of(folder / PROJECT, "SELECT md5 FROM papers ORDER BY md5"), max(papers)


def _all_rows(folder: Path) -> object:
    with closing(sqlite3.connect(folder / PROJECT)) as connection:
        # The name of the last commit is drawn at random.
        return sorted(line for line in connection.iterdump() if not line.startswith('INSERT INTO "last_commit"'))


def _unsound_backups(folder: Path, _: Path) -> list[str]:
    """Backups that cannot be used, in sentences: each must be whole."""
    problems = []
    for backup in backups.list_backups(folder / PROJECT):
        with closing(sqlite3.connect(backup.path)) as connection:
            if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                problems.append(f"{backup.path.name} is not whole")
    return problems


def _half_files(folder: Path, whole: Path) -> list[str]:
    """Files under their names that are not as an undisturbed run writes them."""
    expected = _files_of("out", whole)
    out = folder / "out"
    found = {path.name: path.read_bytes() for path in out.iterdir()} if out.exists() else {}
    return [f"{file} is not whole" for file in found if file in expected and found[file] != expected[file]]


def mend_command(folder: Path) -> tuple[Any, ...]:
    """The command that mends the first pair."""
    [[(key,), *_]] = rows_of(folder / PROJECT, "SELECT key FROM pairs ORDER BY key")
    return _command("mend", key, "--premise", "A mended premise.", "--annotator", "anna")


def reopen(file: str) -> None:
    """Open a project, which updates it, and close it."""
    Project.open(Path(file)).close()


def back_up(file: str) -> None:
    """Make a backup, as the window does when it closes a project."""
    backups.back_up(Path(file), datetime.now(UTC))


def update_journey(schema: str) -> Journey:
    """The update of a project of an older schema."""
    call = "tests.torture.journeys:reopen", f"{{folder}}/{PROJECT}"
    prepare = partial(_prepare_stored, schema)
    return Journey(f"update from schema {schema}", prepare, call, _all_rows, _unsound_backups, opening_changes=True)


JOURNEYS = (
    Journey(
        "answers in the window",
        partial(_prepare_mined, 3),
        ("tests.torture.answering:answer_all", f"{{folder}}/{PROJECT}", "{folder}/said"),
        _answers,
        lambda folder, _: find_lost_answers(folder / PROJECT, folder / "said"),
    ),
    Journey(
        "export",
        partial(_prepare_mined, 12),
        _command("export", "{folder}/out", "--preset", "full", "--split", "60/20/20"),
        partial(_files_of, "out"),
        _half_files,
    ),
    Journey(
        "backup",
        partial(_prepare_mined, 12),
        ("tests.torture.journeys:back_up", f"{{folder}}/{PROJECT}"),
        _backed_up,
        _unsound_backups,
    ),
    Journey(
        "restore",
        _prepare_backup,
        _command("restore", f"{{folder}}/p.backups/{_AT:%Y-%m-%dT%H-%M-%SZ}.pairwright"),
        _restored,
        _unsound_backups,
    ),
    Journey("mend", partial(_prepare_mined, 3), (), _mended),
    update_journey("0001"),
    Journey(
        "merge",
        _prepare_answer_files,
        _command("merge", "{folder}/round-1-Anna.answers.pairwright", "{folder}/round-1-Ben-Čech.answers.pairwright"),
        _merged,
    ),
    Journey(
        "release",
        partial(_prepare_mined, 12),
        _command("release", "1.0", "--out", "{folder}/out"),
        _released,
        _half_files,
        done="There is a release 1.0 already",
    ),
    Journey("add", _prepare_empty, _command("add", "{inputs}/papers", "--jobs", "1"), _papers, has_workers=True),
    Journey("mine", _prepare_added, _command("mine", "--jobs", "1", "--model", "none"), _pairs, has_workers=True),
    Journey(
        "rebuild",
        _prepare_card,
        (
            _COMMAND,
            [
                "--quiet",
                "rebuild",
                "{folder}/data/manifest.json",
                "--papers",
                "{inputs}/papers",
                "--out",
                "{folder}/out",
                "--jobs",
                "1",
            ],
        ),
        partial(_files_of, "out"),
        _half_files,
        has_workers=True,
    ),
    Journey(
        "experiment",
        _prepare_experiment,
        _command("experiment", "{folder}/words.toml", "--out", "{folder}/out"),
        partial(_files_of, "out"),
        _half_files,
        has_workers=True,
    ),
    Journey(
        "suggest",
        partial(_prepare_model, 40),
        _command("suggest", "--model", "{inputs}/tiny", "--device", "cpu"),
        _suggested,
        has_workers=True,
    ),
    Journey(
        "train",
        partial(_prepare_model, _LEARNED),
        _command("train", "--start", "{inputs}/tiny", *training.WORDS),
        _trained,
        has_workers=True,
    ),
    Journey(
        "train, resumed",
        partial(_prepare_model, _LEARNED),
        ("tests.torture.training:train_or_resume", f"{{folder}}/{PROJECT}", "{inputs}/tiny"),
        lambda folder: training.trained(folder / PROJECT),
        has_workers=True,
    ),
)
