"""Checks an experiment before it is run: its pairs, its cells, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.lab.experiments.data import ExperimentData, read_data
from desktop.jobs.lab.experiments.data_checks import EmptyPart
from desktop.jobs.lab.experiments.estimates import estimate_missing
from desktop.jobs.lab.experiments.given_answers import read_given
from desktop.jobs.lab.experiments.planning import cell_problems, plan_cells
from desktop.jobs.lab.experiments.propositions import UnparsedPapers
from desktop.jobs.lab.experiments.sources import missing_libraries
from desktop.jobs.models.registry import find_model
from desktop.translation import tr
from miner.classifier.chat_checkpoints import is_gguf
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.libraries import missing_library
from miner.errors import UserError
from miner.lab.experiments.estimate import TimeEstimate
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.file_editing import Path as FilePlace
from miner.lab.experiments.system_kinds import (
    GraphSystem,
    ModelSystem,
    NeuralSystem,
    PredictionsSystem,
    PromptSystem,
    System,
)
from miner.lab.experiments.systems.system_run import RUNNABLE
from miner.paths import exists, expand_home, is_file, is_folder
from miner.progress import Job, Progress
from storage.dataset.export_options import ExportOptions
from storage.models.training_parts import TrainingPart
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import LAST_SPLIT_EXPORT
from storage.untrusted import is_safe_to_access

_SPACY = "spacy:"
_NO_LABELS = tr("No pair of that split has the labels and the filter of the set: choose others.")


class Gap(NamedTuple):
    """Something that is missing. place: where the file names it. text: what is missing, and what to do."""

    place: FilePlace
    text: str


@dataclass(frozen=True, slots=True)
class ExperimentCheck:
    """What can be said of an experiment without running it.

    pairs: how many by set and part; a set that is made for each domain is replaced by the domains' sets, which
    `domains` names. problem, hint: why the data cannot be read. lacks_splits: whether this is because the project has
    no dev or test split. is_unparsed: whether it is because papers are still to be parsed, which a run does. runs: how
    many are still to be computed. known, refused, lacking: how many cells are known, refused, or neither known nor
    computable because their systems cannot be run.
    """

    gaps: tuple[Gap, ...] = ()
    pairs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problem: str = ""
    hint: str = ""
    lacks_splits: bool = False
    is_unparsed: bool = False
    cells: int = 0
    known: int = 0
    refused: int = 0
    lacking: int = 0
    runs: int = 0
    estimate: TimeEstimate | None = None

    @property
    def can_run(self) -> bool:
        if self.is_unparsed:
            return True
        has_data = not self.problem and not any(gap.place[0] == "data" for gap in self.gaps)
        return has_data and self.cells > self.refused + self.lacking


def check_experiment(
    project: Project, experiment: Experiment, folder: Path, device: str = "auto"
) -> Job[ExperimentCheck]:
    """Read the data, plan the cells and estimate their time; nothing is stored. folder: the base of relative paths."""

    def work(progress: Progress) -> ExperimentCheck:
        gaps = tuple(find_gaps(project, experiment, folder))
        if any(gap.place[0] == "data" for gap in gaps):
            return ExperimentCheck(gaps)
        try:
            data = read_data(project, experiment, folder, progress, may_parse=False)
        except UnparsedPapers as exc:
            return ExperimentCheck(gaps, problem=str(exc), hint=exc.hint, is_unparsed=True)
        except UserError as exc:
            lacks_splits = isinstance(exc, EmptyPart) and not _has_splits(project, progress)
            hint = _NO_LABELS if isinstance(exc, EmptyPart) else exc.hint
            return ExperimentCheck(gaps, problem=str(exc), hint=hint, lacks_splits=lacks_splits)
        return _planned(project, data, gaps, folder, device, progress)

    return Job(tr("Checking the experiment {name}", name=experiment.name), work)


def find_gaps(project: Project, experiment: Experiment, folder: Path) -> Iterator[Gap]:
    """The files, models and libraries that an experiment needs and that are missing here; the network is not used."""
    for name, one in experiment.data.items():
        for part, file in one.files.items():
            if text := _file_problem(project, folder, file):
                yield Gap(("data", name, "files", part), text)
        if one.triples and (text := _folder_problem(project, folder, one.triples)):
            yield Gap(("data", name, "triples"), text)
    for index, system in enumerate(experiment.systems):
        for key, text in _system_gaps(project, system, folder):
            yield Gap(("system", index, key), text)


def _system_gaps(project: Project, system: System, folder: Path) -> Iterator[tuple[str, str]]:
    if not isinstance(system, RUNNABLE):
        yield "kind", tr("This version cannot run systems of this kind.")
        return
    reference = getattr(system, system.MODEL) if system.MODEL else ""
    is_absent = bool(system.MODEL) and _is_path(reference) and not _is_there(project, folder, reference)
    if not (is_absent and isinstance(system, ModelSystem)):
        used = _find_model(project, system) if isinstance(system, ModelSystem) and missing_library() else None
        if missing := missing_libraries(system, model=used, is_gguf=_is_gguf(project, system, folder)):
            yield "kind", f"{missing} {missing.hint}"
    if is_absent:
        yield system.MODEL, tr("{reference} is not there. Choose a model.", reference=reference)
    match system:
        case NeuralSystem(vectors=vectors):
            if vectors and not vectors.startswith(_SPACY) and (text := _file_problem(project, folder, vectors)):
                yield "vectors", text
        case PromptSystem(model=model, endpoint=""):
            if (_is_path(model) or "/" not in model) and not _is_there(project, folder, model):
                yield (
                    "model",
                    tr("{model} is no folder or file. Choose one, or type the address of a server.", model=model),
                )
        case PredictionsSystem(file=file) | GraphSystem(file=file):
            if file and (text := _file_problem(project, folder, file)):
                yield "file", text


def _is_gguf(project: Project, system: System, folder: Path) -> bool:
    if not isinstance(system, PromptSystem) or system.endpoint:
        return False
    path = folder / expand_home(system.model)
    return is_safe_to_access(path, project.path) and is_gguf(path)


def _planned(
    project: Project, data: ExperimentData, gaps: tuple[Gap, ...], folder: Path, device: str, progress: Progress
) -> ExperimentCheck:
    models = _find_models(project, data.experiment)
    given = read_given(project, data, folder, progress)
    missing = [Gap(("system", index, "kind"), problem) for index, problem in given.problems.items()]
    planned = plan_cells(project, data, {index: model.digest for index, model in models.items()}, given)
    problems = {gap.place[1]: gap.text for gap in gaps if isinstance(gap.place[1], int)}
    hindered = cell_problems(project, data, planned, models, problems, device)
    wanted = [cell for cell in planned.cells if not cell.problem]
    with project.read_transaction() as stores:
        known = stores.cell_predictions.finished(cell.key for cell in wanted)
    return ExperimentCheck(
        (*gaps, *missing),
        {name: {part: len(pairs) for part, pairs in parts.items()} for name, parts in data.parts.items()},
        data.notes,
        cells=len(planned.cells),
        known=len(known),
        refused=len(planned.cells) - len(wanted),
        lacking=sum(cell.key in hindered and cell.key not in known for cell in wanted),
        runs=len({cell.run.key for cell in wanted if cell.key not in known and cell.key not in hindered}),
        estimate=estimate_missing(project, data, planned, models, problems, device),
    )


def _find_models(project: Project, experiment: Experiment) -> dict[int, Checkpoint]:
    """The models that systems start from or are, by the system's index, except models that only the hub may have."""
    found = ((index, _find_model(project, system)) for index, system in enumerate(experiment.systems))
    return {index: model for index, model in found if model is not None}


def _find_model(project: Project, system: System) -> Checkpoint | None:
    """The model that a system starts from or is; None without one, where it is missing, or only the hub may have it."""
    reference = getattr(system, system.MODEL) if system.MODEL else ""
    if not system.MODEL or _is_at_hub(project, reference):
        return None
    with suppress(UserError):  # what it lacks is among the gaps
        return find_model(project, reference)[0]
    return None


def _has_splits(project: Project, progress: Progress) -> bool:
    """Whether any pair is in a dev or test split."""
    with project.read_transaction() as stores:
        export: ExportOptions | None = stores.settings.get(LAST_SPLIT_EXPORT)
        for number, pair in enumerate(stores.experiment_pairs.select(PairFilter(), export)):
            if number % 5_000 == 0:
                progress.tick(0, None, tr("looking for splits"))
            if pair.part in (TrainingPart.DEV, TrainingPart.TEST):
                return True
    return False


def _is_at_hub(project: Project, reference: str) -> bool:
    """Whether looking for the model could contact the hub, because it is neither a model of the project nor a path."""
    if reference == "starter" or _is_path(reference):
        return False
    with project.read_transaction() as stores:
        return reference not in {run.folder for run in stores.training_runs.all()}


def _is_path(reference: str) -> bool:
    return not reference or reference.startswith((".", "~")) or expand_home(reference).is_absolute()


def _is_there(project: Project, folder: Path, reference: str) -> bool:
    path = folder / expand_home(reference)
    return bool(reference) and is_safe_to_access(path, project.path) and exists(path)


def _file_problem(project: Project, folder: Path, file: str) -> str:
    """Why a file cannot be read, "" if it can."""
    path = folder / expand_home(file)
    if not is_safe_to_access(path, project.path):
        return tr("{file} is on another computer. Choose a file of this one.", file=file)
    return "" if is_file(path) else tr("There is no file {file}. Choose one.", file=file)


def _folder_problem(project: Project, folder: Path, triples: str) -> str:
    """Why a folder of triples cannot be read, "" if it can."""
    path = folder / expand_home(triples)
    if not is_safe_to_access(path, project.path):
        return tr("{triples} is on another computer. Choose a folder of this one.", triples=triples)
    return "" if is_folder(path) else tr("There is no folder {triples}. Choose one.", triples=triples)
