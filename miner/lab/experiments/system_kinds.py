"""The kinds of systems that an experiment can name, and their settings. Values only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from miner import codec
from miner.errors import UserError
from miner.lab.experiments.prompting.addresses import check_address
from miner.paths import last_part

if TYPE_CHECKING:
    from miner.classifier.recipe import Recipe

_NOT_SETTINGS = ("seed", "folds")  # fields of a recipe that an experiment decides by itself


class SystemInput(StrEnum):
    """What a system reads of a pair. HYPOTHESIS: an empty premise.

    BOTH_ORDERS: it learns the pair and its swap, and the mean of its predictions for both counts, so that it cannot
    tell one order from the other (Directional inference, section 3.1). EVIDENCE: each line of the premise with the
    hypothesis; the one with the most of the first class counts (section 4).
    """

    BOTH = "both"
    HYPOTHESIS = "hypothesis"
    SWAPPED = "swapped"
    BOTH_ORDERS = "both orders"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class System:
    """What predicts. name: in tables; by default what the system is.

    LEARNS: whether it is trained on a set. VARIES: whether runs with different seeds differ, unless `varies` says more.
    MODEL: the name of the field with the model that it is or starts from; "" where there is none.
    """

    name: str = ""
    input: SystemInput = SystemInput.BOTH

    LEARNS = False
    VARIES = False
    MODEL = ""

    @property
    def title(self) -> str:
        """The system's name, with its input where that is not both sentences."""
        name = self.name or self.default_name
        return name if self.input is SystemInput.BOTH or self.name else f"{name} ({self.input})"

    @property
    def default_name(self) -> str:
        raise NotImplementedError

    @property
    def varies(self) -> bool:
        """Whether runs with different seeds differ."""
        return self.VARIES

    @property
    def needed_sets(self) -> tuple[str, ...]:
        """Names of sets that it needs besides those it is trained and tested on."""
        return ()


class FeatureGroup(StrEnum):
    """Features of the lexicalized classifier (SciNLI, section 4.2)."""

    BLEU = "bleu"
    LENGTH = "length"
    OVERLAP = "overlap"
    NGRAMS = "ngrams"


@dataclass(frozen=True, slots=True)
class LexicalSystem(System):
    """Multinomial logistic regression on surface features (SciNLI, section 4.2); `c` is chosen on dev."""

    features: tuple[FeatureGroup, ...] = tuple(FeatureGroup)
    c: tuple[float, ...] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)

    LEARNS = True

    def __post_init__(self) -> None:
        if not self.features or not self.c or not all(0 < value < 1e6 for value in self.c):
            raise ValueError("a lexical system needs features, and values of `c` above 0")

    @property
    def default_name(self) -> str:
        groups = ", ".join(self.features)
        return "Lexicalized" if set(self.features) == set(FeatureGroup) else f"Lexicalized: {groups}"


@dataclass(frozen=True, slots=True)
class NaiveBayesSystem(System):
    """Multinomial naive Bayes on the words of both sentences (TaxiNLI, section 4)."""

    LEARNS = True

    @property
    def default_name(self) -> str:
        return "Naive Bayes"


@dataclass(frozen=True, slots=True)
class TfidfSystem(System):
    """Logistic regression on the TF-IDF of words and pairs of words, each sentence's apart: seconds, and no model.

    c: the inverse of the regularization, as scikit-learn has it.
    """

    c: float = 3.0

    LEARNS = True

    def __post_init__(self) -> None:
        if not 0 < self.c < 1e6:
            raise ValueError("`c` must be above 0")

    @property
    def default_name(self) -> str:
        return "TF-IDF"


class Architecture(StrEnum):
    """The sentence encoders of SciNLI, section 4.1."""

    CBOW = "cbow"
    CNN = "cnn"
    BILSTM = "bilstm"


@dataclass(frozen=True, slots=True)
class NeuralSystem(System):
    """Sentence encoders over word vectors (SciNLI, section 4.1).

    vectors: a GloVe text file, "spacy:" and the name of an installed spaCy model, or "" for random ones. hidden_layer:
    SciNLI has a linear layer with ReLU before the last one, MSciNLI (appendix B) has none.
    """

    architecture: Architecture = Architecture.BILSTM
    vectors: str = ""
    width: int = 300
    hidden_layer: bool = True
    epochs: int = 30
    patience: int = 10
    batch_pairs: int = 64
    learning_rate: float = 1e-3

    LEARNS = True
    VARIES = True

    def __post_init__(self) -> None:
        if not (1 <= self.width <= 4096 and 1 <= self.epochs <= 1000 and 0 <= self.patience <= 1000):
            raise ValueError("`width`, `epochs` and `patience` must be whole numbers above 0")
        if not (1 <= self.batch_pairs <= 4096 and 0 < self.learning_rate <= 1):
            raise ValueError("`batch_pairs` and `learning_rate` must be above 0")

    @property
    def default_name(self) -> str:
        return {Architecture.CBOW: "CBOW", Architecture.CNN: "CNN", Architecture.BILSTM: "BiLSTM"}[self.architecture]


class Objective(StrEnum):
    """What an encoder learns in its intermediate epochs: the labels of pairs, or masked words (MLM)."""

    LABELS = "labels"
    MLM = "mlm"


@dataclass(frozen=True, slots=True)
class Intermediate:
    """Epochs on another set before the training proper (MSciNLI, section 5): only the encoder is carried over."""

    data: str
    objective: Objective = Objective.LABELS
    epochs: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.epochs <= 100:
            raise ValueError("`epochs` must be from 1 to 100")


@dataclass(frozen=True, slots=True)
class EncoderSystem(System):
    """A fine-tuned encoder. start: as `SuggestOptions.model`. recipe: a preset; settings: changes of it."""

    start: str = "starter"
    recipe: str = "quick"
    settings: Mapping[str, Any] = field(default_factory=dict)
    intermediate: Intermediate | None = None

    LEARNS = True
    VARIES = True
    MODEL = "start"

    def __post_init__(self) -> None:
        self.training_recipe(0)

    @property
    def default_name(self) -> str:
        name = last_part(self.start)
        if self.intermediate is None:
            return name
        return f"{name}, {self.intermediate.objective} of {self.intermediate.data} first"

    @property
    def needed_sets(self) -> tuple[str, ...]:
        return () if self.intermediate is None else (self.intermediate.data,)

    def training_recipe(self, seed: int) -> Recipe:
        """The hyperparameters of a run; `UserError` where they do not fit."""
        from miner.classifier.recipe import FROM_STARTER, PRESETS, Recipe  # commands without models do without it

        presets = PRESETS | {FROM_STARTER.name: FROM_STARTER}  # its full name was taken from the first
        if self.recipe not in presets:
            raise UserError(f"There is no recipe {self.recipe}.", hint=f"There are {', '.join(sorted(presets))}.")
        known = [one.name for one in fields(Recipe) if one.name not in _NOT_SETTINGS]
        for name in self.settings:
            if name not in known:
                near = get_close_matches(name, known, 1)
                hint = f"Did you mean {near[0]}? " if near else ""
                raise UserError(f"A recipe has no setting {name}.", hint=f"{hint}There are {', '.join(known)}.")
        changes = {"layers": 0, **self.settings} if self.recipe not in ("quick", "starter") else dict(self.settings)
        changed = replace(presets[self.recipe], **changes, seed=seed, folds=0)
        try:  # the words of a file become members of enumerations, by which a training asks for them
            recipe: Recipe = codec.from_data(Recipe, codec.to_data(changed))
        except ValueError as exc:
            hint = "Correct the value in the file."
            raise UserError(f"The recipe's settings cannot be used: {exc}.", hint=hint) from exc
        return recipe


@dataclass(frozen=True, slots=True)
class ModelSystem(System):
    """A model as it is: the starter, one of the project, a folder, or one of the hub."""

    model: str = "starter"

    MODEL = "model"

    @property
    def default_name(self) -> str:
        return last_part(self.model)


TEMPLATE_PLACES = ("premise", "hypothesis", "classes", "options", "definitions", "number")
"""What a prompt's template can have in braces. classes: numbered names; options: lettered definitions; definitions:
a line for each class; number: how many classes there are."""


class AnswerReading(StrEnum):
    """How a chat model's answer becomes a class.

    RULES: by its letter, number or name, then by the nearest definition. OPTIONS: by the likelihood of each option.
    """

    RULES = "rules"
    OPTIONS = "options"


@dataclass(frozen=True, slots=True)
class PromptSystem(System):
    """A chat model that is asked (MSciNLI, section 4.2).

    template: 1, 2 or 3 (MSciNLI, table 18), or the text of one with `TEMPLATE_PLACES` in braces. shots: exemplars of
    each class, drawn from the train part of `exemplars`; another draw for each seed. definitions: of classes, by name;
    by default the papers'. model: a folder of transformers, a GGUF file or a name at the hub. endpoint: instead, the
    address of an OpenAI-compatible server, of this computer unless `remote`. encoder: finds the nearest definition of
    an answer; by default the words that both have do.
    """

    model: str = ""
    endpoint: str = ""
    remote: bool = False
    template: int | str = 3
    definitions: Mapping[str, str] = field(default_factory=dict)
    shots: int = 0
    exemplars: str = ""
    answer: AnswerReading = AnswerReading.RULES
    encoder: str = ""
    max_new_tokens: int = 40

    def __post_init__(self) -> None:
        if not self.model and not self.endpoint:
            raise ValueError("a prompt system needs a `model`, and an `endpoint` if a server runs it")
        if self.endpoint:
            check_address(self.endpoint, is_remote=self.remote)
            if self.answer is AnswerReading.OPTIONS:
                raise ValueError('a server does not say how likely options are: choose `answer = "rules"`')
        if not 0 <= self.shots <= 8 or bool(self.shots) != bool(self.exemplars):
            raise ValueError("`shots`, from 1 to 8, and `exemplars`, a set to draw them from, belong together")
        if isinstance(self.template, str):
            _check_template(self.template)
        elif self.template not in (1, 2, 3):
            raise ValueError("`template` must be 1, 2, 3 or a text")
        if not 1 <= self.max_new_tokens <= 1000:
            raise ValueError("`max_new_tokens` must be from 1 to 1,000")

    @property
    def varies(self) -> bool:
        return self.shots > 0

    @property
    def default_name(self) -> str:
        name = last_part(self.model) or self.endpoint
        template = f"P{self.template}" if isinstance(self.template, int) else "own prompt"
        return f"{name}, {template} {'few-shot' if self.shots else 'zero-shot'}"

    @property
    def needed_sets(self) -> tuple[str, ...]:
        return (self.exemplars,) if self.exemplars else ()


def _check_template(text: str) -> None:
    """`ValueError` unless the template names both sentences, and nothing else but its places."""
    if len(text) > 20_000:
        raise ValueError("`template` is longer than 20,000 characters")
    there = re.findall(r"\{(\w+)\}", text)
    if unknown := [name for name in there if name not in TEMPLATE_PLACES]:
        places = ", ".join(f"{{{name}}}" for name in TEMPLATE_PLACES)
        raise ValueError(f"`template` has {{{unknown[0]}}}, but there are only {places}")
    if missing := [name for name in TEMPLATE_PLACES[:2] if name not in there]:
        raise ValueError(f"`template` lacks {{{missing[0]}}}, where that sentence belongs")


@dataclass(frozen=True, slots=True)
class PredictionsSystem(System):
    """Somebody's predictions: a column of the imported pairs, or of a file beside the sentences."""

    column: str = "prediction"
    file: str = ""

    @property
    def default_name(self) -> str:
        return self.column


@dataclass(frozen=True, slots=True)
class CosineSystem(System):
    """How alike premise and hypothesis are by an encoder of sentences, as the probability of the first class.

    encoder: as `ModelSystem.model`; its classes are not used.
    """

    encoder: str = "starter"

    MODEL = "encoder"

    @property
    def default_name(self) -> str:
        return f"Cosine by {last_part(self.encoder)}"


@dataclass(frozen=True, slots=True)
class GraphSystem(System):
    """An entailment graph: of negatives, the largest score from a predicate of the evidence to the hypothesis's.

    file: lines of a predicate, one that it entails, and a score from 0 to 1, tab-separated. Without an edge it is 0.
    """

    file: str = ""

    def __post_init__(self) -> None:
        if not self.file:
            raise ValueError("a graph needs a `file`")

    @property
    def default_name(self) -> str:
        return last_part(self.file)


@dataclass(frozen=True, slots=True)
class FrequencySystem(System):
    """A baseline for negatives: how often papers use the hypothesis's predicate; at chance without artefacts."""

    @property
    def default_name(self) -> str:
        return "Frequency of the predicate"


class PersonRole(StrEnum):
    """Whose answers measure human performance (MSciNLI, section 4.2.3)."""

    EXPERT = "expert"
    LAYPERSON = "layperson"


@dataclass(frozen=True, slots=True)
class PeopleSystem(System):
    """People with this role, each of them a run, on the pairs that they answered."""

    role: PersonRole = PersonRole.EXPERT

    VARIES = True

    @property
    def default_name(self) -> str:
        return {PersonRole.EXPERT: "Experts", PersonRole.LAYPERSON: "Laypeople"}[self.role]
