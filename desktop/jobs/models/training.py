"""Training a model on the project's labels, in a process of its own; every run is stored, and can be resumed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop.jobs.gc_paused import gc_paused
from desktop.jobs.models.registry import enter_model, find_model, models_folder
from desktop.jobs.models.training_data import ReservedPairs, TrainOptions, count_changes, read_training_data
from desktop.jobs.models.training_exposure import exposure_of
from desktop.jobs.models.training_history import History
from desktop.jobs.models.training_runs import create_run, delete_orphaned_folders, get_run, training_lock, unwritable
from miner import codec
from miner.classifier import training
from miner.classifier.checkpoints import STARTER, Checkpoint, inspect_checkpoint
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

Watch = Callable[[TrainEvent], None]
"""Given what the training emits, in the job's thread."""

_RESULT = "result.json"
_IF_STOPPED = "The best so far is kept as a model, and the run can be resumed from there under Train."
_NEW_RUN = "Start a new run."
_BASELINE = STARTER


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A run that has ended and its model; `model` is what `SuggestOptions.model` takes.

    stopped: it was cancelled, and this is the best until then. gone, changed: so many pairs were removed from the
    project, or have another label or text, since they were read. kept: pairs that were not learned.
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


def train(project: Project, options: TrainOptions | None = None, watch: Watch | None = None) -> Job[TrainedModel]:
    """Train a model. Paused, it waits; cancelled, the best so far becomes the run's model.

    `UserError` where there is too little to learn from, the model to start from cannot be used, or another program is
    training for this project.
    """
    chosen = options or TrainOptions()

    def work(progress: Progress) -> TrainedModel:
        if problem := missing_library():
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
            return _train_run(project, run, chosen, start, watch, progress)

    return Job(f"Training from {chosen.start}", work, _IF_STOPPED)


def resume(project: Project, run: int, watch: Watch | None = None) -> Job[TrainedModel]:
    """Continue an interrupted run from its last checkpoint, on the examples it began with."""

    def work(progress: Progress) -> TrainedModel:
        if problem := missing_library():
            raise problem
        with training_lock(models_folder(project)) as note_run:
            known = get_run(project, run)
            options, start = _resumable(project, known, progress)
            with project.transaction() as stores:
                stores.training_runs.update(known.id, state=TrainingRunState.RUNNING, problem="")
            note_run(run)
            return _train_run(project, known, options, start, watch, progress)

    return Job("Going on with a training", work, _IF_STOPPED)


def _resumable(project: Project, run: TrainingRun, progress: Progress) -> tuple[TrainOptions, Checkpoint]:
    """The run's options and the model it started from; `UserError` where it cannot be resumed."""
    if run.state is TrainingRunState.DONE:
        raise UserError(f"The run {run.name} is finished.", hint="Start a new one.")
    if not run.folder or not is_file(models_folder(project) / run.folder / EXAMPLES):
        raise UserError(f"The files of the run {run.name} are gone.", hint="Delete it, and start a new one.")
    with translate_errors(project.path), translate_decoding_errors():
        options, start_digest = TrainOptions.of_run(run), run.settings["start_digest"]
    if not is_safe_to_access(Path(options.start), project.path):
        raise UserError(f"{run.name} started from {options.start}, on another computer.", hint=_NEW_RUN)
    start, _ = find_model(project, options.start, options.labels)
    if start.digest != start_digest:
        raise UserError(f"The model that {run.name} started from is another one by now.", hint=_NEW_RUN)
    is_of_earlier_version = "kept" not in run.data
    if is_of_earlier_version and read_training_data(project, options, progress)[1] != ReservedPairs():
        what = f"{run.name} was begun when dev and test splits were still learned from, and there are such."
        raise UserError(what, hint=_NEW_RUN)
    return options, start


def _train_run(
    project: Project,
    run: TrainingRun,
    options: TrainOptions,
    start: Checkpoint,
    watch: Watch | None,
    progress: Progress,
) -> TrainedModel:
    """Train as the run says, and store how it ended, whatever that is."""
    folder = models_folder(project) / run.folder
    history = History.of(run.history)

    def on_event(event: TrainEvent) -> None:
        if history.add(event):  # stored at the end too: a failure here is no reason to give up hours of work
            with suppress(UserError), project.transaction(bulk=True) as stores:
                stores.training_runs.update(run.id, history=history.to_data())
        if isinstance(event, TrainStep):
            with suppress(Cancelled):  # `run_isolated` passes it on; the training then returns what it has
                progress.tick(event.step, event.steps, event.stage or f"loss {event.loss:.3f}", may_wait=False)
        if watch is not None:
            watch(event)

    plan = TrainingPlan(
        folder, start.path, start.name, run.name, options.recipe, options.labels, options.device, _BASELINE
    )
    try:
        result = run_isolated(_train, plan, progress, on_event, subject="The training")
    except BaseException as exc:
        cancelled = isinstance(exc, Cancelled)
        state = TrainingRunState.CANCELLED if cancelled else TrainingRunState.FAILED
        problem = "" if cancelled else str(exc) if isinstance(exc, UserError) else "It met a bug of Pairwright's."
        with suppress(UserError), project.transaction() as stores:  # the first error is the one to report
            stores.training_runs.update(run.id, state=state, history=history.to_data(), problem=problem, ended=_now())
        raise
    checkpoint = inspect_checkpoint(folder / CHECKPOINT, name=run.name)
    with project.transaction() as stores:
        model = enter_model(stores, checkpoint, ModelKind.PROJECT, run.folder)
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
        len(examples),
        gone,
        changed,
        ReservedPairs.of_run(run),
        Changes(suggestions=True),
    )


def _train(plan: TrainingPlan, emit: Callable[[Any], None], progress: Progress) -> TrainingResult:
    """`training.train` in its own process; a result that was not stored before the program ended is read again."""
    path = plan.folder / _RESULT
    if is_file(path):
        return codec.decode(TrainingResult, path.read_bytes())
    try:
        result = training.train(plan, emit, progress)
    except OSError as exc:
        raise unwritable(plan.folder, exc) from exc
    if not result.stopped:
        write_lines(path, [codec.encode(result)])
    return result


def _now() -> datetime:
    return datetime.now(UTC)
