"""The jobs that train a model on a project's labels, in a process of its own, and resume an interrupted run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop.jobs.models.model_options import TrainOptions
from desktop.jobs.models.registry import find_model, models_folder, register_model
from desktop.jobs.models.training_data import ReservedPairs, count_changes, gc_paused, read_training_data
from desktop.jobs.models.training_exposure import exposure_of
from desktop.jobs.models.training_history import TrainingHistory
from desktop.jobs.models.training_runs import create_run, delete_orphaned_folders, get_run, training_lock
from desktop.jobs.writing import writing
from desktop.translation import tr
from miner import codec
from miner.classifier import training
from miner.classifier.checkpoints import STARTER, WEIGHTS, Checkpoint, inspect_checkpoint
from miner.classifier.dev_split import choose_dev_pairs, require_learnable
from miner.classifier.events import TrainEvent, TrainStep
from miner.classifier.examples import read_examples, write_lines
from miner.classifier.libraries import missing_library
from miner.classifier.training import CHECKPOINT, EXAMPLES, TrainingPlan, TrainingResult
from miner.errors import UserError
from miner.paths import is_file
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Job, Progress
from storage.changes import Changes
from storage.errors import translate_decoding_errors, translate_errors
from storage.models.registry import ModelKind
from storage.models.training_runs import TrainingRun, TrainingRunState
from storage.project import Project
from storage.untrusted import is_safe_to_access

log = logging.getLogger(__name__)

EventListener = Callable[[TrainEvent], None]
"""Called in the job's thread with each event of the training."""

_RESULT_FILE = "result.json"
_IF_STOPPED = tr("The best model so far is kept, and the run can be resumed under Train.")
_NEW_RUN = tr("Start a new run.")
_BASELINE = STARTER if is_file(STARTER / WEIGHTS) else None  # without it, a training must not fail at its end


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A finished run and its model. The fields are the JSON of the command line.

    model: a reference, see `SuggestOptions.model`. stopped: the run was cancelled, and this is its best model. gone,
    changed: how many examples' pairs were removed from the project, or have another label or text, since the run began.
    examples: how many pairs it learned from. kept: how many pairs were reserved and not learned.
    """

    run: int
    name: str
    model: str
    metrics: Mapping[str, Any]
    temperature: float
    device: str
    seconds: float
    stopped: bool
    notes: tuple[str, ...]
    examples: int
    gone: int
    changed: int
    kept: ReservedPairs
    changes: Changes


def train(
    project: Project, options: TrainOptions | None = None, listener: EventListener | None = None
) -> Job[TrainedModel]:
    """Train a model. If the job is cancelled, the best model so far becomes the run's model.

    `UserError` if there are too few labels, the model to start from cannot be used, or another program is training for
    this project.
    """
    chosen = options or TrainOptions()

    def work(progress: Progress) -> TrainedModel:
        if problem := missing_library(tr("Training")):
            raise problem
        start, _ = find_model(project, chosen.start, chosen.labels)
        examples, reserved = read_training_data(project, chosen, progress, exposure_of(start).learned)
        require_learnable(examples)
        with gc_paused():
            examples = choose_dev_pairs(examples, chosen.recipe)
        require_learnable(examples)
        with training_lock(models_folder(project)) as note_run:
            delete_orphaned_folders(project)
            run = create_run(project, chosen, start, examples, reserved)
            note_run(run.id)
            return _train_run(project, run, chosen, start, listener, progress)

    return Job(tr("Training from {start}", start=chosen.start), work, _IF_STOPPED)


def resume(project: Project, run: int, listener: EventListener | None = None) -> Job[TrainedModel]:
    """Continue an interrupted run from its last checkpoint, on the examples it began with."""

    def work(progress: Progress) -> TrainedModel:
        if problem := missing_library(tr("Training")):
            raise problem
        with training_lock(models_folder(project)) as note_run:
            known = get_run(project, run)
            options, start = _resumable(project, known, progress)
            with project.transaction() as stores:
                stores.training_runs.update(known.id, state=TrainingRunState.RUNNING, problem="")
            note_run(run)
            return _train_run(project, known, options, start, listener, progress)

    return Job(tr("Resuming a training"), work, _IF_STOPPED)


def _resumable(project: Project, run: TrainingRun, progress: Progress) -> tuple[TrainOptions, Checkpoint]:
    """The run's options and the model it started from; `UserError` if it cannot be resumed."""
    if run.state is TrainingRunState.DONE:
        raise UserError(tr("The run {name} is finished.", name=run.name), hint=tr("Start a new one."))
    if not run.folder or not is_file(models_folder(project) / run.folder / EXAMPLES):
        raise UserError(
            tr("The files of the run {name} are missing.", name=run.name), hint=tr("Delete it, and start a new one.")
        )
    with translate_errors(project.path), translate_decoding_errors():
        options, start_digest = TrainOptions.of_run(run), run.settings["start_digest"]
    if not is_safe_to_access(Path(options.start), project.path):
        raise UserError(
            tr("{name} started from {start}, on another computer.", name=run.name, start=options.start), hint=_NEW_RUN
        )
    start, _ = find_model(project, options.start, options.labels)
    if start.digest != start_digest:
        raise UserError(tr("The model that {name} started from has changed since.", name=run.name), hint=_NEW_RUN)
    is_of_earlier_version = "kept" not in run.data
    if is_of_earlier_version and read_training_data(project, options, progress)[1] != ReservedPairs():
        what = tr(
            "{name} began in a version that learned from dev and test splits too, and the project has some.",
            name=run.name,
        )
        raise UserError(what, hint=_NEW_RUN)
    return options, start


def _train_run(
    project: Project,
    run: TrainingRun,
    options: TrainOptions,
    start: Checkpoint,
    listener: EventListener | None,
    progress: Progress,
) -> TrainedModel:
    """Train as the run's options say, and store how it ended."""
    folder = models_folder(project) / run.folder
    history = TrainingHistory.from_data(run.history)

    def on_event(event: TrainEvent) -> None:
        if history.add(event):  # it is stored at the end too, so a failure here does not matter
            with suppress(UserError), project.transaction(bulk=True) as stores:
                stores.training_runs.update(run.id, history=history.to_data())
        if isinstance(event, TrainStep):
            with suppress(Cancelled):  # `run_isolated` stops the training, which then returns its best model
                progress.tick(
                    event.done, event.total, event.stage or tr("loss {loss:.3f}", loss=event.loss), may_wait=False
                )
        if listener is not None:
            listener(event)

    plan = TrainingPlan(
        folder, start.path, start.name, run.name, options.recipe, options.labels, options.device, _BASELINE
    )
    try:
        result = run_isolated(_train, plan, progress, on_event, subject=tr("The training"))
    except BaseException as exc:
        cancelled = isinstance(exc, Cancelled)
        state = TrainingRunState.CANCELLED if cancelled else TrainingRunState.FAILED
        problem = "" if cancelled else str(exc) if isinstance(exc, UserError) else tr("It met a bug of Pairwright's.")
        with suppress(UserError), project.transaction() as stores:  # the first error is the one to report
            stores.training_runs.update(run.id, state=state, history=history.to_data(), problem=problem, ended=_now())
        raise
    checkpoint = inspect_checkpoint(folder / CHECKPOINT, name=run.name)
    with project.transaction() as stores:
        model = register_model(stores, checkpoint, ModelKind.PROJECT, run.folder)
        stores.training_runs.update(
            run.id,
            state=TrainingRunState.CANCELLED if result.stopped else TrainingRunState.DONE,
            metrics={**result.metrics, "temperature": result.temperature, "seconds": round(result.seconds, 1)},
            history=history.to_data(),
            model_id=model,
            ended=_now(),
        )
    log.info("trained %s in %.0f s on %s", run.name, result.seconds, result.device)
    with gc_paused():
        examples = list(read_examples(folder / EXAMPLES))
    gone, changed = count_changes(project, options, examples)
    return TrainedModel(
        run.id,
        run.name,
        run.folder,
        result.metrics,
        result.temperature,
        result.device,
        result.seconds,
        result.stopped,
        result.notes,
        sum(not one.dev for one in examples),
        gone,
        changed,
        ReservedPairs.of_run(run),
        Changes(suggestions=True),
    )


def _train(plan: TrainingPlan, emit: Callable[[Any], None], progress: Progress) -> TrainingResult:
    """`training.train` in its own process; a result that was not stored before the program ended is read again."""
    path = plan.folder / _RESULT_FILE
    if is_file(path):
        return codec.decode(TrainingResult, path.read_bytes())
    with writing(plan.folder):
        result = training.train(plan, emit, progress)
    if not result.stopped:
        write_lines(path, [codec.encode(result)])
    return result


def _now() -> datetime:
    return datetime.now(UTC)
