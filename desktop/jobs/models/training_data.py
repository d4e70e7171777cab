"""The data of a training: the labelled pairs of the project that its options choose."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any

from desktop.jobs.models.model_options import TrainOptions
from desktop.text import count, listed
from desktop.translation import tr
from miner.classifier.dev_split import GIVEN_SOURCES, require_learnable
from miner.classifier.examples import LABELS, LabelSource, TrainingExample
from miner.classifier.held_out import MIN_MEASURED_EXAMPLES
from miner.classifier.libraries import missing_library
from miner.errors import UserError
from miner.progress import Job, Progress
from storage.models.training_parts import TrainingPart
from storage.models.training_runs import TrainingRun
from storage.project import Project

_MIN_ANSWERS = 200  # with fewer, confidences cannot be calibrated (miner.classifier.calibration)
_MIN_LABELS = 1_000  # with fewer, and no distant labels, a model learns little
_TICK_EVERY = 5_000  # examples
_FREEZE_THRESHOLD = 50_000  # objects; a collection of ten times as many takes half a second


@dataclass(frozen=True, slots=True)
class ReservedPairs:
    """How many labelled pairs are not learned because a dev or test split has them; runs store these names in JSON.

    by: pairs of a dev split that the best epoch is chosen by. test: pairs of a test split. dev: other pairs of a dev
    split, which are too few to choose by, have no gold label, or were learned by the start model. shared: pairs of a
    train split that share a sentence with a dev or test pair. none: pairs of papers without a split.
    """

    by: int = 0
    test: int = 0
    dev: int = 0
    shared: int = 0
    none: int = 0

    @classmethod
    def of_run(cls, run: TrainingRun) -> ReservedPairs:
        """The numbers stored in the run's `data`; 0 for a run of an earlier version."""
        data = run.data.get("kept") or {}
        return cls(*(int(data.get(field.name, 0)) for field in fields(cls)))

    def __str__(self) -> str:
        """The numbers in sentences; "" if no pair is reserved."""
        sentences = []
        if self.by:
            pairs = count(self.by, "pair")
            sentences.append(tr("The best epoch is chosen on {pairs} of the dev split.", pairs=pairs))
        left_out = []
        if self.test:
            left_out.append(tr("{pairs} of the test split", pairs=count(self.test, "pair")))
        if self.dev:
            why = tr("(without a gold label, too few to choose by, or known to the model before)")
            left_out.append(tr("{pairs} of the dev split {why}", pairs=count(self.dev, "pair"), why=why))
        if self.shared:
            left_out.append(tr("{pairs} with a sentence of dev or test", pairs=count(self.shared, "pair")))
        if self.none:
            left_out.append(tr("{pairs} of papers without a split", pairs=count(self.none, "pair")))
        if left_out:
            sentences.append(tr("Left out: {left_out}.", left_out=listed(left_out)))
        return " ".join(sentences)


@dataclass(frozen=True, slots=True)
class TrainingDataCounts:
    """How many pairs there are to learn, by source ("distant", "answer", "accepted", "implicit") and by class.

    problem, hint: why nothing can be learned: too few pairs, or a library is missing; "" if nothing is wrong. warnings:
    what will limit the model. lacks_library: whether the problem is a missing library, which resuming needs too.
    """

    pairs: int
    papers: int
    sources: Mapping[str, int]
    classes: Mapping[str, int]
    problem: str = ""
    hint: str = ""
    warnings: tuple[str, ...] = ()
    reserved: ReservedPairs = field(default_factory=ReservedPairs)
    lacks_library: bool = False


def count_training_data(project: Project, options: TrainOptions) -> Job[TrainingDataCounts]:
    """Count what a run with these options would learn."""

    def work(progress: Progress) -> TrainingDataCounts:
        examples, reserved = read_training_data(project, options, progress)
        learned = [one for one in examples if not one.dev]
        sources = Counter(one.source.value for one in learned)
        found = Counter(LABELS[one.label].value for one in learned)
        papers = len({one.paper for one in learned})
        problem, hint = "", ""
        missing = missing_library(tr("Training"))
        try:
            if missing is not None:
                raise missing
            require_learnable(examples)
        except UserError as exc:
            problem, hint = str(exc), exc.hint
        classes = {label.value: found[label.value] for label in LABELS}
        return TrainingDataCounts(
            len(learned), papers, sources, classes, problem, hint, _warnings(learned), reserved, missing is not None
        )

    return Job(tr("Counting what there is to learn from"), work)


def read_training_data(
    project: Project, options: TrainOptions, progress: Progress, known: Set[str] = frozenset()
) -> tuple[list[TrainingExample], ReservedPairs]:
    """The project's labels as examples, in the store's order, and how many are reserved for dev and test.

    known: keys of the pairs that the model to start from has learned.
    """
    found: list[TrainingExample] = []
    parts = Counter[TrainingPart]()
    with project.read_transaction() as stores, gc_paused():
        pairs = stores.training_runs.examples(
            distant=options.distant,
            answers=options.answers,
            implicit_above=options.implicit_above,
            filter=options.filter,
            export_options=options.split_export,
        )
        for number, (key, paper, premise, hypothesis, label, source, part) in enumerate(pairs, start=1):
            parts[part] += 1
            if part in (TrainingPart.TRAIN, TrainingPart.DEV):
                dev, given = part is TrainingPart.DEV, LabelSource(source)
                label_number = LABELS.index(label)
                found.append(
                    TrainingExample(key, paper, premise, hypothesis, label_number, given, dev, key in known, dev)
                )
            if number % _TICK_EVERY == 1:
                progress.tick(0, None, tr("reading {number:,} labels", number=number))
    dev_keys = {one.key for one in found if one.dev and one.source in GIVEN_SOURCES and not one.known}
    if len(dev_keys) < MIN_MEASURED_EXAMPLES:
        dev_keys = set()
    reserved = ReservedPairs(
        len(dev_keys),
        parts[TrainingPart.TEST],
        parts[TrainingPart.DEV] - len(dev_keys),
        parts[TrainingPart.SHARED],
        parts[TrainingPart.NONE],
    )
    return [one for one in found if not one.dev or one.key in dev_keys], reserved


def count_changes(project: Project, options: TrainOptions, examples: Sequence[TrainingExample]) -> tuple[int, int]:
    """How many examples' pairs were removed from the project since they were read, and how many have changed."""
    current, _ = read_training_data(project, options, Progress())
    now = {one.key: (one.label, one.premise, one.hypothesis) for one in current}
    others = [one.key for one in examples if now.get(one.key) != (one.label, one.premise, one.hypothesis)]
    with project.read_transaction() as stores:
        there = set(stores.pairs.present(others))
    return len(others) - len(there), len(there)


def counts_by_source(examples: Sequence[TrainingExample]) -> dict[str, Any]:
    """The numbers for a run's `data`: pairs by source and class, and in all; without dev pairs by source and papers."""
    by_source: dict[str, Counter[str]] = {}
    for one in examples:
        by_source.setdefault(one.source.value, Counter())[LABELS[one.label].value] += 1
    learned = [one for one in examples if not one.dev]
    return {
        "pairs": by_source,
        "examples": len(examples),
        "dev": len(examples) - len(learned),
        "learned": Counter(one.source.value for one in learned),
        "papers": len({one.paper for one in learned}),
    }


def _warnings(examples: Sequence[TrainingExample]) -> tuple[str, ...]:
    answers = sum(one.source is LabelSource.ANSWER for one in examples)
    warnings = []
    if answers < _MIN_ANSWERS:
        warnings.append(
            tr(
                "Only {answers} of annotators: from {min_answers} on, the confidences of the model are "
                "calibrated on them.",
                answers=count(answers, "answer"),
                min_answers=_MIN_ANSWERS,
            )
        )
    if examples and not any(one.source is LabelSource.DISTANT for one in examples) and len(examples) < _MIN_LABELS:
        labels = count(len(examples), "label is", "labels are")
        warnings.append(tr("{labels} too few to learn from: train on the distant labels too.", labels=labels))
    return tuple(warnings)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause Python's garbage collection, and exclude the objects created inside from later ones if they are many.

    A full collection stops all threads, including the window's. Use this for objects without reference cycles, which
    are freed by their reference counts. `gc.freeze` also keeps existing garbage, so it is not called after few objects.
    """
    thresholds = gc.get_threshold()
    is_first = bool(thresholds[0])  # else a job that runs beside this one has paused it, and resumes it
    if is_first:
        gc.set_threshold(0)  # not `gc.disable`: in the window it is off, and a timer collects by the thresholds
    try:
        yield
    finally:
        if gc.get_count()[0] > _FREEZE_THRESHOLD:
            gc.freeze()
        if is_first:
            gc.set_threshold(*thresholds)
