"""The entries of the Experiments page: the ready experiments and the project's experiments."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.jobs.lab.experiments.results import load_experiments
from desktop.translation import tr
from miner.lab.experiments.experiment_file import parse_experiment, ready_names, ready_text
from miner.progress import Job, Progress
from storage.lab.experiments import StoredExperiment
from storage.project import Project

_ORDER = (
    "baselines", "artefacts", "strategies", "learning_curve", "domains", "datasets", "merged", "cartography",
    "implicit",
)  # fmt: skip
"""The ready experiments with the first questions; the others follow."""


@dataclass(frozen=True, slots=True)
class ReadyExperiment:
    """An experiment that comes with the program. text: its file, as TOML."""

    name: str
    title: str
    question: str
    text: str


@dataclass(frozen=True, slots=True)
class ExperimentsOverview:
    """The experiments to list. ready: in the order of the page. experiments: the project's, the newest first."""

    ready: tuple[ReadyExperiment, ...]
    experiments: tuple[StoredExperiment, ...]


def load_overview(project: Project) -> Job[ExperimentsOverview]:
    """The ready experiments and the project's experiments."""

    def work(progress: Progress) -> ExperimentsOverview:
        return ExperimentsOverview(ready_experiments(), tuple(load_experiments(project).work(progress)))

    return Job(tr("Reading the experiments"), work)


def ready_experiments() -> tuple[ReadyExperiment, ...]:
    """All experiments that come with the program."""
    found = []
    for name in sorted(ready_names(), key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)):
        text = ready_text(name)
        asked = parse_experiment(text)
        found.append(ReadyExperiment(name, asked.name, asked.question or asked.name, text))
    return tuple(found)
