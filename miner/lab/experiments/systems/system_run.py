"""Runs one system with one seed in a process of its own: it learns, and writes what it predicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from miner.classifier.examples import TrainingExample, read_examples
from miner.classifier.libraries import import_libraries
from miner.errors import UserError
from miner.installation import EXTRAS, extra_error, how_installed
from miner.lab.experiments.experiment_file import kind_of
from miner.lab.experiments.system_kinds import (
    CosineSystem,
    EncoderSystem,
    FrequencySystem,
    GraphSystem,
    LexicalSystem,
    ModelSystem,
    NaiveBayesSystem,
    NeuralSystem,
    Objective,
    PeopleSystem,
    PredictionsSystem,
    PromptSystem,
    System,
    SystemInput,
    TfidfSystem,
)
from miner.lab.experiments.systems.lexical import train_lexical, train_naive_bayes, train_tfidf
from miner.lab.experiments.systems.model_run import ModelAdapter, load_used_model
from miner.lab.experiments.systems.prompt_run import PromptTask, prepare_prompt
from miner.lab.experiments.systems.prompted import PromptedSystem
from miner.lab.experiments.systems.protocol import (
    Array,
    LabelledText,
    SystemData,
    Tick,
    TrainedSystem,
    readings,
    readings_to_learn,
)
from miner.libraries import np
from miner.paths import is_disk_full, write_hint
from miner.progress import Cancelled, Progress

_PACKAGES = {"sklearn": "scikit-learn"}
"""Packages whose module has another name."""
EXAMPLES, NEEDED_EXAMPLES = "examples.jsonl", "needed.jsonl"


RUNNABLE = (
    LexicalSystem,
    NaiveBayesSystem,
    TfidfSystem,
    NeuralSystem,
    EncoderSystem,
    ModelSystem,
    PromptSystem,
    PredictionsSystem,
    PeopleSystem,
    CosineSystem,
    GraphSystem,
    FrequencySystem,
)
"""The kinds of systems that can be run; others are refused in words."""


@dataclass(frozen=True, slots=True)
class SystemRunTask:
    """What to run. folder: holds `EXAMPLES`, `NEEDED_EXAMPLES` and the test parts, and receives predictions.

    tests: names of the files of test parts, of examples too. start: the folder of the model that an encoder starts
    from, or that is used as it is; or the file of word vectors. mapping_epochs: record training dynamics for so many
    epochs, and predict nothing. class_labels: the labels of each class, which a model's own classes may be.
    """

    system: System
    classes: tuple[str, ...]
    seed: int
    folder: Path
    tests: tuple[str, ...]
    start: Path | None = None
    start_name: str = ""
    device: str = "auto"
    needed_classes: tuple[str, ...] = ()
    mapping_epochs: int = 0
    prompt: PromptTask | None = None
    class_labels: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SystemRunResult:
    """The result of a run, with its time. Its predictions are in files, see `read_predictions`.

    arithmetic: of a model as it is, what its probabilities depend on besides its files, as `Device.arithmetic`.
    device_note: why it is not the device that was asked for; "" if it is.
    """

    device: str
    seconds: float
    notes: tuple[str, ...] = ()
    arithmetic: str = ""
    device_note: str = ""


class RunProgress(NamedTuple):
    """The progress that a run emits: how many steps or pairs are done, their total, and the current work."""

    done: int
    total: int
    what: str


def run_system(task: SystemRunTask, emit: Callable[[Any], None], progress: Progress) -> SystemRunResult:
    """Learn and predict, for `run_isolated`. Called again after it was killed, an encoder continues its training.

    `UserError` where a library or model is missing or there is too little to learn from; `Cancelled`.
    """
    started = time.monotonic()

    def tick(done: int, total: int, what: str) -> None:
        progress.tick(0)
        emit(RunProgress(done, total, what))

    try:
        data = _system_data(task)
        if task.system.LEARNS:
            _require_classes(data)
        learned = _trained(task, data, progress, tick)
        if not task.mapping_epochs:
            for test in task.tests:
                found = _predict(learned.system, list(read_examples(task.folder / test)), task.system.input, tick)
                np.save(_predictions_path(task.folder, test), found)
        if isinstance(learned.system, PromptedSystem):
            learned = learned._replace(notes=(*learned.notes, *learned.system.finish()))
    except ModuleNotFoundError as exc:
        raise _not_installed(exc) from exc
    except OSError as exc:
        if not is_disk_full(exc):
            raise
        raise UserError(f"{task.folder} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc
    seconds = time.monotonic() - started
    return SystemRunResult(learned.device, seconds, learned.notes, learned.arithmetic, learned.device_note)


def _not_installed(exc: ModuleNotFoundError) -> Exception:
    """What to install; the error itself where a module of ours is missing, which is a bug."""
    name = (exc.name or "").partition(".")[0]
    if name in ("", "miner"):
        return exc
    what = "This kind of system"
    if extra := next((extra for extra, modules in EXTRAS.items() if name in modules), None):
        return extra_error(extra, name, what)
    package = _PACKAGES.get(name, name)
    return UserError(f"{what} needs {package}, which is not installed.", hint=how_installed().package_remedy(package))


def read_predictions(folder: Path, test: str) -> Array:
    """Probabilities, (pairs, classes), of a test part by a run that has ended."""
    found: Array = np.load(_predictions_path(folder, test), allow_pickle=False)
    return found


class _Learned(NamedTuple):
    """A system that can predict, its device for users, and sentences on what it learned with.

    arithmetic, device_note: as `SystemRunResult` has them.
    """

    system: TrainedSystem
    device: str
    notes: tuple[str, ...] = ()
    arithmetic: str = ""
    device_note: str = ""


def _trained(task: SystemRunTask, data: SystemData, progress: Progress, tick: Tick) -> _Learned:
    match task.system:
        case LexicalSystem() as lexical:
            trained = train_lexical(lexical, data, tick)
            return _Learned(trained, "processor", (f"Word classes by {trained.tagger}; C = {trained.c:g}.",))
        case NaiveBayesSystem():
            return _Learned(train_naive_bayes(data, tick), "processor")
        case TfidfSystem() as tfidf:
            return _Learned(train_tfidf(tfidf, data, tick), "processor")
        case EncoderSystem() as encoder:
            return _fine_tuned(task, encoder, progress, tick)
        case ModelSystem():
            return _loaded(task)
        case NeuralSystem() as neural:
            return _neural(task, neural, progress, tick)
        case PromptSystem() as prompted:
            return _prompted(task, prompted, progress)
        case CosineSystem():
            return _cosine(task)
        case other:
            kinds = "lexical, naive_bayes, tfidf, cbow, cnn, bilstm, encoder, model, cosine or prompt"
            raise UserError(f"A system of the kind {kind_of(other)} cannot be run yet.", hint=f"Choose {kinds}.")


def _fine_tuned(task: SystemRunTask, system: EncoderSystem, progress: Progress, tick: Tick) -> _Learned:
    import_libraries()
    from miner.classifier.checkpoints import inspect_checkpoint
    from miner.classifier.device import choose_device, set_threads
    from miner.classifier.fine_tuning import FineTuningTask, fine_tune
    from miner.classifier.trainer import TrainingStopped

    assert task.start is not None
    set_threads()
    recipe = system.training_recipe(task.seed)
    device = choose_device(task.device, recipe.precision)
    start = inspect_checkpoint(task.start, name=task.start_name)
    before = None
    if system.intermediate is not None:
        needed = list(_as_read(read_examples(task.folder / NEEDED_EXAMPLES), system.input))
        first = replace(recipe, epochs=system.intermediate.epochs, patience=0)
        masked = system.intermediate.objective is Objective.MLM
        before = FineTuningTask(start, first, task.needed_classes, needed, task.folder, masked_words=masked)
    if task.mapping_epochs:
        recipe = replace(recipe, epochs=task.mapping_epochs, patience=0)
    expands = system.input in (SystemInput.BOTH_ORDERS, SystemInput.EVIDENCE)
    input = SystemInput.BOTH if task.mapping_epochs and expands else system.input
    examples = list(_as_read(read_examples(task.folder / EXAMPLES), input))  # a map has a point for each pair
    tuning = FineTuningTask(
        start,
        recipe,
        task.classes,
        examples,
        task.folder,
        new_head=system.recipe != "starter",
        intermediate=before,
        record_dynamics=bool(task.mapping_epochs),
    )
    try:
        model = fine_tune(tuning, device, partial(_on_event, tick), partial(_should_stop, progress))
    except TrainingStopped as exc:
        raise Cancelled from exc
    return _Learned(ModelAdapter(model), device.name, device_note=device.note)


def _neural(task: SystemRunTask, system: NeuralSystem, progress: Progress, tick: Tick) -> _Learned:
    import_libraries()
    from miner.classifier.device import choose_device, set_threads
    from miner.classifier.neural_training import NeuralTask, neural_recipe, train_neural
    from miner.classifier.trainer import TrainingStopped

    set_threads()
    recipe = neural_recipe(
        epochs=system.epochs,
        patience=system.patience,
        batch_pairs=system.batch_pairs,
        learning_rate=system.learning_rate,
        seed=task.seed,
    )
    device = choose_device(task.device, recipe.precision)
    examples = list(_as_read(read_examples(task.folder / EXAMPLES), system.input))
    training = NeuralTask(
        system.architecture,
        str(task.start or system.vectors),
        system.width,
        system.hidden_layer,
        recipe,
        task.classes,
        examples,
        task.folder,
    )
    try:
        model = train_neural(training, device, partial(_on_event, tick), partial(_should_stop, progress))
    except TrainingStopped as exc:
        raise Cancelled from exc
    note = (
        f"Vectors of {100 * model.found:.1f} % of {model.stems:,} stems from {system.vectors}; the others are random."
    )
    if not system.vectors:
        note = f"Random vectors of {model.stems:,} stems."
    return _Learned(ModelAdapter(model), device.name, (note,), device_note=device.note)


def _prompted(task: SystemRunTask, system: PromptSystem, progress: Progress) -> _Learned:
    assert task.prompt is not None
    needed = task.folder / NEEDED_EXAMPLES
    exemplars = read_examples(needed) if system.shots else ()
    return _Learned(*prepare_prompt(system, task.prompt, exemplars, task.seed, task.device, progress))


def _on_event(tick: Tick, event: object) -> None:
    from miner.classifier.events import TrainStep

    if isinstance(event, TrainStep):
        tick(event.step, event.steps, event.stage or f"loss {event.loss:.3f}")


def _should_stop(progress: Progress) -> bool:
    try:
        progress.tick(0)
    except Cancelled:
        return True
    return False


def _loaded(task: SystemRunTask) -> _Learned:
    assert task.start is not None
    classes = dict(zip(task.classes, task.class_labels, strict=True))
    model = load_used_model(task.start, task.start_name, classes, task.device)
    return _Learned(model.system, model.device, arithmetic=model.arithmetic, device_note=model.device_note)


def _cosine(task: SystemRunTask) -> _Learned:
    import_libraries()
    from miner.classifier.checkpoints import inspect_checkpoint
    from miner.classifier.device import choose_device, set_threads
    from miner.classifier.sentence_similarity import CosinePredictor

    assert task.start is not None
    set_threads()
    device = choose_device(task.device)
    predictor = CosinePredictor(inspect_checkpoint(task.start, name=task.start_name), device, len(task.classes))
    return _Learned(predictor, device.name, device_note=device.note)


def _predict(system: TrainedSystem, test: Sequence[TrainingExample], input: SystemInput, tick: Tick) -> Array:
    """Probabilities as the system's input says; for both orders, the mean of both, for evidence the best piece's."""
    read = [readings(one.premise, one.hypothesis, input) for one in test]
    pairs = [pair for each in read for pair in each]
    found = system.predict(pairs, tick)
    if input is SystemInput.BOTH_ORDERS:
        swapped = system.predict([(hypothesis, premise) for premise, hypothesis in pairs], tick)
        found = ((found + swapped) / 2).astype(np.float32)
    if input is SystemInput.EVIDENCE:
        starts = np.cumsum([0, *map(len, read)])
        found = found[[start + int(found[start:end, 0].argmax()) for start, end in pairwise(starts)]]
    if not np.isfinite(found).all():
        raise UserError("The system gives no numbers for some pairs.", hint="Try the processor, or a lower rate.")
    return found


def _system_data(task: SystemRunTask) -> SystemData:
    if not task.system.LEARNS:
        return SystemData((), (), task.classes)
    examples = list(read_examples(task.folder / EXAMPLES))
    parts: tuple[list[LabelledText], list[LabelledText]] = ([], [])
    for one in _as_read(examples, task.system.input):
        parts[one.dev].append(LabelledText(one.premise, one.hypothesis, one.label))
    sentences = [text for one in examples if not one.dev for text in (one.premise, one.hypothesis)]
    return SystemData(*parts, task.classes, sentences)


def _require_classes(data: SystemData) -> None:
    there = {one.label for one in data.train}
    if len(there) < 2:
        names = ", ".join(data.classes[number] for number in sorted(there)) or "none"
        raise UserError(f"There is nothing to tell apart: the training pairs have these classes: {names}.")


def _as_read(examples: Iterable[TrainingExample], input: SystemInput) -> Iterator[TrainingExample]:
    """What a system learns of these pairs."""
    for one in examples:
        for premise, hypothesis in readings_to_learn(one.premise, one.hypothesis, input):
            yield replace(one, premise=premise, hypothesis=hypothesis)


def _predictions_path(folder: Path, test: str) -> Path:
    return folder / f"{Path(test).stem}.predictions.npy"
