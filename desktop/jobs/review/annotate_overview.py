"""The progress of the benchmark: people, rounds, targets and ties, and what to do next in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.review.annotation_rounds import (
    AnnotationRoundProgress,
    list_rounds,
)
from desktop.jobs.review.lacking_votes import OpenVotes, find_open_votes
from desktop.jobs.review.older_rules import OlderRules, load_older_rules, older_rules_text
from desktop.jobs.review.open_rounds import (
    MAX_LISTED,
    AnnotationStep,
    StepKind,
    files_out,
    is_of_relations,
    number_word,
    own_assignment,
    sent_files,
    unsent_files,
)
from desktop.jobs.review.people import Person, list_people
from desktop.jobs.review.released_targets import load_targets_note
from desktop.jobs.review.round_refusals import USUAL_ANNOTATORS
from desktop.jobs.review.shortages import Shortage, find_shortage, gold_left_out_text, place_text
from desktop.jobs.transactions import read_job
from desktop.text import count, listed
from desktop.translation import tr
from miner.records import Label
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPlan, Targets
from storage.annotation.annotators import Role
from storage.annotation.merge_ledger import MergedAnswers
from storage.annotation.round_draw import RoundStratum
from storage.dataset.gold_rule import GoldRules
from storage.pairs.filters import DISCARDED_PAIRS
from storage.settings import GOLD, MINING, SPLIT, TARGETS
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class AnnotateOverview:
    """Everything that the Rounds page shows.

    domains: all domains of the project. strata: the strata of the domains in the benchmark. ties: how many pairs wait
    for an adjudicator. own: the annotator's key. merges: the merged answer files, the latest first. discarded: how many
    pairs the rule of gold discards. targets_note: a sentence if the targets have changed since the last release, else
    "". older: the rules of gold of an earlier version, where they still apply.
    """

    people: tuple[Person, ...]
    rounds: tuple[AnnotationRoundProgress, ...]
    domains: tuple[str, ...]
    strata: tuple[RoundStratum, ...]
    targets: Targets
    rules: GoldRules
    ties: int
    own: str
    next: AnnotationStep
    merges: tuple[MergedAnswers, ...] = ()
    discarded: int = 0
    targets_note: str = ""
    older: OlderRules | None = None

    @property
    def missing(self) -> int:
        """How many pairs to draw to reach all targets, estimated from the measured share of pairs that become gold."""
        return sum(one.missing(self.targets.of(one.split)) for one in self.strata)

    @property
    def standing(self) -> str:
        """Sentences on the progress that `next` does not mention: the class that lacks most pairs, files and ties."""
        step = self.next.step
        parts = []
        lacking = [one for one in self.strata if not _is_reached(one, self.targets)]
        if lacking and any(map(is_of_relations, self.rounds)):
            least = min(lacking, key=lambda one: one.gold)
            target = self.targets.of(least.split)
            gold = tr(
                "{label} in {place_text}, {gold:,} of {target:,}",
                label=least.label,
                place_text=place_text(least),
                gold=least.gold,
                target=target,
            )
            parts.append(tr("Furthest from its target: {gold}", gold=gold))
        parts += filter(None, [gold_left_out_text(sum(one.left_out for one in self.strata))])
        if (out := len(files_out(self.rounds))) and step is not StepKind.MERGE:
            parts.append(
                tr("{word} {file} not back yet", word=number_word(out), file=tr("file") if out == 1 else tr("files"))
            )
        if self.ties and step not in (StepKind.CHOOSE_ADJUDICATOR, StepKind.ADJUDICATE):
            parts.append(count(self.ties, "tie"))
        if self.older is not None and step is not StepKind.SPLIT:
            waiting = (
                tr(" ({waiting:,} answered pairs have too few)", waiting=self.older.waiting)
                if self.older.waiting
                else ""
            )
            parts.append(tr("Papers not split yet, so every pair needs several votes{waiting}", waiting=waiting))
        return " · ".join(parts)


@read_job("Reading how far the annotation is")
def load_annotate(stores: Stores, annotator: str) -> AnnotateOverview:
    """The progress of the benchmark, for the annotator with this key ("" if nobody is chosen)."""
    targets = stores.settings.get(TARGETS)
    domains = tuple(stores.round_draws.domains())
    strata = tuple(stores.round_draws.progress([one for one in targets.domains if one in domains]))
    ties = stores.adjudication.ties()
    found = (tuple(list_people.within(stores)), tuple(list_rounds.within(stores)))
    shortages = stores.round_draws.find_shortages(targets, strata)
    older = load_older_rules.within(stores)
    needs_split = stores.settings.get(SPLIT) is None
    shortage = find_shortage(stores, shortages)
    spare, short_of_gold = _spare_phrases(stores, shortages), [one for one in strata if not _is_reached(one, targets)]
    votes = find_open_votes([votes for one in short_of_gold for votes in one.lacking_votes], found[0])
    benchmark = _Benchmark(strata, targets, shortage, spare, votes, needs_split, older)
    step = _next_step(*found, benchmark, len(ties), annotator, has_pairs=bool(domains))
    rules, merges = stores.settings.get(GOLD), tuple(stores.merge_ledger.merges())
    discarded = stores.pair_table.count(DISCARDED_PAIRS)
    return AnnotateOverview(
        *found,
        domains,
        strata,
        targets,
        rules,
        len(ties),
        annotator,
        step,
        merges,
        discarded,
        load_targets_note.within(stores),
        older,
    )


def _next_step(
    everybody: Sequence[Person],
    rounds: Sequence[AnnotationRoundProgress],
    benchmark: _Benchmark,
    ties: int,
    annotator: str,
    *,
    has_pairs: bool,
) -> AnnotationStep:
    """The step that removes the first obstacle between the benchmark and its targets."""
    if not has_pairs:
        return AnnotationStep(
            StepKind.MINE, tr("There are no pairs to annotate yet: add papers and mine them."), tr("Add papers")
        )
    voters = [one for one in everybody if one.role is Role.ANNOTATOR and not one.key.startswith("imported ")]
    if not rounds and len(voters) < USUAL_ANNOTATORS:
        known = tr(" You have {voters}.", voters=listed([one.name for one in voters])) if voters else ""
        sentence = tr(
            "Add the people who annotate. With {word}, two can outvote one.{known}",
            word=number_word(USUAL_ANNOTATORS).lower(),
            known=known,
        )
        return AnnotationStep(StepKind.ADD_PEOPLE, sentence, tr("Add people…"))
    is_open = [one for one in rounds if one.round.is_open]
    return (
        own_assignment(is_open, annotator)
        or _ties(everybody, ties, annotator)
        or unsent_files(is_open, annotator)
        or sent_files(is_open)
        or _missing(benchmark, is_first=not any(map(is_of_relations, rounds)))
    )


def _ties(everybody: Sequence[Person], ties: int, annotator: str) -> AnnotationStep | None:
    if not ties:
        return None
    adjudicators = [one for one in everybody if one.role is Role.ADJUDICATOR]
    waiting = count(ties, "tie waits", "ties wait")
    if any(one.key == annotator for one in adjudicators):
        action = tr("Decide the tie") if ties == 1 else tr("Decide the ties")
        return AnnotationStep(StepKind.ADJUDICATE, tr("{waiting} for you to decide.", waiting=waiting), action)
    if adjudicators:
        names = listed([one.name for one in adjudicators[:MAX_LISTED]])
        return AnnotationStep(
            StepKind.CHOOSE_ADJUDICATOR,
            tr("{waiting} for {names} to decide.", waiting=waiting, names=names),
            tr("Choose who annotates…"),
        )
    return AnnotationStep(
        StepKind.CHOOSE_ADJUDICATOR, tr("{waiting} for an adjudicator.", waiting=waiting), tr("Add an adjudicator…")
    )


def _missing(benchmark: _Benchmark, *, is_first: bool) -> AnnotationStep:
    if (older := benchmark.older) is not None:
        return AnnotationStep(StepKind.SPLIT, older_rules_text(older), tr("Split the papers…"))
    if benchmark.needs_split:
        sentence = tr(
            "Split the papers first: gold labels are for dev and test papers, and models learn from train papers."
        )
        return AnnotationStep(StepKind.SPLIT, sentence, tr("Split the papers…"))
    missing = sum(one.missing(benchmark.targets.of(one.split)) for one in benchmark.strata)
    step = _missing_pairs(benchmark, missing, is_first=is_first)
    if not (votes := benchmark.votes).pairs:
        return step
    if missing and step.step is StepKind.START_ROUND:
        more = tr("Of earlier rounds, {lack}: {advice}", lack=votes.text, advice=votes.advice)
        return step._replace(sentence=f"{step.sentence} {more}")
    sentence = tr("{lack}: {advice}", lack=votes.text, advice=votes.advice)
    if missing:
        sentence = f"{sentence} {step.sentence}"
    if not votes.names:
        return AnnotationStep(StepKind.ADD_PEOPLE, sentence, tr("Add people…"))
    return AnnotationStep(StepKind.START_ROUND, sentence, tr("New round…"))


def _missing_pairs(benchmark: _Benchmark, missing: int, *, is_first: bool) -> AnnotationStep:
    """The step towards the pairs that are missing."""
    which = "first" if is_first else "next"
    strata, short = benchmark.strata, benchmark.shortage.strata
    can_draw = missing - sum(one.wanted - one.available for one in short)
    if short:
        more, step = _more_candidates(benchmark)
        lacking, more = benchmark.shortage.text, f"{benchmark.shortage.help} {more}".lstrip()
        if not can_draw:
            return step._replace(
                sentence=tr("No more pairs can be drawn for the targets: {lacking}. {more}", lacking=lacking, more=more)
            )
        sentence = tr(
            "Draw the {which} round: the targets lack {pairs}, and {can_draw:,} can be drawn. ",
            which=which,
            pairs=count(missing, "pair"),
            can_draw=can_draw,
        )
        return AnnotationStep(
            StepKind.START_ROUND,
            tr("{sentence}Too few candidates: {lacking}. {more}", sentence=sentence, lacking=lacking, more=more),
            tr("New round…"),
        )
    if missing:
        sentence = tr("Draw the {which} round: the targets lack {pairs}.", which=which, pairs=count(missing, "pair"))
        return AnnotationStep(StepKind.START_ROUND, sentence, tr("New round…"))
    if not all(_is_reached(one, benchmark.targets) for one in strata):
        sentence = tr("The open rounds should reach all targets.")
        return AnnotationStep(StepKind.START_ROUND, sentence, tr("New round…"))
    return AnnotationStep(
        StepKind.EXPORT, tr("All targets are reached: the benchmark can be released."), tr("Release…")
    )


class _Benchmark(NamedTuple):
    """The state of the benchmark. shortage: the strata with too few pairs left to draw.

    spare: how many linking phrases of these classes are switched off. votes: those that pairs of classes with too few
    gold labels lack. needs_split: the papers are not split. older: the rules of earlier versions, where they still
    apply.
    """

    strata: Sequence[RoundStratum]
    targets: Targets
    shortage: Shortage
    spare: int
    votes: OpenVotes
    needs_split: bool = False
    older: OlderRules | None = None


def _is_reached(one: RoundStratum, targets: Targets) -> bool:
    return one.gold >= targets.of(one.split)


def _spare_phrases(stores: Stores, shortages: Sequence[RoundStratum]) -> int:
    """How many phrases of the extended lexicon for the classes of `shortages` are off."""
    labels = {one.label for one in shortages} - {Label.NEUTRAL.value}
    if not labels or not stores.papers.count():
        return 0
    from miner.mining.settings import MiningSettings  # pages import this module in the window's thread
    from miner.mining.spare_phrases import spare_phrases

    phrases = (stores.settings.get(MINING) or MiningSettings()).phrases
    return sum(len(spare_phrases(phrases, Label(label))) for label in labels)


def _more_candidates(benchmark: _Benchmark) -> tuple[str, AnnotationStep]:
    """How to get more pairs, in a sentence, and the step that does it."""
    if benchmark.spare:
        sentence = tr("Switch on {phrases}, or add papers.", phrases=count(benchmark.spare, "more linking phrase"))
        return sentence, AnnotationStep(StepKind.ADD_PHRASES, "", tr("Switch on phrases…"))
    domains = list(dict.fromkeys(one.domain for one in benchmark.shortage.strata))
    of = tr(" of {domains}", domains=listed(domains)) if all(domains) and len(domains) <= MAX_LISTED else ""
    return tr("Add papers{of}.", of=of), AnnotationStep(StepKind.MINE, "", tr("Add papers"))


def round_kind(plan: RoundPlan) -> str:
    """What a round is for, in a few words."""
    if plan.asks is RoundAsks.RELATION:
        return _KIND_NAMES[plan.kind]
    return tr("kinds, pilot") if plan.kind is RoundKind.PILOT else "kinds"


_KIND_NAMES = {
    RoundKind.BENCHMARK: tr("benchmark"),
    RoundKind.PILOT: tr("pilot"),
    RoundKind.ESTIMATE: tr("human performance"),
}
