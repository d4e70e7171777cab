"""The recipe: all hyperparameters of a training."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from miner.errors import UserError


class Head(StrEnum):
    """The classification head: a linear layer on the first token, one over the means of both sentences, or a linear
    layer on the checkpoint's pooler, a tanh layer over the first token (the code that SciNLI's authors released)."""

    FIRST_TOKEN = "first_token"
    BOTH_SENTENCES = "both_sentences"
    POOLER = "pooler"


class Optimizer(StrEnum):
    """AdamW decays weights apart from the gradient; Adam is the optimizer that the papers name."""

    ADAMW = "adamw"
    ADAM = "adam"


class Schedule(StrEnum):
    """The learning rate after the warm-up: it decays linearly to 0, or stays."""

    LINEAR = "linear"
    CONSTANT = "constant"


class Cut(StrEnum):
    """How pairs of more than `max_tokens` tokens are cut: the longer sentence first, or the end of the pair."""

    LONGEST_FIRST = "longest_first"
    END = "end"


class Balance(StrEnum):
    """How classes of different sizes are balanced: not at all, by weights in the loss, or by equal sampling."""

    NONE = "none"
    WEIGHTS = "weights"
    DRAW = "draw"


class Precision(StrEnum):
    """The number format of training and prediction. AUTO: bfloat16 if the device is faster with it."""

    AUTO = "auto"
    FP32 = "fp32"
    BF16 = "bf16"
    FP16 = "fp16"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything besides the examples that the result depends on. Invalid values raise `UserError`."""

    name: str = "quick"
    """For users; it has no effect on the training."""
    head: Head = Head.BOTH_SENTENCES
    """The head to add to an encoder; a model with a head keeps its own."""
    layers: int = 4
    """Number of layers of an encoder to use; 0: all. A model with a head keeps its layers."""
    epochs: int = 3
    """Maximum number of epochs."""
    batch_pairs: int = 16
    """Batch size in pairs."""
    learning_rate: float = 1e-4
    """Highest rate of the encoder."""
    optimizer: Optimizer = Optimizer.ADAMW
    schedule: Schedule = Schedule.LINEAR
    head_factor: float = 2.0
    """The head's learning rate is this multiple of the encoder's."""
    warmup: float = 0.1
    """Share of the steps in which the rate increases."""
    weight_decay: float = 0.01
    label_smoothing: float = 0.05
    max_tokens: int = 112
    """Longer pairs are cut."""
    cut: Cut = Cut.LONGEST_FIRST
    dropout: float = 0.1
    """Share of the head's input that is set to 0 in training; the encoder has its own."""
    token_types: bool = True
    """Whether the encoder is told which tokens are the hypothesis's, where it can be."""
    alone: bool = False
    """Whether a hypothesis without a premise is encoded as a single text, not as a pair with an empty premise."""
    by_length: bool = True
    """Whether batches are of pairs of similar length, which saves a third of the time; else they are drawn freely."""
    train_embeddings: bool = False
    """Whether to train the embeddings; on a processor it takes a third of the time and improves nothing."""
    balance: Balance = Balance.WEIGHTS
    answer_weight: float = 2.0
    """Weight of an annotator's answer in the loss; a distant label has 1."""
    two_stage: bool = False
    """Train on distant labels first, then on the answers alone at half the rate."""
    dev_share: float = 0.15
    """Share of the answers (of the distant labels, if there are few answers) that become dev pairs."""
    patience: int = 2
    """The training ends after so many epochs without a better macro F1 on the dev pairs; 0: never."""
    seconds: int = 0
    """Training time, divided equally among stages and folds; 0: no limit."""
    folds: int = 0
    """Number of folds by paper; the model of each fold predicts the pairs it has not learned. 0: no folds."""
    hypothesis_only: bool = False
    """Hide the premise, to measure what the hypothesis alone reveals (SciNLI, section 4)."""
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
    numbers |= {"dev_share": (0.0, 0.5), "dropout": (0.0, 0.9)}
    for name, (least, most) in numbers.items():
        value = getattr(recipe, name)
        if not isinstance(value, int | float) or not least <= value <= most:
            return f"{name} must be a number from {least:g} to {most:g}"
    if recipe.optimizer is Optimizer.ADAM and recipe.weight_decay:
        return "adam has no weight decay: choose adamw, or weight_decay 0"
    if recipe.folds == 1:
        return "one fold is too few: choose 0, or 2 or more"
    return None


QUICK = Recipe()
"""For a laptop: the first four layers, with frozen embeddings."""
FROM_STARTER = Recipe(name="from the starter", learning_rate=5e-5, epochs=3)
"""For adapting a trained model to a domain."""
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
"""MSciNLI, appendix B: base encoders, a linear layer on the first token, 2e-5, 64 pairs, patience 2. Needs a GPU."""
SCINLI = replace(
    PAPERS,
    name="SciNLI",
    head=Head.POOLER,
    epochs=5,
    optimizer=Optimizer.ADAM,
    schedule=Schedule.CONSTANT,
    weight_decay=0.0,
    max_tokens=300,
    cut=Cut.END,
    dropout=0.0,
    token_types=False,
    alone=True,
    by_length=False,
)
"""SciNLI, section 4.3, as its authors' released code has it. Their 32 pairs, accumulated twice, are 64 at once here."""
MSCINLI = replace(SCINLI, name="MSciNLI", epochs=10)
"""MSciNLI, appendix B, with the same code: 10 epochs."""
PRESETS = {recipe.name: recipe for recipe in (FROM_STARTER, QUICK, PAPERS, SCINLI, MSCINLI)}
