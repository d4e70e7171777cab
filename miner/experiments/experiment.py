"""What an experiment is: the data, the systems and the tables that its file names. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from miner.classifier.recipe import PRESETS, Recipe
from miner.errors import UserError
from miner.records import Label

PARTS = ("train", "dev", "test")
MAX_SEEDS, MAX_SETS, MAX_SYSTEMS, MAX_TABLES = 20, 100, 100, 50


class LabelChoice(StrEnum):
    """Which label of a pair counts: gold, distant, or gold where there is one."""

    GOLD = "gold"
    DISTANT = "distant"
    EITHER = "gold or distant"


class Grouping(StrEnum):
    """What a set is divided by, into a set for each value."""

    DOMAIN = "domain"


class SystemInput(StrEnum):
    """What a system reads of a pair. BOTH_ORDERS: the pair and its swap; the mean of both predictions counts."""

    BOTH = "both"
    HYPOTHESIS = "hypothesis"
    SWAPPED = "swapped"
    BOTH_ORDERS = "both orders"


class Subset(StrEnum):
    """A share of training pairs by their training dynamics (MSciNLI, appendix E).

    EASY: the most confident ones; HARD: the least; AMBIGUOUS: the most variable. WITHOUT_HARD: all but the hard ones.
    """

    EASY = "easy"
    HARD = "hard"
    AMBIGUOUS = "ambiguous"
    WITHOUT_HARD = "without hard"


class FeatureGroup(StrEnum):
    """Features of the lexicalized classifier (SciNLI, section 4.2)."""

    BLEU = "bleu"
    LENGTH = "length"
    OVERLAP = "overlap"
    NGRAMS = "ngrams"


class Objective(StrEnum):
    """What an encoder learns in its intermediate epochs: the labels of pairs, or masked words (MLM)."""

    LABELS = "labels"
    MLM = "mlm"


class AnswerReading(StrEnum):
    """How a chat model's answer becomes a class.

    RULES: by its letter, number or name, then by the nearest definition. OPTIONS: by the likelihood of each option.
    """

    RULES = "rules"
    OPTIONS = "options"


class TableAxis(StrEnum):
    """What the rows or columns of a table are."""

    SYSTEM = "system"
    TRAIN = "train"
    TEST = "test"
    CLASS = "class"
    DOMAIN = "domain"
    STRATEGY = "strategy"
    PHRASE = "phrase"
    LENGTH = "length"
    SCORE = "score"


class TableScore(StrEnum):
    """What the cells of a table show."""

    MACRO_F1 = "macro_f1"
    ACCURACY = "accuracy"


class SignificanceTest(StrEnum):
    """How differences are tested: paired t-test over runs, bootstrap over pairs, or not at all."""

    PAIRED_T = "paired_t"
    BOOTSTRAP = "bootstrap"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Part:
    """The pairs of a set that are its train, dev or test part.

    split: the split of the pairs; by default the one with the part's name. of: instead, drawn from this part of the
    set, which loses them. sample: draw so many, 0 for all. balanced: equally many of each class. implicit: also take
    unlinked neighbours with a suggestion of at least this probability, for training.
    """

    split: str = ""
    of: str = ""
    labels: LabelChoice | None = None
    sample: int = 0
    balanced: bool = False
    implicit: float | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if self.of and self.of not in PARTS:
            raise ValueError(f"`of` must be one of {', '.join(PARTS)}")
        if not 0 <= self.sample <= 100_000_000:
            raise ValueError("`sample` must be a number of pairs, or 0 for all")
        if self.implicit is not None and not 0.25 <= self.implicit <= 1:
            raise ValueError("`implicit` must be a probability from .25 to 1")


@dataclass(frozen=True, slots=True)
class DataSet:
    """A named set of pairs: of the project, by a filter; of files; a union of sets; or a subset of one.

    where: a `PairFilter` as JSON has it. files: part -> labelled file. labels: of all parts, unless a part says
    otherwise. each: it stands for a set for each domain of its pairs, called by the domain's name. union: sets whose
    parts are put together; those of `each` by the name of the set that stands for them. of, subset, share: this share
    of another set's train part, by the training dynamics of the experiment's cartography; dev and test are that set's.
    """

    where: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    labels: LabelChoice = LabelChoice.EITHER
    each: Grouping | None = None
    union: tuple[str, ...] = ()
    of: str = ""
    subset: Subset | None = None
    share: float = 0.33
    train: Part | None = None
    dev: Part | None = None
    test: Part | None = None

    def __post_init__(self) -> None:
        sources = bool(self.files) + bool(self.union) + bool(self.of) + bool(self.where)
        if sources > 1:
            raise ValueError("a set has one source: `where`, `files`, `union` or `of`")
        if bool(self.of) != (self.subset is not None):
            raise ValueError("`of` and `subset` belong together")
        if self.each and (self.union or self.of):
            raise ValueError("`each` divides pairs of the project or of files")
        if unknown := set(self.files) - set(PARTS):
            raise ValueError(f"`files` has no part {min(unknown)}: there are {', '.join(PARTS)}")
        if not 0 < self.share < 1:
            raise ValueError("`share` must be a number between 0 and 1")


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
class System:
    """What predicts. name: in tables; by default what the system is.

    LEARNS: whether it is trained on a set. VARIES: whether runs with different seeds differ.
    """

    name: str = ""
    input: SystemInput = SystemInput.BOTH

    LEARNS = False
    VARIES = False

    @property
    def title(self) -> str:
        """The system's name, with its input where that is not both sentences."""
        name = self.name or self.default_name
        return name if self.input is SystemInput.BOTH or self.name else f"{name} ({self.input})"

    @property
    def default_name(self) -> str:
        raise NotImplementedError

    @property
    def needed_sets(self) -> tuple[str, ...]:
        """Names of sets that it needs besides those it is trained and tested on."""
        return ()


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


@dataclass(frozen=True, slots=True)
class EncoderSystem(System):
    """A fine-tuned encoder. start: as `SuggestOptions.model`. recipe: a preset; settings: changes of it."""

    start: str = "starter"
    recipe: str = "quick"
    settings: Mapping[str, Any] = field(default_factory=dict)
    intermediate: Intermediate | None = None

    LEARNS = True
    VARIES = True

    def __post_init__(self) -> None:
        self.training_recipe(0)

    @property
    def default_name(self) -> str:
        name = self.start.rstrip("/").rpartition("/")[2]
        if self.intermediate is None:
            return name
        return f"{name}, {self.intermediate.objective} of {self.intermediate.data} first"

    @property
    def needed_sets(self) -> tuple[str, ...]:
        return () if self.intermediate is None else (self.intermediate.data,)

    def training_recipe(self, seed: int) -> Recipe:
        """The hyperparameters of a run; `UserError` where they do not fit."""
        presets = {name.lower(): recipe for name, recipe in PRESETS.items()} | {"starter": PRESETS["from the starter"]}
        if self.recipe not in presets:
            raise UserError(f"There is no recipe {self.recipe}.", hint=f"There are {', '.join(sorted(presets))}.")
        changes = {"layers": 0, **self.settings} if self.recipe not in ("quick", "starter") else dict(self.settings)
        try:
            return replace(presets[self.recipe], **changes, seed=seed, folds=0)
        except TypeError as exc:
            raise UserError(f"A recipe has no such setting: {exc}.") from exc


@dataclass(frozen=True, slots=True)
class ModelSystem(System):
    """A model as it is: the starter, one of the project, a folder, or one of the hub."""

    model: str = "starter"

    @property
    def default_name(self) -> str:
        return self.model.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class PromptSystem(System):
    """A chat model that is asked (MSciNLI, section 4.2).

    template: 1, 2 or 3 (MSciNLI, table 18), or the text of one with {premise} and {hypothesis}. shots: exemplars of
    each class, drawn from the train part of `exemplars`; another draw for each seed. model: a folder or a GGUF file of
    transformers. endpoint: instead, the address of an OpenAI-compatible server, of this computer unless `remote`.
    """

    model: str = ""
    endpoint: str = ""
    remote: bool = False
    template: int | str = 3
    shots: int = 0
    exemplars: str = ""
    answer: AnswerReading = AnswerReading.RULES
    max_new_tokens: int = 40

    def __post_init__(self) -> None:
        if bool(self.model) + bool(self.endpoint) == 0:
            raise ValueError("a prompt system needs a `model`, and an `endpoint` if a server runs it")
        if not 0 <= self.shots <= 8 or bool(self.shots) != bool(self.exemplars):
            raise ValueError("`shots`, from 1 to 8, and `exemplars`, a set to draw them from, belong together")
        if isinstance(self.template, int) and self.template not in (1, 2, 3):
            raise ValueError("`template` must be 1, 2, 3 or a text")
        if not 1 <= self.max_new_tokens <= 1000:
            raise ValueError("`max_new_tokens` must be from 1 to 1,000")

    @property
    def default_name(self) -> str:
        name = self.model.rstrip("/").rpartition("/")[2] or self.endpoint
        template = f"P{self.template}" if isinstance(self.template, int) else "own prompt"
        return f"{name}, {template} {'few-shot' if self.shots else 'zero-shot'}"

    @property
    def needed_sets(self) -> tuple[str, ...]:
        return (self.exemplars,) if self.exemplars else ()


@dataclass(frozen=True, slots=True)
class PredictionsSystem(System):
    """Somebody's predictions: a column of the imported pairs, or of a file beside the sentences."""

    column: str = "prediction"
    file: str = ""

    @property
    def default_name(self) -> str:
        return self.column


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


@dataclass(frozen=True, slots=True)
class Table:
    """A view of cells. against: what differences are tested against: the `first` row, the `best`, or `diagonal`."""

    rows: TableAxis = TableAxis.SYSTEM
    columns: TableAxis = TableAxis.SCORE
    of: TableScore = TableScore.MACRO_F1
    title: str = ""
    test: SignificanceTest = SignificanceTest.PAIRED_T
    against: str = "first"

    def __post_init__(self) -> None:
        if self.rows is self.columns:
            raise ValueError("`rows` and `columns` must differ")
        if self.rows not in (TableAxis.SYSTEM, TableAxis.TRAIN):
            raise ValueError("`rows` must be `system` or `train`")
        if self.against not in ("first", "best", "diagonal"):
            raise ValueError("`against` must be `first`, `best` or `diagonal`")


@dataclass(frozen=True, slots=True)
class Cartography:
    """The training that maps the pairs of sets whose subsets are trained on: a system's name, and its epochs."""

    system: str
    epochs: int = 5

    def __post_init__(self) -> None:
        if not 2 <= self.epochs <= 100:
            raise ValueError("`epochs` must be from 2 to 100")


OTHERS = "others"
FOUR_CLASSES: Mapping[str, tuple[str, ...]] = {label.value: (label.value,) for label in Label}


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that an experiment file says.

    classes: class -> the labels that belong to it; one may have ("others",); {} for the labels that are found in the
    data. allow_overlap: score a cell although
    pairs of its test part are in its train part.
    """

    name: str
    data: Mapping[str, DataSet]
    systems: tuple[System, ...]
    question: str = ""
    seeds: tuple[int, ...] = (1, 2, 3)
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(FOUR_CLASSES))
    tables: tuple[Table, ...] = (Table(),)
    cartography: Cartography | None = None
    allow_overlap: bool = False

    @property
    def intermediate_sets(self) -> frozenset[str]:
        """Sets that encoders learn before the training proper; their labels need not be the experiment's."""
        systems = (system for system in self.systems if isinstance(system, EncoderSystem))
        return frozenset(system.intermediate.data for system in systems if system.intermediate is not None)

    @property
    def class_names(self) -> tuple[str, ...]:
        return tuple(self.classes)

    def class_of(self, label: str) -> int | None:
        """The index of the class that a label belongs to; None if it belongs to none."""
        others = None
        for number, labels in enumerate(self.classes.values()):
            if label in labels:
                return number
            if labels == (OTHERS,):
                others = number
        return others
