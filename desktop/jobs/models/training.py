"""Training a model on the project's labels, in a process of its own; every run is kept, and can be gone on with."""

from __future__ import annotations

import logging
import platform
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from desktop.jobs.gc_paused import gc_paused
from desktop.jobs.models.kept import Kept
from desktop.jobs.models.registry import enter_model, find_model, models_folder
from desktop.jobs.models.training_exposure import LEARNED_BEFORE, exposure_of, write_learned_before
from desktop.jobs.models.training_history import History
from desktop.jobs.models.training_lock import alone, live_run
from miner import codec
from miner.classifier import training
from miner.classifier.checkpoints import STARTER, STARTER_NAME, Checkpoint, inspect
from miner.classifier.events import Event, Step
from miner.classifier.examples import LABELS, Example, Source, read_examples, write_examples, write_lines
from miner.classifier.held_out import LEAST_TO_MEASURE
from miner.classifier.libraries import missing_library
from miner.classifier.recipe import FROM_STARTER, Recipe
from miner.classifier.training import CHECKPOINT, EXAMPLES, GIVEN, TrainingPlan, TrainingResult, check, with_dev
from miner.errors import UserError
from miner.paths import is_file, is_folder, write_hint
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Job, Progress
from miner.records import Label
from storage.changes import Changes
from storage.errors import decoding, translated
from storage.exchange.choosing import EVERYTHING, ExportOptions
from storage.models.registry import ModelKind
from storage.models.training_parts import Part
from storage.models.training_runs import RunState, TrainingRun
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.untrusted import may_be_looked_at

log = logging.getLogger(__name__)

Watch = Callable[[Event], None]  # what the training tells of itself, from the job's thread

_RESULT = "result.json"
_ANEW = "Start a new run."
_BASELINE = STARTER
_FEW_ANSWERS = 200  # below, a model's confidence can hardly be trusted (classifier: calibration)
_TOGETHER = 5_000  # examples read between two looks at whether to stop


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """`start`: the model to start from, as `SuggestOptions.model`; `implicit_above`: also unlabelled neighbours whose
    suggestion is at least so sure (0 to 1), None: without them. `name` "": one is made up. `meant`: only these pairs.

    Pairs of a dev or test split, and those that share a sentence with one, are never learned from: the split that a
    pair came with counts, else the one that an export as `released` gives it.
    """

    start: str = STARTER_NAME
    recipe: Recipe = FROM_STARTER
    distant: bool = True
    answers: bool = True
    implicit_above: float | None = None
    name: str = ""
    device: str = "auto"
    labels: tuple[Label, ...] | None = None
    meant: PairFilter = EVERYTHING
    released: ExportOptions | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to learn from: pairs by source ("distant", "answer", "accepted", "implicit") and by class.

    `problem` and `hint` say why that is not enough, "" where it is; `warnings` what will limit the model; `kept`: what
    is not learned from.
    """

    pairs: int
    papers: int
    sources: Mapping[str, int]
    classes: Mapping[str, int]
    problem: str = ""
    hint: str = ""
    warnings: tuple[str, ...] = ()
    kept: Kept = field(default_factory=Kept)


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished run and its model (`model` is what `SuggestOptions.model` takes); `stopped`: before its time.

    `gone` and `changed`: examples whose pair was removed, or has another label or text now, after it was read.
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
    kept: Kept
    changes: Changes


_IF_STOPPED = "The best so far is kept as a model, and the run can go on from there under Train."


def material(project: Project, options: TrainOptions) -> Job[Material]:
    """What a run of these options would learn from, counted; fit for showing while one chooses."""

    def work(progress: Progress) -> Material:
        examples, kept = _read(project, options, progress)
        learned = [one for one in examples if not one.dev]
        counts = Counter(one.source.value for one in learned)
        classes = Counter(LABELS[one.label].value for one in learned)
        papers = len({one.paper for one in learned})
        problem, hint = "", ""
        try:
            check(examples)
        except UserError as exc:
            problem, hint = str(exc), exc.hint
        found = {label.value: classes[label.value] for label in LABELS}
        return Material(len(learned), papers, counts, found, problem, hint, _warnings(learned), kept)

    return Job("Counting what there is to learn from", work)


def train(project: Project, options: TrainOptions | None = None, watch: Watch | None = None) -> Job[Trained]:
    """Train and keep the model. Pausing waits; cancelling keeps the best so far as the run's model.

    `UserError` where there is too little to learn from, the model to start from cannot be used, or another program is
    training for this project.
    """
    chosen = options or TrainOptions()

    def work(progress: Progress) -> Trained:
        if problem := missing_library():
            raise problem
        start, _ = find_model(project, chosen.start, chosen.labels)
        examples, kept = _read(project, chosen, progress, exposure_of(start).learned)
        check(examples)
        with gc_paused():
            examples = with_dev(examples, chosen.recipe)
        check(examples)
        folder = models_folder(project)
        with alone(folder) as note_run:
            _sweep(project)
            run = _enter(project, chosen, start, examples, kept)
            note_run(run.id)
            return _carry_out(project, run, chosen, start, watch, progress)

    return Job(f"Training from {chosen.start}", work, _IF_STOPPED)


def resume(project: Project, run: int, watch: Watch | None = None) -> Job[Trained]:
    """Go on with a run that was interrupted, from its last checkpoint, on the examples it began with."""

    def work(progress: Progress) -> Trained:
        if problem := missing_library():
            raise problem
        with alone(models_folder(project)) as note_run:
            known = _known(project, run)
            if known.state is RunState.DONE:
                raise UserError(f"The run {known.name} is finished.", hint="Start a new one.")
            if not known.folder or not is_file(models_folder(project) / known.folder / EXAMPLES):
                raise UserError(f"The files of the run {known.name} are gone.", hint="Delete it, and start a new one.")
            with translated(project.path), decoding():
                options, start_digest = _options(known), known.settings["start_digest"]
            if not may_be_looked_at(Path(options.start), project.path):
                raise UserError(f"{known.name} started from {options.start}, on another computer.", hint=_ANEW)
            start, _ = find_model(project, options.start, options.labels)
            if start.digest != start_digest:
                raise UserError(f"The model that {known.name} started from is another one by now.", hint=_ANEW)
            if "kept" not in known.data and _read(project, options, progress)[1] != Kept():  # of an earlier version
                what = f"{known.name} was begun when dev and test splits were still learned from, and there are such."
                raise UserError(what, hint=_ANEW)
            with project.transaction() as stores:
                stores.training.update(known.id, state=RunState.RUNNING, problem="")
            note_run(run)
            return _carry_out(project, known, options, start, watch, progress)

    return Job("Going on with a training", work, _IF_STOPPED)


def runs(project: Project) -> Job[list[TrainingRun]]:
    """All runs, the newest first. One whose program was ended is told as PAUSED: it waits to be resumed.

    `history`: see `History`. `settings`: what `TrainOptions` and its recipe said. `data`: pairs by source and class.
    """

    def work(progress: Progress) -> list[TrainingRun]:
        live = live_run(models_folder(project))
        with project.reading() as stores:
            found = stores.training.all()
        return [
            replace(run, state=RunState.PAUSED) if run.state is RunState.RUNNING and run.id != live else run
            for run in found
        ]

    return Job("Reading the training runs", work)


def forget(project: Project, run: int) -> Job[Changes]:
    """Delete a run and its files. Suggestions of its model stay. `UserError` while it is running."""

    def work(progress: Progress) -> Changes:
        known = _known(project, run)
        if live_run(models_folder(project)) == run:
            raise UserError(f"The run {known.name} is training.", hint="Stop it first.")
        with project.transaction() as stores:
            stores.training.delete(run)
        folder = models_folder(project) / known.folder
        if known.folder and is_file(folder / EXAMPLES):  # else it is no run's, whatever the project says
            shutil.rmtree(folder, ignore_errors=True)
        return Changes(suggested=True)

    return Job("Deleting a training run", work)


def _carry_out(
    project: Project,
    run: TrainingRun,
    options: TrainOptions,
    start: Checkpoint,
    watch: Watch | None,
    progress: Progress,
) -> Trained:
    """Train as the run says, and enter what came of it, whatever that is."""
    folder = models_folder(project) / run.folder
    history = History.of(run.history)

    def hear(event: Event) -> None:
        if history.hear(event):  # kept at the end too: no reason to give up hours of work
            with suppress(UserError), project.transaction(bulk=True) as stores:
                stores.training.update(run.id, history=history.to_data())
        if isinstance(event, Step):
            with suppress(Cancelled):  # it is told to stop by other means, and then gives what it has
                progress.tick(event.step, event.steps, event.stage or f"loss {event.loss:.3f}", may_wait=False)
        if watch is not None:
            watch(event)

    plan = TrainingPlan(
        folder, start.path, start.name, run.name, options.recipe, options.labels, options.device, _BASELINE
    )
    try:
        result = run_isolated(_train, plan, progress, hear, what="The training")
    except BaseException as exc:
        cancelled = isinstance(exc, Cancelled)
        state = RunState.CANCELLED if cancelled else RunState.FAILED
        problem = "" if cancelled else str(exc) if isinstance(exc, UserError) else "It met a bug of Pairwright's."
        with suppress(UserError), project.transaction() as stores:  # what went wrong first is told
            stores.training.update(run.id, state=state, history=history.to_data(), problem=problem, ended=_now())
        raise
    checkpoint = inspect(folder / CHECKPOINT, name=run.name)
    with project.transaction() as stores:
        model = enter_model(stores, checkpoint, ModelKind.PROJECT, run.folder)
        stores.training.update(
            run.id,
            state=RunState.CANCELLED if result.stopped else RunState.DONE,
            metrics={**result.metrics, "temperature": result.temperature, "seconds": round(result.seconds, 1)},
            history=history.to_data(),
            model_id=model,
            ended=_now(),
        )
    log.info("trained %s in %.0f s on %s", run.name, result.seconds, result.device)
    with gc_paused():
        examples = list(read_examples(folder / EXAMPLES))
    gone, changed = _since(project, options, examples)
    return Trained(
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
        Kept.of(run.data),
        Changes(suggested=True),
    )


def _train(plan: TrainingPlan, tell: Callable[[Any], None], progress: Progress) -> TrainingResult:
    """`training.train` in its own process; what was finished before, and not yet entered, is not done again."""
    path = plan.folder / _RESULT
    if is_file(path):
        return codec.decode(TrainingResult, path.read_bytes())
    try:
        result = training.train(plan, tell, progress)
    except OSError as exc:
        raise _unwritable(plan.folder, exc) from exc
    if not result.stopped:
        write_lines(path, [codec.encode(result)])
    return result


def _read(
    project: Project, options: TrainOptions, progress: Progress, known: Set[str] = frozenset()
) -> tuple[list[Example], Kept]:
    """The labels there are now, in the store's order, and those not learned from. `known`: keys of pairs that the model
    to start from has learned.
    """
    found: list[Example] = []
    parts = Counter[Part]()
    with project.reading() as stores, gc_paused():
        pairs = stores.training.examples(
            distant=options.distant,
            answers=options.answers,
            implicit_above=options.implicit_above,
            meant=options.meant,
            released=options.released,
        )
        for place, (key, paper, premise, hypothesis, label, source, part) in enumerate(pairs, start=1):
            parts[part] += 1
            if part in (Part.TRAIN, Part.DEV):
                dev, given = part is Part.DEV, Source(source)
                number = LABELS.index(label)
                found.append(Example(key, paper, premise, hypothesis, number, given, dev, key in known, dev))
            if place % _TOGETHER == 1:
                progress.tick(0, None, f"reading {place:,} labels")
    by = {one.key for one in found if one.dev and one.source in GIVEN and not one.known}
    if len(by) < LEAST_TO_MEASURE:
        by = set()
    kept = Kept(len(by), parts[Part.TEST], parts[Part.DEV] - len(by), parts[Part.SHARED])
    return [one for one in found if not one.dev or one.key in by], kept


def _warnings(examples: Sequence[Example]) -> tuple[str, ...]:
    answers = sum(one.source is Source.ANSWER for one in examples)
    said = []
    if answers < _FEW_ANSWERS:
        said.append(f"{answers:,} answers of people: from {_FEW_ANSWERS} on, confidences can be adjusted to them.")
    if examples and not any(one.source is Source.DISTANT for one in examples) and len(examples) < 1_000:
        said.append(f"{len(examples):,} labels alone teach little: train on the distant labels too.")
    return tuple(said)


def _enter(
    project: Project, options: TrainOptions, start: Checkpoint, examples: Sequence[Example], kept: Kept
) -> TrainingRun:
    """A new run, with its examples in a folder of its own, which is there before the run is."""
    with project.reading() as stores:
        number = max((run.id for run in stores.training.all()), default=0) + 1
        known = {model.folder for model in stores.models.all()}  # also of runs that were deleted
    name = options.name.strip() or f"{options.recipe.name} {number}"
    folder = _new_folder(models_folder(project), f"{number}-{_slug(name)}", known)
    try:
        fingerprint = write_examples(folder / EXAMPLES, examples)
        write_learned_before(folder, exposure_of(start).learned)
    except OSError as exc:
        shutil.rmtree(folder, ignore_errors=True)
        raise _unwritable(folder, exc) from exc
    with project.transaction() as stores:
        id = stores.training.start(
            name,
            settings=_settings(options, start),
            fingerprint=fingerprint,
            data={**_counts(examples), "kept": asdict(kept)},
            versions=_versions(),
            folder=folder.name,
            at=_now(),
        )
        return stores.training.get(id)


def _new_folder(models: Path, name: str, taken: Set[str]) -> Path:
    for number in range(1, 10_000):
        folder = models / (name if number == 1 else f"{name}-{number}")
        if folder.name in taken:
            continue
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as exc:
            raise _unwritable(models, exc) from exc
        return folder
    raise UserError(f"{models} has too many folders called {name}.", hint="Give the run another name.")


def _sweep(project: Project) -> None:
    """Delete folders of runs that were killed before they were entered."""
    with project.reading() as stores:
        known = {run.folder for run in stores.training.all()}
    own = {name + part for name in (EXAMPLES, LEARNED_BEFORE) for part in ("", ".part")}
    for path in models_folder(project).iterdir():
        if is_folder(path) and path.name not in known and {file.name for file in path.iterdir()} <= own:
            shutil.rmtree(path, ignore_errors=True)


def _settings(options: TrainOptions, start: Checkpoint) -> dict[str, Any]:
    return {
        "start": options.start,
        "start_digest": start.digest,
        "distant": options.distant,
        "answers": options.answers,
        "implicit_above": options.implicit_above,
        "device": options.device,
        "labels": options.labels and [label.value for label in options.labels],
        "meant": options.meant.to_data(),
        "released": options.released and options.released.to_data(),
        "recipe": codec.to_data(options.recipe),
    }


def _options(run: TrainingRun) -> TrainOptions:
    """What the run was started with."""
    kept = run.settings
    return TrainOptions(
        str(kept["start"]),
        codec.from_data(Recipe, kept["recipe"]),
        kept["distant"],
        kept["answers"],
        kept["implicit_above"],
        run.name,
        kept["device"],
        tuple(map(Label, kept["labels"])) if kept["labels"] else None,
        codec.from_data(PairFilter, kept.get("meant", {})),
        ExportOptions.from_data(kept["released"]) if kept.get("released") else None,
    )


def _counts(examples: Sequence[Example]) -> dict[str, Any]:
    """For the run's `data`."""
    by_source: dict[str, Counter[str]] = {}
    for one in examples:
        by_source.setdefault(one.source.value, Counter())[LABELS[one.label].value] += 1
    dev = sum(one.dev for one in examples)
    return {"pairs": by_source, "examples": len(examples), "dev": dev, "papers": len({one.paper for one in examples})}


def _since(project: Project, options: TrainOptions, examples: Sequence[Example]) -> tuple[int, int]:
    """How many examples are gone from the project since they were read, and how many are others now."""
    now = {one.key: (one.label, one.premise, one.hypothesis) for one in _read(project, options, Progress())[0]}
    others = [one.key for one in examples if now.get(one.key) != (one.label, one.premise, one.hypothesis)]
    with project.reading() as stores:
        there = set(stores.pairs.present(others))
    return len(others) - len(there), len(there)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("pairwright", "torch", "transformers", "tokenizers", "numpy"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _known(project: Project, run: int) -> TrainingRun:
    with project.reading() as stores:
        try:
            return stores.training.get(run)
        except KeyError as exc:
            raise UserError(f"There is no training run {run}.", hint="See: pairwright train --list") from exc


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "model"


def _unwritable(folder: Path, exc: OSError) -> UserError:
    return UserError(f"{folder} cannot be written: {exc.strerror or exc}.", hint=write_hint(exc))


def _now() -> datetime:
    return datetime.now(UTC)
