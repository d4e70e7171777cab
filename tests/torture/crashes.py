"""A program that is killed: nothing acknowledged is lost, nothing is doubled, and the same command completes.

A real process is killed with SIGKILL, at a random moment or before or after a step: a transaction is committed, a file
or folder is made, renamed, linked, deleted or flushed to disk. Then all of the project is checked, and the same is run
again, and killed again, up to six times; at last it runs undisturbed, and must give the bytes or rows that it gives
when nobody disturbs it. Answers are given by the window's own session of answers, and each that was followed by the
next pair on the screen must be in the file, once.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from miner.errors import UserError
from storage.project import Project
from storage.verification import find_changed_rows
from tests.desktop.forkserver import IMPORTED
from tests.killable_calls import Ending, KillableCalls
from tests.torture.budget import Budget, Row
from tests.torture.journeys import JOURNEYS, PROJECT, Journey, make_inputs, mend_command

# In memory: a process that is killed leaves everything that it has written, flushed or not.
_FOLDER = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)
_SECONDS_OF_WORKERS = 60.0  # a part that has as long also tries what starts processes of its own
_IN_A_ROW = 6  # kills, before it runs undisturbed
_MODULES = ("desktop.cli.main", "desktop.cli.exchange", "desktop.cli.annotation", "desktop.cli.project")
_MODULES_OF_WORKERS = (*_MODULES, "desktop.cli.mining", "desktop.cli.experiments", "desktop.cli.models")


@dataclass
class Tried:
    """What was tried of a journey. hit: the steps at which it was killed; steps: how many an undisturbed run has."""

    steps: int = 0
    moments: int = 0
    hit: set[int] = field(default_factory=set)
    at_steps: int = 0
    completed: int = 0

    @property
    def kills(self) -> int:
        return self.moments + self.at_steps


def run(budget: Budget) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(dir=_FOLDER) as name:
        make_inputs(Path(name) / "inputs")
        groups = [False] if budget.seconds < _SECONDS_OF_WORKERS else [False, True]
        with ThreadPoolExecutor(len(groups)) as pool:  # each waits for processes most of the time
            shares = [budget.part(1) for _ in groups]
            results = list(pool.map(partial(_try_journeys, Path(name)), groups, shares))
    tried = {name: one for group, _ in results for name, one in group.items()}
    failures = [failure for _, group in results for failure in group]
    for failure in failures[:20]:
        print(failure)
    for name, one in tried.items():
        said = f"{one.moments} at random moments, {one.at_steps} at {len(one.hit)} of {one.steps} steps"
        yield Row(f"{name}: kills", f"{one.kills} ({said}), {one.completed} times completed")
    yield Row("kills in all", f"{sum(one.kills for one in tried.values()):,}")
    yield Row(
        "lost or doubled data, damage, other results, or commands that do not complete",
        str(len(failures)),
        "0",
        not failures,
    )


def _try_journeys(inputs_folder: Path, workers: bool, budget: Budget) -> tuple[dict[str, Tried], list[str]]:
    """What was tried of the journeys with or without processes of their own, by name, and what was wrong."""
    failures: list[str] = []
    folder = inputs_folder / ("workers" if workers else "alone")
    folder.mkdir()
    journeys = [journey for journey in JOURNEYS if journey.has_workers is workers]
    waiting = list(journeys)
    trials: list[Trials] = []
    with server(folder, workers=workers) as calls:
        while not budget.is_over:
            if waiting:
                trials.append(Trials(waiting.pop(0), folder, calls, inputs_folder / "inputs"))
            for one in trials[-1:] if waiting else trials:
                share = budget.part(1 / (8 * len(journeys)))
                while not (budget.is_over or share.is_over):
                    failures += one.try_once(budget)
    return {one.journey.name: one.tried for one in trials}, failures


def server(folder: Path, *, workers: bool) -> KillableCalls:
    modules = _MODULES_OF_WORKERS if workers else (*_MODULES, "tests.torture.answering", "tests.torture.journeys")
    return KillableCalls(modules, IMPORTED if workers else (), folder / ("data of workers" if workers else "data"))


class Trials:
    """Tries a journey again and again, each time in a copy of the folder that it begins in."""

    def __init__(self, journey: Journey, folder: Path, calls: KillableCalls, inputs: Path) -> None:
        self.journey, self._calls = journey, calls
        self._inputs = inputs
        self._before = Path(tempfile.mkdtemp(dir=folder))
        self._trial = folder / "trial"
        self.tried = Tried()
        journey.prepare(self._before, self._inputs, self._run_command)
        self._call: tuple[Any, ...] = journey.call or mend_command(self._before)
        self._copy()
        whole = self._complete()
        if journey.has_workers:  # the first ones take long to start
            self._copy()
            whole = self._complete()
        self._expected = journey.result(self._trial)
        self._whole = self._trial.rename(self._before.with_name(f"{self._before.name}.whole"))
        self.tried.steps, self._seconds = whole.steps, whole.seconds

    def try_once(self, budget: Budget) -> list[str]:
        """Kill it up to six times and let it complete; what is wrong then, in sentences."""
        self._copy()
        problems: list[str] = []
        history = []
        for _ in range(budget.draw.randint(1, _IN_A_ROW)):
            ending, how = self._kill(budget.draw)
            history.append(how)
            problems = self._problems()
            if not (ending.was_killed or ending.code == 0 or self._was_done()):
                problems.append(f"it ended with {ending.code}: {self._printed()}")
            if not ending.was_killed or problems or budget.is_over:
                break
        if not problems:
            try:
                self._complete()
            except AssertionError as exc:
                problems.append(str(exc))
            else:
                self.tried.completed += 1
                problems = self._problems()
                if self.journey.result(self._trial) != self._expected:
                    problems.append("the result is another one")
        return [f"{self.journey.name}, killed {', '.join(history)}: {problem}" for problem in problems]

    def _kill(self, draw: random.Random) -> tuple[Ending, str]:
        missing = sorted({*range(1, self.tried.steps + 1)} - self.tried.hit)
        if missing and draw.random() < 0.5:
            step = draw.choice(missing)
            ending = self._forked(step=step)
            if ending.was_killed:
                self.tried.hit.add(step)
                self.tried.at_steps += 1
            how = f"at step {step}"
        else:
            seconds = draw.uniform(0, self._seconds)
            ending = self._forked(seconds=seconds)
            self.tried.moments += ending.was_killed
            if not ending.was_killed:  # it has become faster than it was, or had less to do
                self._seconds = (self._seconds + ending.seconds) / 2
            how = f"after {seconds:.3f} s"
        return ending, how

    def _complete(self) -> Ending:
        ending = self._forked()
        assert ending.code == 0 or self._was_done(), f"it ended with {ending.code}: {self._printed()}"
        return ending

    def _problems(self) -> list[str]:
        """What is wrong with the project after a kill, in sentences."""
        folder = self._trial
        if self.journey.opening_changes:
            folder = self._trial.with_name("opened")
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self._trial, folder)
        if not (folder / PROJECT).exists():
            return [f"there is no {PROJECT}"]
        try:
            with Project.open(folder / PROJECT) as project:
                problems = [*project.check(), *map(str, find_changed_rows(project))]
        except UserError as exc:
            problems = [f"the project cannot be opened: {exc}"]
        return problems + self.journey.problems(self._trial, self._whole)

    def _forked(self, *, step: int = 0, seconds: float | None = None) -> Ending:
        function, *arguments = self._call
        return self._calls.call(function, *map(self._filled_in, arguments), step=step, seconds=seconds)

    def _filled_in(self, argument: Any) -> Any:
        if isinstance(argument, list):
            return [self._filled_in(word) for word in argument]
        return argument.format(folder=self._trial, inputs=self._inputs)

    def _run_command(self, *words: object) -> None:
        ending = self._calls.call("desktop.cli.main:main", [str(word) for word in words])
        assert ending.code == 0, self._printed()

    def _was_done(self) -> bool:
        return bool(self.journey.done) and self.journey.done in self._printed()

    def _printed(self) -> str:
        return self._calls.output.read_text(encoding="utf-8", errors="replace").strip()

    def _copy(self) -> None:
        shutil.rmtree(self._trial, ignore_errors=True)
        shutil.copytree(self._before, self._trial)
