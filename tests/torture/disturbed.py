"""A project that is disturbed while people work on it, and what must hold of it then."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop.jobs import backups
from desktop.jobs.models.registry import find_model
from desktop.jobs.models.training_runs import delete_run, load_runs
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.review import answers, mending
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer
from storage.annotation.marks import MarkKind
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.verification import find_changed_rows
from tests.sample_papers import SAMPLES

NAME = "papers.pairwright"
PEOPLE = ("anna", "ben")
ACTS = 12  # in a row


class Disturbed:
    """A project, what was acknowledged of it, and what is wrong."""

    def __init__(self, base: Path, folder: Path, draw: random.Random) -> None:
        self.draw, self.faults = draw, list[str]()
        self.folder = folder / "mine"
        self.folder.mkdir()
        self.path = Path(shutil.copy(base, self.folder / NAME))
        with Project.open(self.path) as project:
            self.keys = keys_of(project)
        self.acknowledged: dict[tuple[str, str], str | None] = {}
        self.refused = 0

    def answer(self, project: Project) -> None:
        """Answer a pair, as the window does; an answer that was not refused is acknowledged."""
        who, key = self.draw.choice(PEOPLE), self.draw.choice(self.keys)
        value = self.draw.choice([*Answer, None])
        if self.works(answers.answer(project, [key], who, value)):
            self.acknowledged[key, who] = value and value.value

    def act(self, project: Project) -> None:
        """Do something that is no answer."""
        key = self.draw.choice(self.keys)
        jobs: list[Callable[[], Job[Any]]] = [
            lambda: answers.mark(project, [key], "anna", MarkKind.NOTE, "Look again."),
            lambda: mending.mend(project, key, "anna", {SentenceField.PREMISE: "It was mended."}),
            lambda: backups.back_up(self.path),
            lambda: backups.backups(self.path),
            lambda: import_papers(project, [SAMPLES / "ecology" / "late-mowing.jsonl"]),
            lambda: Job("Export", lambda progress: self._export(project, progress)),
            lambda: Job("Read", lambda _: keys_of(project)),
            lambda: Job("Look", lambda _: project.stamp()),
            lambda: Job("Close", lambda _: backups.back_up_at_close(self.path)),
            lambda: load_runs(project),
            lambda: Job("Find a model", lambda _: find_model(project, "coastal and friends, seed 0")),
            lambda: delete_run(project, self.draw.randint(1, 4)),
        ]
        self.works(self.draw.choice(jobs)())

    def _export(self, project: Project, progress: Progress) -> None:
        out = self.folder.parent / "exported"
        export_pairs(project, out, ExportOptions(Preset.FULL), progress, overwrite=True)

    def works(self, job: Job[Any]) -> bool:
        """Whether a job ended well, and not with a sentence."""
        try:
            job.work(Progress())
        except UserError as exc:
            self.refused += 1
            if not str(exc).strip():
                self.faults.append(f"{job.title} ended without a sentence")
            return False
        except Exception as exc:  # noqa: BLE001  whatever it is, it is a fault
            self.faults.append(f"{job.title} ended with {exc!r}")
            return False
        return True

    def check(self, path: Path) -> None:
        """The project at this path is whole and has every acknowledged answer."""
        try:
            with Project.open(path) as project:
                problems = [*project.check(), *map(str, find_changed_rows(project))]
                problems += lost_answers(project, self.acknowledged)
        except UserError as exc:
            problems = [f"{exc} {exc.hint}"]
        self.faults += [f"{path.name}: {problem}" for problem in problems[:3]]


def keys_of(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))


def lost_answers(project: Project, acknowledged: dict[tuple[str, str], str | None]) -> list[str]:
    """The acknowledged answers that do not hold, in sentences."""
    with project.read_transaction() as stores:
        held = {key: stores.answers.of_pair(key) for key, _ in acknowledged}
    return [
        f"{who} answered {value} to {key}, and {held[key].get(who)} holds"
        for (key, who), value in acknowledged.items()
        if held[key].get(who) != value
    ]
