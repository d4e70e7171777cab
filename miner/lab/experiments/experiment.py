"""What an experiment is: the data, the systems and the tables that its file names. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any

from miner.lab.experiments.system_kinds import EncoderSystem, System
from miner.lab.probes.mesh import MeshSubset
from miner.lab.probes.negatives import NegativeOptions
from miner.records import Label

OTHERS = "others"
ALL_ROWS = "all"
"""As `against` of a table."""
PARTS = ("train", "dev", "test")
ANY_SPLIT = "any"
MAX_SEEDS, MAX_SETS, MAX_SYSTEMS, MAX_TABLES, MAX_SAMPLES = 20, 100, 100, 50, 20


class LabelChoice(StrEnum):
    """Which label of a pair counts: gold, distant, or gold where there is one.

    FIRST_GOLD: gold labels alone, as the papers test; distant ones only where the part has no gold label at all.
    """

    GOLD = "gold"
    DISTANT = "distant"
    EITHER = "gold or distant"
    FIRST_GOLD = "gold, else distant"


class Grouping(StrEnum):
    """What a set is divided by, into a set for each value."""

    DOMAIN = "domain"


class Subset(StrEnum):
    """A share of training pairs by their training dynamics (MSciNLI, appendix E).

    EASY: the most confident ones; HARD: the least; AMBIGUOUS: the most variable. WITHOUT_HARD: all but the hard ones.
    """

    EASY = "easy"
    HARD = "hard"
    AMBIGUOUS = "ambiguous"
    WITHOUT_HARD = "without hard"


class ProbeSet(StrEnum):
    """What a probe is made of: a subset of the mesh of directed pairs, or negatives by WordNet."""

    DIRECTIONAL = MeshSubset.DIRECTIONAL.value
    SYMMETRIC = MeshSubset.SYMMETRIC.value
    PARAPHRASES_DIR_TRUE = MeshSubset.PARAPHRASES_DIR_TRUE.value
    PARAPHRASES_DIR_FALSE = MeshSubset.PARAPHRASES_DIR_FALSE.value
    DIR_TRUE_UNRELATED = MeshSubset.DIR_TRUE_UNRELATED.value
    DIR_FALSE_UNRELATED = MeshSubset.DIR_FALSE_UNRELATED.value
    FULL = MeshSubset.FULL.value
    NEGATIVES = "negatives"


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
    KIND = "kind"
    SIZE = "size"
    SCORE = "score"


class TableScore(StrEnum):
    """What the cells of a table show.

    PRECISION, RECALL: by class where the columns are classes or scores, else the mean over classes. AUC_NORM, AUC_50:
    of an experiment with two classes, the area under the precision-recall curve of the first class as
    `miner.lab.probes.auc` measures it.
    """

    MACRO_F1 = "macro_f1"
    ACCURACY = "accuracy"
    PRECISION = "precision"
    RECALL = "recall"
    AUC_NORM = "auc_norm"
    AUC_50 = "auc_50"

    @property
    def is_of_curve(self) -> bool:
        """Whether it needs probabilities, not only classes."""
        return self in (TableScore.AUC_NORM, TableScore.AUC_50)


class PairChoice(StrEnum):
    """The pairs of a test part that a table counts: all, or those that some of its people answered."""

    ALL = "all"
    ANSWERED = "answered"


class SignificanceTest(StrEnum):
    """How differences are tested: paired t-test over runs, bootstrap over pairs, or not at all."""

    PAIRED_T = "paired_t"
    BOOTSTRAP = "bootstrap"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Part:
    """The pairs of a set that are its train, dev or test part.

    split: the split of the pairs, or ANY_SPLIT; by default the one with the part's name. of: instead, drawn from this
    part of the set, which loses them. sample: draw so many, 0 for all. samples: of a train part, a sample for each of
    these sizes, the smaller within the larger, for a learning curve. balanced: equally many of each class. implicit:
    also take unlinked neighbours with a suggestion of at least this probability, for training.
    """

    split: str = ""
    of: str = ""
    labels: LabelChoice | None = None
    sample: int = 0
    samples: tuple[int, ...] = ()
    balanced: bool = False
    implicit: float | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        for name, value, choices in (("of", self.of, PARTS), ("split", self.split, (*PARTS, ANY_SPLIT))):
            if value and value not in choices:
                raise ValueError(f"`{name}` must be one of {', '.join(choices)}")
        if not 0 <= self.sample <= 100_000_000:
            raise ValueError("`sample` must be a number of pairs, or 0 for all")
        if self.samples and (self.sample or not self._grows()):
            raise ValueError(f"`samples` must be up to {MAX_SAMPLES} growing numbers of pairs, in place of `sample`")
        if self.implicit is not None and not 0.25 <= self.implicit <= 1:
            raise ValueError("`implicit` must be a probability from .25 to 1")

    def _grows(self) -> bool:
        in_order = all(0 < size < larger for size, larger in pairwise(self.samples))
        return in_order and 0 < self.samples[-1] <= 100_000_000 and len(self.samples) <= MAX_SAMPLES


@dataclass(frozen=True, slots=True)
class DataSet:
    """A named set of pairs: of the project, by a filter; of files or triples; a union of sets; or a subset of one.

    where: a `PairFilter` as JSON has it. probe: instead of the pairs themselves, these groups of the mesh that
    `miner.lab.probes.mesh` makes of them, or `NEGATIVES`, of the propositions of papers: `negatives` says how. The
    labels of a probe are "holds" and "does not hold". files: part -> labelled file, which may be of triples. triples: a
    folder of them, as `miner.lab.probes.triples` reads it; `probe` says which groups. labels: of all parts, unless a
    part says otherwise. each: it stands for a set for each domain of its pairs, called by the domain's name. union:
    sets whose parts are put together; those of `each` by the name of the set that stands for them. of, subset, share:
    this share of another set's train part, by the training dynamics of the experiment's cartography; dev and test are
    that set's. sample_of: the set with `samples` that this is one of.
    """

    where: Mapping[str, Any] = field(default_factory=dict)
    probe: ProbeSet | None = None
    negatives: NegativeOptions | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    triples: str = ""
    labels: LabelChoice = LabelChoice.EITHER
    each: Grouping | None = None
    union: tuple[str, ...] = ()
    of: str = ""
    subset: Subset | None = None
    share: float = 0.33
    sample_of: str = ""
    train: Part | None = None
    dev: Part | None = None
    test: Part | None = None

    def __post_init__(self) -> None:
        sources = (self.where, self.files, self.triples, self.union, self.of)
        if sum(map(bool, sources)) > 1:
            raise ValueError("a set has one source: `where`, `files`, `triples`, `union` or `of`")
        if bool(self.of) != (self.subset is not None):
            raise ValueError("`of` and `subset` belong together")
        if self.probe and (self.union or self.of):
            raise ValueError("a `probe` is made of the project's pairs or of triples, not of other sets")
        if self.probe is ProbeSet.NEGATIVES and (self.files or self.triples):
            raise ValueError("negatives are made of the project's papers, not of files")
        if self.negatives and self.probe is not ProbeSet.NEGATIVES:
            raise ValueError('`negatives` belongs to `probe = "negatives"`')
        if self.each and (self.probe or self.triples):
            raise ValueError("`each` divides pairs that have domains, which a probe has not")
        if self.each and (self.union or self.of):
            raise ValueError("`each` divides pairs of the project or of files")
        if unknown := set(self.files) - set(PARTS):
            raise ValueError(f"`files` has no part {min(unknown)}: there are {', '.join(PARTS)}")
        if not 0 < self.share < 1:
            raise ValueError("`share` must be a number between 0 and 1")
        if any(part is not None and part.samples for part in (self.dev, self.test)):
            raise ValueError("only `train` can have `samples`")
        if self.train is not None and self.train.samples and self.test is not None and self.test.of:
            raise ValueError("with `samples`, `test` cannot be drawn from another part")

    @property
    def mesh_subset(self) -> MeshSubset | None:
        """The subset of a mesh that it is; of triples all groups, unless it says which. None for what is no mesh."""
        if self.probe is None:
            return MeshSubset.FULL if self.triples else None
        return None if self.probe is ProbeSet.NEGATIVES else MeshSubset(self.probe.value)


@dataclass(frozen=True, slots=True)
class Table:
    """A view of cells. against: what differences are tested against: the `first` row, the `best`, `diagonal`, or `all`
    rows, with a mark for each.
    """

    rows: TableAxis = TableAxis.SYSTEM
    columns: TableAxis = TableAxis.SCORE
    of: TableScore = TableScore.MACRO_F1
    title: str = ""
    test: SignificanceTest = SignificanceTest.PAIRED_T
    against: str = "first"
    differences: bool = False
    pairs: PairChoice = PairChoice.ALL

    def __post_init__(self) -> None:
        if self.rows is self.columns:
            raise ValueError("`rows` and `columns` must differ")
        if self.rows not in (TableAxis.SYSTEM, TableAxis.TRAIN):
            raise ValueError("`rows` must be `system` or `train`")
        if self.of.is_of_curve and self.test is SignificanceTest.BOOTSTRAP:
            raise ValueError("areas under curves are compared over seeds: `test` must be `paired_t` or `none`")
        if self.against not in ("first", "best", "diagonal", ALL_ROWS):
            raise ValueError("`against` must be `first`, `best`, `diagonal` or `all`")
        if self.differences and self.against == ALL_ROWS:
            raise ValueError("`differences` are from one row: `against` must be `first`, `best` or `diagonal`")


@dataclass(frozen=True, slots=True)
class Cartography:
    """The training that maps the pairs of sets whose subsets are trained on: a system's name, and its epochs."""

    system: str
    epochs: int = 5

    def __post_init__(self) -> None:
        if not 2 <= self.epochs <= 100:
            raise ValueError("`epochs` must be from 2 to 100")


FOUR_CLASSES: Mapping[str, tuple[str, ...]] = {label.value: (label.value,) for label in Label}


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that an experiment file says.

    classes: class -> the labels that belong to it; one may have ("others",); {} for the labels that are found in the
    data. allow_overlap: score a cell although pairs of its test part are in its train part.
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
