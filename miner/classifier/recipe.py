"""How a model is trained: one frozen value, the same bytes wherever it is written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from miner.errors import UserError


class Head(StrEnum):
    """What stands between encoder and classes: a linear layer on the first token, or one over both sentences' means."""

    FIRST_TOKEN = "first_token"
    BOTH_SENTENCES = "both_sentences"


class Balance(StrEnum):
    """What is done about classes of different sizes: nothing, weights in the loss, or as many drawn of each."""

    NONE = "none"
    WEIGHTS = "weights"
    DRAW = "draw"


class Precision(StrEnum):
    """Numbers that training and prediction multiply with; AUTO takes bfloat16 where the device gains from it."""

    AUTO = "auto"
    FP32 = "fp32"
    BF16 = "bf16"
    FP16 = "fp16"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what comes of the same examples. Values that make no sense raise `UserError`."""

    name: str = "quick"
    """What people call it; decides nothing."""
    head: Head = Head.BOTH_SENTENCES
    """The head of a model that is started from an encoder; a model that has a head keeps its own."""
    layers: int = 4
    """Of an encoder its first so many layers; 0 for all. A model that has a head keeps its layers."""
    epochs: int = 3
    """Rounds through the examples at most."""
    batch_pairs: int = 16
    """Pairs of a step."""
    learning_rate: float = 1e-4
    """Of the encoder at its height; falls to nothing in a straight line."""
    head_factor: float = 2.0
    """The head learns this many times as fast."""
    warmup: float = 0.1
    """Share of the steps in which the rate rises."""
    weight_decay: float = 0.01
    label_smoothing: float = 0.05
    max_tokens: int = 112
    """Longer pairs lose the end of their longer sentence."""
    train_embeddings: bool = False
    """Whether the words' vectors learn too; on a processor that takes a third of the time and gains nothing."""
    balance: Balance = Balance.WEIGHTS
    answer_weight: float = 2.0
    """What a person's answer weighs beside a distant label."""
    two_stage: bool = False
    """Distant labels first, then the answers alone at half the rate, instead of all together."""
    dev_share: float = 0.15
    """Share of the answers (of the distant labels, where answers are few) kept to choose and to calibrate by."""
    patience: int = 2
    """Epochs without a better macro F1 on those before it ends; 0: never."""
    seconds: int = 0
    """Time to learn, the same share for each stage and each fold; 0: as long as it takes. The rates fall by it."""
    folds: int = 0
    """Models that judge the labels the others were trained on, k folds by paper; 0: none."""
    hypothesis_only: bool = False
    """Hide the premise: what such a model guesses, the hypothesis gives away (SciNLI, section 4)."""
    precision: Precision = Precision.AUTO
    seed: int = 0

    def __post_init__(self) -> None:
        if problem := _problem(self):
            raise UserError(f"This recipe does not work: {problem}.", hint="Correct the value and train again.")


def _problem(recipe: Recipe) -> str | None:
    counts = {"epochs": (1, 1000), "batch_pairs": (1, 4096), "max_tokens": (8, 4096), "layers": (0, 200)}
    counts |= {"patience": (0, 1000), "seconds": (0, 10_000_000), "folds": (0, 20), "seed": (0, 2**32 - 1)}
    for name, (low, high) in counts.items():
        value = getattr(recipe, name)
        if type(value) is not int or not low <= value <= high:
            return f"{name} must be a whole number from {low:,} to {high:,}"
    numbers = {"learning_rate": (0.0, 1.0), "head_factor": (0.0, 1000.0), "warmup": (0.0, 0.9)}
    numbers |= {"weight_decay": (0.0, 1.0), "label_smoothing": (0.0, 0.5), "answer_weight": (0.0, 1000.0)}
    numbers |= {"dev_share": (0.0, 0.5)}
    for name, (least, most) in numbers.items():
        value = getattr(recipe, name)
        if not isinstance(value, int | float) or not least <= value <= most:
            return f"{name} must be a number from {least:g} to {most:g}"
    if recipe.folds == 1:
        return "one fold is none: take 0, or 2 and more"
    return None


QUICK = Recipe()
"""For a laptop: the first four layers, embeddings frozen, pairs of like length together."""
FROM_STARTER = Recipe(name="from the starter", learning_rate=5e-5, epochs=3)
"""For a model that has learned the task and is shown a domain."""
PAPERS = Recipe(
    name="papers",
    head=Head.FIRST_TOKEN,
    layers=0,
    epochs=10,
    batch_pairs=64,
    learning_rate=2e-5,
    head_factor=1.0,
    warmup=0.0,
    label_smoothing=0.0,
    max_tokens=256,
    train_embeddings=True,
    balance=Balance.NONE,
    answer_weight=1.0,
    patience=2,
)
"""MSciNLI, appendix B: base encoders, a linear layer on the first token, 2e-5, 64 pairs, patience 2. Wants a GPU."""
PRESETS = {recipe.name: recipe for recipe in (FROM_STARTER, QUICK, PAPERS)}
