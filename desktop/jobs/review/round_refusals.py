"""Why an annotation round is not drawn: whom it cannot ask, what is not there yet, or that no pair is left."""

from __future__ import annotations

from collections.abc import Sequence

from desktop.jobs.review.lacking_votes import OpenVotes, find_open_votes
from desktop.jobs.review.people import list_people
from desktop.jobs.review.shortages import find_shortage
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from storage.annotation.annotation_rounds import RoundKind, RoundPlan, Targets
from storage.annotation.annotators import ESTIMATE_ROLES, Role
from storage.annotation.round_draw import RoundDraw
from storage.pairs.filters import PairFilter
from storage.settings import GOLD_EVERYWHERE, SPLIT
from storage.stores import Stores

USUAL_ANNOTATORS = 3
"""How many people annotate each pair in SciNLI, MSciNLI and MisMatched."""
ROLES = {  # whose assignments a round of a kind gets by default, and what a new name becomes (the first)
    RoundKind.BENCHMARK: (Role.ANNOTATOR,),
    RoundKind.PILOT: (Role.ANNOTATOR, Role.REFERENCE),
    RoundKind.ESTIMATE: ESTIMATE_ROLES,
}


def require_annotators(plan: RoundPlan, names: Sequence[str], *, is_default: bool) -> None:
    """Raise `UserError` if nobody is asked, or too few are without having been named."""
    if not names:
        role = ROLES[plan.kind][0]
        raise UserError(
            tr("Nobody has the role {role}.", role=role),
            hint=tr("Add people with the role {role}, or name them.", role=role),
        )
    is_vote = plan.kind is RoundKind.BENCHMARK and not plan.asks_kinds
    if is_default and is_vote and len(names) < USUAL_ANNOTATORS:
        verb = "is" if len(names) == 1 else "are"
        raise UserError(
            tr(
                "A round usually asks {usual_annotators} annotators; there {verb} {names}: {names_2}.",
                usual_annotators=USUAL_ANNOTATORS,
                verb=verb,
                names=len(names),
                names_2=", ".join(names),
            ),
            hint=tr("Add annotators, or name those who are to answer."),
        )


def require_roles(stores: Stores, plan: RoundPlan, names: Sequence[str]) -> None:
    """Raise `UserError` if people whose answers are no estimates are to measure human performance."""
    if plan.kind is not RoundKind.ESTIMATE:
        return
    for one in filter(None, map(stores.annotators.find, names)):
        if one.role not in ESTIMATE_ROLES:
            raise UserError(
                tr(
                    "Human performance is measured on experts and laypeople; {name} has the role {role}.",
                    name=one.name,
                    role=one.role,
                ),
                hint=tr(
                    "Name people who have not made the gold labels. To change a role: "
                    "pairwright people role NAME expert"
                ),
            )


def require_domains(stores: Stores, domains: Sequence[str]) -> None:
    """Raise `UserError` for a domain that no pair has."""
    known = stores.round_draws.domains()
    for domain in domains:
        if domain not in known:
            names = ", ".join(name for name in known if name) or "none"
            raise UserError(
                tr("No pair has the domain “{domain}”.", domain=domain),
                hint=tr("The domains here: {names}.", names=names),
            )


def require_split(stores: Stores, plan: RoundPlan) -> None:
    """Raise `UserError` if gold labels are asked for in a project that has no dev and test papers."""
    if plan.kind is not RoundKind.BENCHMARK or plan.asks_kinds or stores.settings.get(GOLD_EVERYWHERE):
        return
    if stores.settings.get(SPLIT) is None and stores.round_draws.domains():
        raise UserError(
            tr("The papers are not split yet: gold labels are of dev and test papers."),
            hint=tr("See how many papers these want, and split them: pairwright split suggest"),
        )


def nothing_to_draw(stores: Stores, plan: RoundPlan, draw: RoundDraw, annotators: set[str]) -> UserError:
    """Why a draw found no pair."""
    if not draw.strata:
        return UserError(tr("There are no pairs to annotate yet."), hint=tr("Add papers and mine them."))
    if plan.asks_kinds:
        return UserError(
            tr("Every pair was asked about already, or has no label."),
            hint=tr("Add papers and mine them, or close rounds that nobody answers."),
        )
    if plan.kind is RoundKind.BENCHMARK and (votes := open_votes(stores, plan, draw, annotators)).pairs:
        what = tr("{lack}, but this round asks people who have answered them or are asked about them.", lack=votes.text)
        return UserError(what, hint=tr("To get these, {advice}", advice=votes.advice))
    if not draw.shortages:
        targets = Targets(plan.dev, plan.test)
        is_reached = all(one.gold >= targets.of(one.split) for one in draw.strata)
        if is_reached:
            return UserError(
                tr("All targets are reached."),
                hint=tr("Raise the targets, or say how many pairs of each class to draw."),
            )
        return UserError(
            tr("All targets are reached, or will be when the open rounds are answered."),
            hint=tr(
                "Close a round that somebody does not answer, raise the targets, or say how many pairs of each class "
                "to draw."
            ),
        )
    if plan.kind is RoundKind.ESTIMATE:
        return UserError(
            tr("There are no gold pairs to annotate again."), hint=tr("Human performance is measured on gold pairs.")
        )
    wanted = sum(one.wanted for one in draw.shortages)
    return UserError(
        tr("There is no pair left to draw; {pairs} would be needed.", pairs=count(wanted, "pair")),
        hint=find_shortage(stores, draw.shortages).help or tr("Add papers and mine them, or draw from more domains."),
    )


def open_votes(stores: Stores, plan: RoundPlan, draw: RoundDraw, known_to: set[str] | None = None) -> OpenVotes:
    """The votes that pairs lack where gold labels are still wanted; known_to: only of pairs that one of these knows."""
    if plan.filter != PairFilter():  # others might know no pair of it
        return OpenVotes()
    targets = Targets(plan.dev, plan.test)
    strata = [one for one in draw.strata if plan.size is not None or one.missing_without_lacking(targets.of(one.split))]
    lacking = [votes for one in strata for votes in one.lacking_votes if known_to is None or votes.known_to & known_to]
    return find_open_votes(lacking, list_people.within(stores))
