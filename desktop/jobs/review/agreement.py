"""The job that measures how far annotators agree: overall, by class, domain, round, phrase and neutral strategy.

Votes are compared with each other, their majority with the distant label (MSciNLI, table 12), and the answers of
experts and laypeople with the gold label (MSciNLI, table 6). Pilot rounds have groups of their own; a round that
measures human performance has none, as its pairs were chosen for having gold labels.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, NamedTuple

from desktop.jobs.review.agreement_report import (
    MAX_COMPARED,
    TOO_FEW_VOTES,
    AgreementGroup,
    AgreementOptions,
    AgreementReport,
    Comparison,
    GroupKind,
    PersonPerformance,
    RolePerformance,
    VoterSummary,
)
from desktop.jobs.review.annotation_rounds import get_round, list_rounds
from desktop.jobs.review.annotator import annotator
from desktop.jobs.review.open_rounds import is_of_relations, open_round_step
from desktop.translation import tr
from miner.agreement import MISSING, agreement, pairwise
from miner.dataset_statistics import gold_agreement
from miner.errors import UserError
from miner.libraries import NDArray, np
from miner.progress import Job, Progress
from miner.records import NEUTRAL_STRATEGIES, Answer, Label
from miner.splits import HELD_OUT
from storage.annotation.annotation_rounds import RoundKind
from storage.annotation.annotators import ESTIMATE_ROLES, Role
from storage.annotation.votes import GivenAnswer, VotedPair
from storage.pairs.filters import JUDGED, PairFilter, with_value
from storage.project import Project
from storage.settings import SPLIT
from storage.stores import Stores

_ANSWERS = tuple(Answer)
_CODES = {answer: code for code, answer in enumerate(_ANSWERS)}
_PROGRESS_STEP = 2_000  # pairs


def measure_agreement(project: Project, options: AgreementOptions | None = None) -> Job[AgreementReport]:
    """Measure agreement on the pairs that people have answered; `UserError` if there is no such annotation round."""
    chosen = options or AgreementOptions()

    def work(progress: Progress) -> AgreementReport:
        with project.read_transaction() as stores, stores.cancellable(progress):
            _check_round(stores, chosen.round)
            is_split = stores.settings.get(SPLIT) is not None
            everywhere = chosen.round is not None  # its papers may have become train papers since
            needed = stores.votes.needed()
            names = {person.key: (person.name, person.role) for person in stores.annotators.all()}
            pairs = list(_read(stores, chosen, stores.votes.answered(chosen.filter, everywhere=everywhere), progress))
            pilots = list(stores.votes.of_pilots(chosen.filter)) if chosen.round is None else []
            kinds = {one.number: one.plan.kind for one in stores.annotation_rounds.all()}
        pairs = [_without_chosen_votes(pair, kinds, chosen.round) for pair in pairs]
        of_pilots = _Measurement(chosen, chosen.filter, needed, names, list(map(_as_pilot, pilots)), progress)
        voted = chosen.filter
        if is_split and not everywhere and not voted.splits:
            voted = replace(voted, splits=frozenset(HELD_OUT))
        report = _Measurement(chosen, voted, needed, names, pairs, progress).report(of_pilots.groups_of(_PILOT))
        if report.overall.agreement.refusal not in TOO_FEW_VOTES:
            return report
        with project.read_transaction() as stores:
            return replace(report, waiting=_waiting_text(stores, chosen.round))

    return Job(tr("Measuring agreement"), work)


def _waiting_text(stores: Stores, number: int | None) -> str:
    """Whom the open rounds of votes wait for, all or the one with this number, as a sentence; "" for nobody."""
    rounds = [
        one
        for one in list_rounds.within(stores)
        if one.round.plan.kind is RoundKind.BENCHMARK and is_of_relations(one) and number in (None, one.round.number)
    ]
    step = open_round_step(rounds, annotator.within(stores))
    return "" if step is None else step.sentence


def _check_round(stores: Stores, number: int | None) -> None:
    if number is None:
        return
    plan = get_round(stores, number).plan
    if plan.asks_kinds:
        raise UserError(
            tr("Round {number} asks for kinds of reasoning.", number=number), hint=tr("See: pairwright kinds")
        )
    if plan.kind is RoundKind.PILOT:
        raise UserError(
            tr("Round {number} is a pilot round, whose answers are no votes.", number=number),
            hint=tr("Its feedback compares each annotator with the reference: pairwright round feedback."),
        )


def _read(
    stores: Stores, options: AgreementOptions, pairs: Iterable[VotedPair], progress: Progress
) -> Iterable[VotedPair]:
    for n, pair in enumerate(pairs):
        if n % _PROGRESS_STEP == 0:
            progress.tick(n, None, tr("reading answers"))
        if options.round is None or options.round in pair.rounds:
            yield pair


def _without_chosen_votes(pair: VotedPair, kinds: Mapping[int, RoundKind], round: int | None) -> VotedPair:
    """The pair with only its benchmark rounds; without votes if the chosen round measures human performance."""
    rounds = tuple(number for number in pair.rounds if kinds[number] is RoundKind.BENCHMARK)
    is_estimate = round is not None and kinds[round] is RoundKind.ESTIMATE
    return pair._replace(rounds=rounds, votes=() if is_estimate else pair.votes)


def _as_pilot(pair: VotedPair) -> VotedPair:
    """The pair of a pilot round with the majority of its answers, which does not count as a gold label."""
    answers = Counter(given.answer for given in pair.votes).most_common(1)
    is_majority = any(2 * number > len(pair.votes) and answer is not Answer.UNCLEAR for answer, number in answers)
    majority = Label(answers[0][0].value) if is_majority else None
    return pair._replace(majority=majority, needed=len(pair.votes))


class _Measurement:
    """All figures of the pairs that were read. filter: the filter that shows these pairs."""

    def __init__(
        self,
        options: AgreementOptions,
        filter: PairFilter,
        needed: int,
        names: dict[str, tuple[str, Role]],
        pairs: Sequence[VotedPair],
        progress: Progress,
    ) -> None:
        self._options, self._needed, self._names, self._progress = options, needed, names, progress
        self._filter = filter
        if options.round is not None:
            self._filter = with_value(self._filter, "rounds", frozenset({str(options.round)}))
        self._pairs = pairs
        self._voted = [pair for pair in pairs if pair.votes]
        votes = Counter(given.annotator for pair in self._voted for given in pair.votes)
        self._voters = sorted(votes, key=lambda key: (-votes[key], key))
        self._matrix = self._vote_matrix()

    def report(self, pilots: Sequence[AgreementGroup] = ()) -> AgreementReport:
        overall = self._group(None, "", range(len(self._voted)), self._filter)
        groups = tuple(group for grouping in _GROUPINGS for group in self.groups_of(grouping))
        self._progress.tick(0, None, tr("comparing annotators"))
        people = tuple(self._people())
        return AgreementReport(
            self._options,
            self._needed,
            overall,
            (*groups, *pilots),
            tuple(self._voter_summaries()),
            tuple(self._comparisons()),
            people,
            tuple(self._roles(people)),
            sum(bool(pair.estimates) and pair.gold is None for pair in self._pairs),
        )

    def _vote_matrix(self) -> NDArray[Any]:

        columns = {key: column for column, key in enumerate(self._voters)}
        matrix = np.full((len(self._voted), len(columns)), MISSING, np.int8)
        for row, pair in enumerate(self._voted):
            for given in pair.votes:
                matrix[row, columns[given.annotator]] = _CODES[given.answer]
        return matrix

    # Groups

    def groups_of(self, grouping: _Grouping) -> list[AgreementGroup]:
        """The groups of a kind."""
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row, pair in enumerate(self._voted):
            for name in grouping.names(pair):
                rows[name].append(row)
        found = []
        for name in sorted(rows, key=grouping.order):
            self._progress.tick(0, None, tr("by {kind}", kind=grouping.kind))
            filter = with_value(self._filter, grouping.field, frozenset({name}))
            found.append(self._group(grouping.kind, name, rows[name], filter))
        return found

    def _group(self, kind: GroupKind | None, name: str, rows: Sequence[int], filter: PairFilter) -> AgreementGroup:
        pairs = [self._voted[row] for row in rows]
        wanted = max((pair.needed for pair in pairs), default=self._needed)
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
        decided = [pair for pair in labelled if pair.majority is not None or len(pair.votes) >= pair.needed]
        counts = Counter((pair.distant or "", pair.majority or "") for pair in decided)
        distant = gold_agreement((*labels, number) for labels, number in counts.items())[""]
        waiting = len(labelled) - len(decided)
        opened = filter if kind is GroupKind.PILOT else _judged(filter)
        return AgreementGroup(kind, name, measured, distant, waiting, seconds, opened)

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
            yield Comparison(*keys, cohen, _judged(with_value(self._filter, "differing", frozenset(keys))))

    def _people(self) -> Iterable[PersonPerformance]:

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
    """A way to group pairs.

    names: gives the groups of a pair. field: the filter's field whose values are the groups' names.
    """

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


_PILOT = _Grouping(GroupKind.PILOT, lambda pair: map(str, pair.rounds), "rounds", int)


def _judged(filter: PairFilter) -> PairFilter:
    """The filter narrowed to pairs that have votes."""
    if filter.statuses:
        return filter
    return with_value(with_value(filter, "statuses", JUDGED), "accepted", False)


def _median(answers: Iterable[GivenAnswer]) -> float | None:
    seconds = [given.seconds for given in answers if given.seconds is not None]
    return float(median(seconds)) if seconds else None
