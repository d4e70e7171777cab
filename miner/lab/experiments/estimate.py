"""How long the runs of an experiment will take: their work from their sizes, its speed from earlier runs.

The work of a run is counted in a unit of its kind, so that a run of another size or recipe takes as long as its work
says. Where no run of a kind has been measured, a table of rates of one computer is used, scaled by a short timing of
this one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from miner.lab.experiments.experiment_file import kind_of
from miner.lab.experiments.system_kinds import (
    Architecture,
    CosineSystem,
    EncoderSystem,
    FrequencySystem,
    GraphSystem,
    LexicalSystem,
    ModelSystem,
    NaiveBayesSystem,
    NeuralSystem,
    PeopleSystem,
    PredictionsSystem,
    PromptSystem,
    System,
    SystemInput,
    TfidfSystem,
)

_LEARNING_PASSES = 3  # a step learns with a pass forward and one back, which takes twice as long
_TOKENS_PER_WORD = 1.4  # of scientific text, by BERT's word pieces
_PROMPT_WORDS, _EXEMPLAR_WORDS, _LAST_RUNS = 90, 60, 20


class RunSize(NamedTuple):
    """How much a run reads, in pairs. needed: of the set that comes before. words: of both sentences, the mean.

    mapping_epochs: of a run that only records training dynamics.
    """

    train: int = 0
    dev: int = 0
    tested: int = 0
    needed: int = 0
    words: float = 50.0
    classes: int = 4
    mapping_epochs: int = 0


class ModelShape(NamedTuple):
    """An encoder's layers and hidden width."""

    layers: int = 6
    width: int = 384


class RunWork(NamedTuple):
    """What a run does: its kind, and how much in the kind's unit."""

    kind: str
    amount: float


class Measurement(NamedTuple):
    """A finished run, with its seconds and device."""

    work: RunWork
    seconds: float
    device: str = ""


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """How long the missing runs will take. cells, runs: how many are missing. unknown: kinds without any rate.

    measured: the share of the seconds, 0.0 to 1.0, whose rate is that of earlier runs of the project. left_out: how
    many missing cells cannot be computed, and are in no other number; problems: why.
    """

    seconds: float
    runs: int
    cells: int
    measured: float
    unknown: tuple[str, ...] = ()
    left_out: int = 0
    problems: tuple[str, ...] = ()


def run_work(system: System, size: RunSize, shape: ModelShape | None = None) -> RunWork:
    """The work of a run. shape: of the model that an encoder starts from, or that is used as it is.

    Epochs are the most that the system may take: how often trainings stop earlier is in the rate of its kind.
    """
    kind = kind_of(system)
    tested = size.tested * (2 if system.input is SystemInput.BOTH_ORDERS else 1)
    words = size.words if system.input is not SystemInput.HYPOTHESIS else size.words / 2
    if system.input is SystemInput.BOTH_ORDERS:
        size = size._replace(train=2 * size.train, dev=2 * size.dev)
    all_pairs = size.train + size.dev + tested
    match system:
        case LexicalSystem():
            return RunWork(kind, all_pairs * words + 0.2 * size.train * words * len(system.c))
        case NaiveBayesSystem() | TfidfSystem():
            return RunWork(kind, all_pairs * words)
        case NeuralSystem():
            passes = (_LEARNING_PASSES * size.train + size.dev) * system.epochs + tested
            by_width = system.width if system.architecture is Architecture.CBOW else system.width**2
            return RunWork(kind, passes * words * by_width)
        case EncoderSystem():
            recipe = system.training_recipe(0)
            shape = shape or ModelShape()
            used = ModelShape(min(recipe.layers, shape.layers) or shape.layers, shape.width)
            each = _forward(used, min(recipe.max_tokens, words * _TOKENS_PER_WORD))
            epochs = size.mapping_epochs or recipe.epochs
            passes = (_LEARNING_PASSES * size.train + size.dev) * epochs + tested
            passes += size.train * size.mapping_epochs
            if system.intermediate is not None:
                passes += _LEARNING_PASSES * size.needed * system.intermediate.epochs
            return RunWork(kind, passes * each)
        case ModelSystem() | CosineSystem():
            return RunWork(kind, tested * _forward(shape or ModelShape(), words * _TOKENS_PER_WORD))
        case PromptSystem():
            read = _PROMPT_WORDS + words + system.shots * size.classes * _EXEMPLAR_WORDS
            return RunWork(f"{kind} {system.model or system.endpoint}", tested * (read + 8 * system.max_new_tokens))
        case _:
            return RunWork(kind, float(tested))


def estimate(
    works: Sequence[RunWork],
    cells: int,
    measurements: Iterable[Measurement],
    *,
    slowness: float = 1.0,
    device: str = "",
) -> TimeEstimate:
    """The time of these runs. measurements: of earlier runs, the newest first; those on `device` if there are any.

    slowness: the time on this computer, relative to the computer of `DEFAULT_RATES`.
    """
    by_kind: dict[str, list[Measurement]] = defaultdict(list)
    for one in measurements:
        by_kind[one.work.kind].append(one)
    rates = {kind: _rate(found, device) for kind, found in by_kind.items()}
    seconds = known = 0.0
    unknown: dict[str, None] = {}
    for work in works:
        overhead = _overhead(work.kind)
        rate = rates.get(work.kind)
        if rate is not None:
            known += overhead + rate * work.amount
            seconds += overhead + rate * work.amount
        elif (default := DEFAULT_RATES.get(work.kind.partition(" ")[0])) is not None:
            seconds += slowness * (overhead + default * work.amount)
        else:
            unknown[work.kind] = None
    return TimeEstimate(seconds, len(works), cells, known / seconds if seconds else 0.0, tuple(unknown))


def _rate(found: Sequence[Measurement], device: str) -> float | None:
    """Seconds for a unit of work, over the newest runs; the time that a run takes to begin is not in it."""
    there = ([one for one in found if one.device == device] or list(found))[:_LAST_RUNS]
    amount = sum(one.work.amount for one in there)
    if not amount:
        return None
    return sum(max(one.seconds - _overhead(one.work.kind), one.seconds / 5) for one in there) / amount


def _forward(shape: ModelShape, tokens: float) -> float:
    """Billions of multiplications of a pass forward: 12 w² weights in a layer, and the attention's t w twice."""
    return shape.layers * tokens * (12 * shape.width**2 + 2 * tokens * shape.width) / 1e9


def _overhead(kind: str) -> float:
    """Seconds until a run has loaded its libraries."""
    return _OVERHEADS.get(kind.partition(" ")[0], 0.1)


_OVERHEADS: Mapping[str, float] = {
    kind_of(system): seconds
    for system, seconds in (
        (LexicalSystem(), 4.0),
        (NaiveBayesSystem(), 2.0),
        (TfidfSystem(), 2.0),
        *((NeuralSystem(architecture=one), 5.0) for one in Architecture),
        (EncoderSystem(), 5.0),
        (ModelSystem(), 5.0),
        (PromptSystem(model="any"), 10.0),
        (PredictionsSystem(), 0.1),
        (PeopleSystem(), 0.1),
        (CosineSystem(), 5.0),
        (GraphSystem(file="any"), 0.1),
        (FrequencySystem(), 0.1),
    )
}
DEFAULT_RATES: Mapping[str, float] = {
    "lexical": 6e-5,
    "naive_bayes": 2e-6,
    "tfidf": 3e-5,
    "cbow": 1.2e-8,
    "cnn": 2e-10,
    "bilstm": 1.1e-9,
    "encoder": 7e-3,
    "model": 7e-3,
    "prompt": 3e-3,
    "predictions": 1e-6,
    "people": 1e-6,
    "cosine": 7e-3,
    "graph": 1e-6,
    "frequency": 1e-6,
}
"""Seconds for a unit of work of each kind on two idle cores of an AMD EPYC, by 600 to 2,000 pairs of SciNLI."""
