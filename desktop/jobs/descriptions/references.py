"""What a bibliography changed, or would change, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.text import count, listed, shortened
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.papers.references import ReferencePlan, ReferenceResult
    from miner.references.proposals import Proposal, Value

FIELD_NAMES = {"title": "title", "authors": "authors", "year": "year", "doi": "DOI", "journal": "journal"} | {
    "keywords": "keywords"
}
_MAX_LISTED = 10  # conflicts, doubts and broken entries that are listed; the others are counted
_MAX_LENGTH = 90  # characters of a value in a line


def value_text(value: Value) -> str:
    """A value of a field in one line; names and keywords separated by semicolons."""
    return "; ".join(value) if isinstance(value, tuple) else str(value or "")


def describe_plan(plan: ReferencePlan) -> ResultText:
    """Which papers a bibliography names, and which papers and references have no match."""
    by = [tr("{number:,} by {how}", number=number, how=how) for how, number in plan.matched_by().items()]
    found = tr("{papers} matched", papers=count(len(plan.matched), "paper")) + (f": {listed(by)}" if by else "")
    sentence = tr(
        "{name} has {references}; {found}.",
        name=plan.path.name,
        references=count(plan.entries, "reference"),
        found=found,
    )
    left = [count(plan.unmatched_papers - len(plan.doubts), "paper") + tr(" without a reference")]
    left += [tr("{references} without a paper", references=count(plan.unmatched_entries, "reference"))]
    left += [tr("{papers} not matched for certain", papers=count(len(plan.doubts), "paper"))] if plan.doubts else []
    left += (
        [tr("{references} that could not be read", references=count(len(plan.failed), "reference"))]
        if plan.failed
        else []
    )
    return ResultText(sentence, (tr("Not matched: {left}.", left=listed(left)),))


def describe_references(result: ReferenceResult) -> ResultText:
    """How many values were taken, which conflicts stay, and what could not be matched or read."""
    plan = result.plan
    about = describe_plan(plan)
    done = [tr("{values} taken", values=count(result.set, "value"))] if result.set or not result.confirmed else []
    done += [tr("{confirmed:,} confirmed", confirmed=result.confirmed)] if result.confirmed else []
    done += [
        tr(
            "{conflicts} left as {it}",
            conflicts=count(result.kept, "conflict"),
            it=tr("it is") if result.kept == 1 else tr("they are"),
        )
    ] * bool(result.kept)
    notes = [joined(done), *about.notes]
    notes += [split_moves_text(result.moved)] if result.moved else []
    return ResultText(about.sentence, tuple(notes), plan_problems(plan, with_conflicts=bool(result.kept)))


def plan_problems(plan: ReferencePlan, *, with_conflicts: bool) -> tuple[ResultProblem, ...]:
    """Conflicts, doubts and broken entries, the first ones of each."""
    from miner.references.proposals import ProposalKind

    conflicts = plan.of_kind(ProposalKind.CONFLICT) if with_conflicts else []
    lines = [conflict_text(plan, one) for one in conflicts[:_MAX_LISTED]]
    lines += _more(len(conflicts), "conflict")
    lines += [doubt_text(one.title, one.reason, one.references) for one in plan.doubts[:_MAX_LISTED]]
    lines += _more(len(plan.doubts), tr("paper not matched for certain"), tr("papers not matched for certain"))
    lines += [
        tr("{name}, line {line:,}: {reason}.", name=plan.path.name, line=line, reason=reason)
        for line, reason in plan.failed[:_MAX_LISTED]
    ]
    lines += _more(len(plan.failed), tr("reference that could not be read"), tr("references that could not be read"))
    return tuple(ResultProblem(line, "") for line in lines)


def conflict_text(plan: ReferencePlan, one: Proposal) -> str:
    paper = shortened(plan.titles[one.md5], 48)
    now, new = (shortened(value_text(value), _MAX_LENGTH) for value in (one.now, one.new))
    by_hand = tr(" (set by hand)") if one.by_hand else ""
    return tr(
        "{paper}: {field_name} “{now}”{by_hand}, but “{new}” in the reference.",
        paper=paper,
        field_name=FIELD_NAMES[one.field],
        now=now,
        by_hand=by_hand,
        new=new,
    )


def doubt_text(title: str, reason: str, references: tuple[str, ...]) -> str:
    named = listed([f"“{shortened(one, 60)}”" for one in references[:3]])
    return f"{shortened(title, 60)}: {reason}: {named}."


def _more(number: int, noun: str, plural: str = "") -> list[str]:
    more = number - _MAX_LISTED
    return (
        [tr("And {more:,} more {noun}.", more=more, noun=noun if more == 1 else plural or noun + "s")]
        if more > 0
        else []
    )
