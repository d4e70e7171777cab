"""The recipe: all hyperparameters of a training."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from miner.declared_options import MAX_SEED, bound_problem, declared
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


DEFAULT_FOLDS = 5
"""Of cross-validation. Without it a model cannot doubt the distant labels that it has learned from."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything besides the examples that the result depends on. Invalid values raise `UserError`."""

    name: str = "quick"
    """For users; it has no effect on the training."""
    head: Head = Head.BOTH_SENTENCES
    """The head to add to an encoder; a model with a head keeps its own."""
    layers: int = declared(4, "use only the first N layers of an encoder; 0: all", metavar="N", least=0, most=200)
    """Number of layers of an encoder to use; 0: all. A model with a head keeps its layers."""
    epochs: int = declared(3, "the most epochs", metavar="N", least=1, most=1000)
    """Maximum number of epochs."""
    batch_pairs: int = declared(16, "batch size, in pairs", flag="batch", metavar="N", least=1, most=4096)
    """Batch size in pairs."""
    learning_rate: float = declared(1e-4, "learning rate", flag="rate", metavar="X", least=0.0, most=1.0)
    """Highest rate of the encoder."""
    optimizer: Optimizer = Optimizer.ADAMW
    schedule: Schedule = Schedule.LINEAR
    head_factor: float = declared(2.0, least=0.0, most=1000.0)
    """The head's learning rate is this multiple of the encoder's."""
    warmup: float = declared(0.1, least=0.0, most=0.9)
    """Share of the steps in which the rate increases."""
    weight_decay: float = declared(0.01, least=0.0, most=1.0)
    label_smoothing: float = declared(0.05, least=0.0, most=0.5)
    max_tokens: int = declared(112, least=8, most=4096)
    """Longer pairs are cut."""
    cut: Cut = Cut.LONGEST_FIRST
    dropout: float = declared(0.1, least=0.0, most=0.9)
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
    answer_weight: float = declared(2.0, least=0.0, most=1000.0)
    """Weight of an annotator's answer in the loss; a distant label has 1."""
    two_stage: bool = declared(False, "learn from distant labels first, then from answers")
    """Train on distant labels first, then on the answers alone at half the rate."""
    dev_share: float = declared(0.15, least=0.0, most=0.5)
    """Share of the answers (of the distant labels, if there are few answers) that become dev pairs."""
    patience: int = declared(2, least=0, most=1000)
    """The training ends after so many epochs without a better macro F1 on the dev pairs; 0: never."""
    seconds: int = declared(
        0, "the most minutes to train", flag="minutes", metavar="N", unit=60, least=0, most=10_000_000
    )
    """Training time, divided equally among stages and folds; 0: no limit."""
    folds: int = declared(
        0,
        "folds of cross-validation, so that each label is judged by a model that has not learned it; 0: none (default: "
        "5 with distant labels)",
        metavar="K",
        least=0,
        most=20,
    )
    """Number of folds by paper; the model of each fold predicts the pairs it has not learned. 0: no folds."""
    hypothesis_only: bool = declared(False, "hide the premise, to measure artefacts")
    """Hide the premise, to measure what the hypothesis alone reveals (SciNLI, section 4)."""
    precision: Precision = declared(Precision.AUTO, "numeric precision")
    seed: int = declared(0, least=0, most=MAX_SEED)

    def __post_init__(self) -> None:
        if problem := _problem(self):
            raise UserError(f"This recipe does not work: {problem}.", hint="Correct the value and train again.")


def _problem(recipe: Recipe) -> str | None:
    if problem := bound_problem(recipe):
        return problem
    if recipe.optimizer is Optimizer.ADAM and recipe.weight_decay:
        return "adam has no weight decay: choose adamw, or weight_decay 0"
    if recipe.folds == 1:
        return "one fold is too few: choose 0, or 2 or more"
    return None


QUICK = Recipe()
"""For a laptop: the first four layers, with frozen embeddings."""
FROM_STARTER = Recipe(name="from the starter", learning_rate=5e-5)
"""For adapting a trained model to a domain."""
BASE = Recipe(
    name="base",
    layers=0,
    batch_pairs=32,
    learning_rate=2e-5,
    head_factor=5.0,
    warmup=0.06,
    max_tokens=128,
    train_embeddings=True,
    balance=Balance.DRAW,
    two_stage=True,
    patience=1,
)
"""For an encoder of base size (SciBERT, RoBERTa) and a project with many distant labels and some answers: what made the
first starter, with all layers and embeddings, at the papers' rate. Needs a GPU."""
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
PRESETS = {
    "starter": FROM_STARTER,
    "quick": QUICK,
    "base": BASE,
    "papers": PAPERS,
    "scinli": SCINLI,
    "mscinli": MSCINLI,
}
"""The recipes to choose from, by the name that people type."""
