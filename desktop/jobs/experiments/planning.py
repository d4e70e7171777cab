"""The plan of an experiment on its data: what it uses, what others said, and which cells that makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from desktop.jobs.experiments.data import ExperimentData
from desktop.jobs.experiments.given_answers import GivenSystems, refuse_unanswered
from desktop.jobs.experiments.prompt_models import replies_path
from desktop.jobs.models.kept_predictions import PredictingModel, read_kept
from miner.classifier.checkpoints import Checkpoint
from miner.experiments.experiment import Experiment
from miner.experiments.experiment_file import to_data
from miner.experiments.plan import ExperimentCell, Plan, SystemRun, plan, text_hash
from miner.experiments.prompting.kept_replies import read_replies
from miner.experiments.system_kinds import ModelSystem, PromptSystem
from storage.project import Project


def plan_cells(project: Project, data: ExperimentData, digests: Mapping[int, str], given: GivenSystems) -> Plan:
    """The plan. digests: of what systems use, by their index; of those that are missing, as the experiment last ran."""
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
    """The model of a run of a `ModelSystem`, as what its predictions are kept by."""
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
    """The hashes of those tested texts that a run of a model, or of a chat model, need not predict again."""
    system = data.experiment.systems[run.system]
    if not isinstance(system, ModelSystem | PromptSystem):
        return frozenset()
    hashes = {text_hash(pair.premise, pair.hypothesis) for cell in cells for pair in data.parts[cell.test]["test"]}
    if isinstance(system, PromptSystem):
        known = {reply.text_hash for reply in read_replies(replies_path(project, run.key))}
        return frozenset(hash for hash in hashes if hash.hex() in known)
    if model is None:
        return frozenset()
    return frozenset(read_kept(project, predicting_model(data, run, model), hashes, device).by_text)


def _class_keys(experiment: Experiment) -> tuple[str, ...]:
    """What predictions of a model are kept by: the classes' names, with their labels where these are others."""
    return tuple(
        name if tuple(labels) == (name,) else f"{name} = {', '.join(labels)}"
        for name, labels in experiment.classes.items()
    )
