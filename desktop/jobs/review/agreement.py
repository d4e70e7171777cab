"""The job that measures how far annotators agree: in all, by class, domain, round, phrase and neutral strategy.

Votes are compared with each other, their majority with the distant label (MSciNLI, table 12), and the answers of
experts and laypeople with the gold label (MSciNLI, table 6).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop.jobs.review.annotation_rounds import get_round
from miner.agreement import BOOTSTRAP_SAMPLES, MISSING, Agreement, Coefficient, CohenAgreement, agreement, pairwise
from miner.dataset_statistics import GoldAgreement, gold_agreement
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import NEUTRAL_STRATEGIES, Answer, Label
from storage.annotation.annotation_rounds import RoundKind
from storage.annotation.annotators import ESTIMATE_ROLES, Role
from storage.annotation.votes import GivenAnswer, VotedPair
from storage.pairs.filters import JUDGED, PairFilter, with_value
from storage.project import Project, Stores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from miner.classifier.metrics import ScoreSummary

MAX_COMPARED = 12
"""Annotators in the pairwise comparison: those with the most votes."""
_ANSWERS = tuple(Answer)
_CODES = {answer: code for code, answer in enumerate(_ANSWERS)}
_PROGRESS_STEP = 2_000  # pairs


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """filter: which pairs. round: only those of this annotation round. samples, seed: of the bootstrap."""

    filter: PairFilter = field(default_factory=PairFilter)
    round: int | None = None
    samples: int = BOOTSTRAP_SAMPLES
    seed: int = 1


class GroupKind(StrEnum):
    """What the pairs of a group have in common. CLASS: the distant label. STRATEGY: how neutral pairs were drawn."""

    CLASS = "class"
    DOMAIN = "domain"
    ROUND = "round"
    STRATEGY = "strategy"
    PHRASE = "phrase"


ONE_CLASS_GROUPS = (GroupKind.CLASS, GroupKind.STRATEGY, GroupKind.PHRASE)
"""Groups of pairs with one distant label. Nearly all of their votes are for one class, so that agreement by chance is
high and the kappas are low however well people agree: raw agreement and AC1 tell more."""


@dataclass(frozen=True, slots=True)
class AgreementGroup:
    """Pairs with something in common, and how far people agree on them.

    kind: None for all pairs. name: the class, domain, phrase or strategy, or the round's number; "" for none.
    distant: the votes' majorities against the distant labels, of pairs that have all votes or a majority; waiting: how
    many more pairs with a distant label there are.
    seconds: the median time of a vote; None if it is not known of any. filter: leads to these pairs.
    """

    kind: GroupKind | None
    name: str
    agreement: Agreement
    distant: GoldAgreement
    waiting: int
    seconds: float | None
    filter: PairFilter


class VoterSummary(NamedTuple):
    """An annotator: how many votes they gave, their median time in seconds, and how many of the votes are unclear."""

    key: str
    name: str
    votes: int
    unclear: int
    seconds: float | None


class Comparison(NamedTuple):
    """Two annotators (keys) compared with each other. filter: leads to the pairs on which they differ."""

    first: str
    second: str
    cohen: CohenAgreement
    filter: PairFilter


class PersonPerformance(NamedTuple):
    """The answers of an expert or a layperson against gold labels; “unclear” is wrong. Scores are 0.0 to 1.0.

    confusion: gold label by row, answer by column.
    """

    key: str
    name: str
    role: Role
    pairs: int
    unclear: int
    macro_f1: float
    accuracy: float
    seconds: float | None
    confusion: tuple[tuple[int, ...], ...]


class RolePerformance(NamedTuple):
    """Mean and sample standard deviation over the people of a role."""

    role: Role
    people: int
    macro_f1: ScoreSummary
    accuracy: ScoreSummary


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """What the job found.

    groups: by kind, in the order of `GroupKind`. voters: by votes, the most first. comparisons: of the first
    `MAX_COMPARED` voters. needed: how many votes a pair is to have. without_gold: pairs that an expert or layperson
    answered, but that have no gold label.
    """

    options: AgreementOptions
    needed: int
    overall: AgreementGroup
    groups: tuple[AgreementGroup, ...]
    voters: tuple[VoterSummary, ...]
    comparisons: tuple[Comparison, ...]
    people: tuple[PersonPerformance, ...]
    roles: tuple[RolePerformance, ...]
    without_gold: int

    def of_kind(self, kind: GroupKind) -> tuple[AgreementGroup, ...]:
        return tuple(group for group in self.groups if group.kind is kind)

    def name(self, key: str) -> str:
        """The name of an annotator."""
        return next((voter.name for voter in self.voters if voter.key == key), key)

    def to_data(self) -> dict[str, Any]:
        """For JSON; shares and coefficients from 0 to 1, undefined ones null."""
        return {
            "needed": self.needed,
            "bootstrap": {"samples": self.options.samples, "seed": self.options.seed},
            "overall": _group_data(self.overall),
            "groups": [_group_data(group) for group in self.groups],
            "annotators": [voter._asdict() for voter in self.voters],
            "pairwise": [
                {
                    "first": self.name(one.first),
                    "second": self.name(one.second),
                    "pairs": one.cohen.pairs,
                    "raw": _coefficient_data(one.cohen.raw),
                    "kappa": _coefficient_data(one.cohen.kappa),
                    "table": one.cohen.table,
                    "filter": one.filter.to_data(),
                }
                for one in self.comparisons
            ],
            "human_performance": {
                "people": [person._asdict() for person in self.people],
                "roles": [
                    {**role._asdict(), "macro_f1": role.macro_f1._asdict(), "accuracy": role.accuracy._asdict()}
                    for role in self.roles
                ],
                "without_gold": self.without_gold,
            },
        }


def measure_agreement(project: Project, options: AgreementOptions | None = None) -> Job[AgreementReport]:
    """Measure agreement on the pairs that people have answered; `UserError` if there is no such annotation round."""
    chosen = options or AgreementOptions()

    def work(progress: Progress) -> AgreementReport:
        with project.read_transaction() as stores, stores.cancellable(progress):
            _check_round(stores, chosen.round)
            needed = stores.votes.needed()
            names = {person.key: (person.name, person.role) for person in stores.annotators.all()}
            pairs = list(_read(stores, chosen, progress))
        return _Measurement(chosen, needed, names, pairs, progress).report()

    return Job("Measuring agreement", work)


def _check_round(stores: Stores, number: int | None) -> None:
    if number is not None and get_round(stores, number).plan.kind is RoundKind.PILOT:
        raise UserError(
            f"Round {number} is a pilot round, whose answers are no votes.",
            hint="Its feedback compares each annotator with the reference: pairwright round feedback.",
        )


def _read(stores: Stores, options: AgreementOptions, progress: Progress) -> Iterable[VotedPair]:
    for n, pair in enumerate(stores.votes.answered(options.filter)):
        if n % _PROGRESS_STEP == 0:
            progress.tick(n, None, "reading answers")
        if options.round is None or options.round in pair.rounds:
            yield pair


class _Measurement:
    """All figures of the pairs that were read."""

    def __init__(
        self,
        options: AgreementOptions,
        needed: int,
        names: dict[str, tuple[str, Role]],
        pairs: Sequence[VotedPair],
        progress: Progress,
    ) -> None:
        self._options, self._needed, self._names, self._progress = options, needed, names, progress
        self._filter = options.filter
        if options.round is not None:
            self._filter = with_value(self._filter, "rounds", frozenset({str(options.round)}))
        self._pairs = pairs
        self._voted = [pair for pair in pairs if pair.votes]
        votes = Counter(given.annotator for pair in self._voted for given in pair.votes)
        self._voters = sorted(votes, key=lambda key: (-votes[key], key))
        self._matrix = self._vote_matrix()

    def report(self) -> AgreementReport:
        overall = self._group(None, "", range(len(self._voted)), self._filter)
        groups = tuple(self._groups())
        self._progress.tick(0, None, "comparing annotators")
        people = tuple(self._people())
        return AgreementReport(
            self._options,
            self._needed,
            overall,
            groups,
            tuple(self._voter_summaries()),
            tuple(self._comparisons()),
            people,
            tuple(self._roles(people)),
            sum(bool(pair.estimates) and pair.gold is None for pair in self._pairs),
        )

    def _vote_matrix(self) -> NDArray[Any]:
        import numpy as np

        columns = {key: column for column, key in enumerate(self._voters)}
        matrix = np.full((len(self._voted), len(columns)), MISSING, np.int8)
        for row, pair in enumerate(self._voted):
            for given in pair.votes:
                matrix[row, columns[given.annotator]] = _CODES[given.answer]
        return matrix

    # Groups

    def _groups(self) -> Iterable[AgreementGroup]:
        for grouping in _GROUPINGS:
            rows: defaultdict[str, list[int]] = defaultdict(list)
            for row, pair in enumerate(self._voted):
                for name in grouping.names(pair):
                    rows[name].append(row)
            for name in sorted(rows, key=grouping.order):
                self._progress.tick(0, None, f"by {grouping.kind}")
                filter = with_value(self._filter, grouping.field, frozenset({name}))
                yield self._group(grouping.kind, name, rows[name], filter)

    def _group(self, kind: GroupKind | None, name: str, rows: Sequence[int], filter: PairFilter) -> AgreementGroup:
        pairs = [self._voted[row] for row in rows]
        wanted = max(self._needed, 2)
        measured = agreement(
            self._matrix[list(rows)],
            len(_ANSWERS),
            wanted=wanted,
            by_category=kind is None,
            samples=self._options.samples,
            seed=self._options.seed,
        )
        seconds = _median(given for pair in pairs for given in pair.votes)
        labelled = [pair for pair in pairs if pair.distant is not None]
        decided = [pair for pair in labelled if pair.majority is not None or len(pair.votes) >= self._needed]
        distant = gold_agreement((pair.distant or "", pair.majority or "", 1) for pair in decided)[""]
        waiting = len(labelled) - len(decided)
        return AgreementGroup(kind, name, measured, distant, waiting, seconds, _judged(filter))

    # Annotators

    def _voter_summaries(self) -> Iterable[VoterSummary]:
        given: defaultdict[str, list[GivenAnswer]] = defaultdict(list)
        for pair in self._voted:
            for answer in pair.votes:
                given[answer.annotator].append(answer)
        for key in self._voters:
            unclear = sum(answer.answer is Answer.UNCLEAR for answer in given[key])
            yield VoterSummary(key, self._name(key), len(given[key]), unclear, _median(given[key]))

    def _comparisons(self) -> Iterable[Comparison]:
        compared = pairwise(
            self._matrix[:, :MAX_COMPARED], len(_ANSWERS), samples=self._options.samples, seed=self._options.seed
        )
        for (first, second), cohen in compared.items():
            keys = (self._voters[first], self._voters[second])
            yield Comparison(*keys, cohen, with_value(self._filter, "differing", frozenset(keys)))

    def _people(self) -> Iterable[PersonPerformance]:
        import numpy as np

        from miner.classifier.metrics import macro_f1

        answers: defaultdict[str, list[tuple[Label, GivenAnswer]]] = defaultdict(list)
        for pair in self._pairs:
            if pair.gold is not None:
                for given in pair.estimates:
                    answers[given.annotator].append((pair.gold, given))
        order = {role: number for number, role in enumerate(ESTIMATE_ROLES)}
        for key in sorted(answers, key=lambda key: (order[self._names[key][1]], self._name(key))):
            confusion = np.zeros((len(Label), len(_ANSWERS)), np.int64)
            for gold, given in answers[key]:
                confusion[list(Label).index(gold), _CODES[given.answer]] += 1
            yield PersonPerformance(
                key,
                self._name(key),
                self._names[key][1],
                len(answers[key]),
                int(confusion[:, _CODES[Answer.UNCLEAR]].sum()),
                float(macro_f1(confusion)),
                float(np.trace(confusion) / confusion.sum()),
                _median(given for _, given in answers[key]),
                tuple(tuple(row) for row in confusion.tolist()),
            )

    def _roles(self, people: Sequence[PersonPerformance]) -> Iterable[RolePerformance]:
        from miner.classifier.metrics import summarize_values

        for role in ESTIMATE_ROLES:
            if of_role := [person for person in people if person.role is role]:
                macro_f1 = summarize_values([person.macro_f1 for person in of_role])
                accuracy = summarize_values([person.accuracy for person in of_role])
                yield RolePerformance(role, len(of_role), macro_f1, accuracy)

    def _name(self, key: str) -> str:
        return self._names[key][0] if key in self._names else key


class _Grouping(NamedTuple):
    """names: the groups that a pair is in. field: of the filter, with the groups' names as its values."""

    kind: GroupKind
    names: Callable[[VotedPair], Iterable[str]]
    field: str
    order: Callable[[str], Any] = str


_GROUPINGS = (
    _Grouping(GroupKind.CLASS, lambda pair: [pair.distant or ""], "distant", [*Label, ""].index),
    _Grouping(GroupKind.DOMAIN, lambda pair: [pair.domain], "domains"),
    _Grouping(GroupKind.ROUND, lambda pair: map(str, pair.rounds), "rounds", int),
    _Grouping(
        GroupKind.STRATEGY,
        lambda pair: [pair.strategy.value] if pair.strategy in NEUTRAL_STRATEGIES else [],
        "strategies",
        NEUTRAL_STRATEGIES.index,
    ),
    _Grouping(GroupKind.PHRASE, lambda pair: [pair.phrase] if pair.phrase else [], "phrases"),
)


def _judged(filter: PairFilter) -> PairFilter:
    """The pairs of the filter that have votes."""
    if filter.statuses:
        return filter
    return with_value(with_value(filter, "statuses", JUDGED), "accepted", False)


def _median(answers: Iterable[GivenAnswer]) -> float | None:
    seconds = [given.seconds for given in answers if given.seconds is not None]
    return float(median(seconds)) if seconds else None


def _coefficient_data(found: Coefficient) -> dict[str, float | None]:
    low, high = found.interval or (None, None)
    return {"value": found.value, "low": low, "high": high}


def _agreement_data(found: Agreement) -> dict[str, Any]:
    counts = ("pairs", "votes", "single", "missing", "annotators", "refusal")
    coefficients = ("raw", "unanimous", "fleiss", "alpha", "ac1")
    by_answer = zip(_ANSWERS, found.categories, strict=False)
    return {
        **{name: getattr(found, name) for name in counts},
        **{name: _coefficient_data(getattr(found, name)) for name in coefficients},
        "fleiss_by_answer": {answer.value: _coefficient_data(one) for answer, one in by_answer},
        "share_by_answer": {answer.value: share for answer, share in zip(_ANSWERS, found.shares, strict=False)},
    }


def _group_data(group: AgreementGroup) -> dict[str, Any]:
    return {
        "kind": group.kind or "all",
        "name": group.name,
        "agreement": _agreement_data(group.agreement),
        "against_distant": group.distant.to_data() | {"waiting": group.waiting},
        "seconds": group.seconds,
        "filter": group.filter.to_data(),
    }
