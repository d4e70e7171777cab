"""Plans the cells of an experiment from its data, the digests of its models, and the answers given by others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from desktop.jobs.lab.experiments.data import ExperimentData
from desktop.jobs.lab.experiments.given_answers import GivenSystems, refuse_unanswered
from desktop.jobs.lab.experiments.map_files import is_map, map_path
from desktop.jobs.lab.experiments.prompt_models import replies_path
from desktop.jobs.models.kept_predictions import PredictingModel, read_kept
from miner.classifier.checkpoints import Checkpoint
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.experiment_file import to_data
from miner.lab.experiments.plan import ExperimentCell, Plan, SystemRun, plan
from miner.lab.experiments.prompting.kept_replies import read_replies
from miner.lab.experiments.system_kinds import ModelSystem, PromptSystem
from miner.mining.identity import text_hash
from storage.project import Project


def plan_cells(project: Project, data: ExperimentData, digests: Mapping[int, str], given: GivenSystems) -> Plan:
    """The plan of the experiment's cells.

    digests: of the sources that systems use, by the system's index; for a missing source, the digest of the last run.
    """
    with project.read_transaction() as stores:
        before = stores.experiments.source_digests(to_data(data.experiment))
    planned = plan(
        data.experiment,
        data.digests(),
        system_digests={**before, **digests},
        overlaps=data.overlaps(),
        given_answers=given.digests(),
    )
    return refuse_unanswered(planned, data, given)


def predicting_model(data: ExperimentData, run: SystemRun, model: Checkpoint) -> PredictingModel:
    """The model of a run of a `ModelSystem`, in the form that identifies its kept predictions."""
    system = data.experiment.systems[run.system]
    return PredictingModel(model.digest, model.name, system.input.value, _class_keys(data.experiment))


def kept_texts(
    project: Project,
    data: ExperimentData,
    run: SystemRun,
    cells: Iterable[ExperimentCell],
    model: Checkpoint | None,
    device: str,
) -> frozenset[bytes]:
    """The hashes of the tested texts that a run of a model, or of a chat model, need not predict again."""
    system = data.experiment.systems[run.system]
    if not isinstance(system, ModelSystem | PromptSystem):
        return frozenset()
    hashes = {hash for cell in cells for hash in _hashes(data, cell)}
    if isinstance(system, PromptSystem):
        known = {reply.text_hash for reply in read_replies(replies_path(project, run.key))}
        return frozenset(hash for hash in hashes if hash.hex() in known)
    if model is None:
        return frozenset()
    return frozenset(read_kept(project, predicting_model(data, run, model), hashes, device).by_text)


def run_problems(project: Project, planned: Plan, problems: Mapping[int, str]) -> dict[str, str]:
    """Why runs cannot be computed, by the run's key. problems: of systems, by the system's index.

    A run on a subset needs the run that makes its data map, unless there is one already.
    """
    found = {run.key: problems[run.system] for run in planned.runs if run.system in problems}
    for run in planned.runs:
        if run.mapping in found and not is_map(map_path(project, run.mapping)):
            found.setdefault(run.key, found[run.mapping])
    return found


def cell_problems(
    project: Project,
    data: ExperimentData,
    planned: Plan,
    models: Mapping[int, Checkpoint],
    problems: Mapping[int, str],
    device: str,
) -> dict[str, str]:
    """Why cells cannot be computed, by the cell's key. models, problems: of systems, by the system's index.

    A model that is used without training needs no computation for a cell all of whose predictions are kept.
    """
    by_run = run_problems(project, planned, problems)
    found = {cell.key: problem for cell in planned.cells if (problem := cell.problem or by_run.get(cell.run.key, ""))}
    for cell in planned.cells:
        if cell.run.key in by_run and not cell.problem and (model := models.get(cell.run.system)) is not None:
            kept = kept_texts(project, data, cell.run, [cell], model, device)
            is_model = isinstance(data.experiment.systems[cell.run.system], ModelSystem)
            if is_model and kept.issuperset(_hashes(data, cell)):
                del found[cell.key]
    return found


def _hashes(data: ExperimentData, cell: ExperimentCell) -> set[bytes]:
    return {text_hash(pair.premise, pair.hypothesis) for pair in data.parts[cell.test]["test"]}


def _class_keys(experiment: Experiment) -> tuple[str, ...]:
    """The text of each class by which a model's predictions are kept: its name, and its labels where these differ."""
    return tuple(
        name if tuple(labels) == (name,) else f"{name} = {', '.join(labels)}"
        for name, labels in experiment.classes.items()
    )
