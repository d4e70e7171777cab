"""The results of mining, and what would add pairs to the rarest class, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.papers import other_languages_text
from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.text import count
from desktop.translation import tr
from miner.statistics import wilson

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.mining.class_balance import RareClass, SampleGain
    from desktop.jobs.mining.run import MiningResult


def describe_mining(mined: MiningResult) -> ResultText:
    kept, dropped = sum(mined.funnel.kept.values()), sum(mined.funnel.dropped.values())
    before = mined.papers - mined.mined
    parts = [
        tr("{pairs} found in {papers}", pairs=count(kept, "pair"), papers=count(mined.papers, "paper")),
        tr("{candidates} dropped", candidates=count(dropped, "candidate")),
    ]
    parts += [tr("{papers} mined before", papers=count(before, "paper"))] if before else []
    hint = tr("Its text is unusual. Please report it, with the paper if its licence permits.")
    problems = [
        ResultProblem(
            tr("Paper {md5} has no pairs: mining it took too much time or memory, or met a bug.", md5=md5), hint
        )
        for md5 in mined.failed
    ]
    notes = [other_languages_text(mined.other_languages)] if mined.other_languages else []
    notes += map(_new_filter_note, mined.new_filters)
    return ResultText(joined(parts), tuple(notes), tuple(problems))


def _new_filter_note(name: str) -> str:
    from miner.mining.drop_reasons import FILTERS

    return tr("The filter {name} is new, and switched on. {filter}", name=name, filter=tr(FILTERS[name]))


def rare_class_text(rare: RareClass) -> ResultText:
    """Which linked class has the fewest pairs; as notes, what would add pairs, and how many people agreed with."""
    whole = "sample" if rare.in_sample else "project"
    name = rare.label.capitalize()
    sentence = tr(
        "{name} is the rarest linked class: {pairs:,} of the {whole}'s {pairs_2}.",
        name=name,
        pairs=rare.pairs,
        whole=whole,
        pairs_2=count(rare.all_pairs, "pair"),
    )
    if not rare.spare:
        on = tr("All phrases of the extended lexicon for this class are switched on")
        return ResultText(sentence, (tr("{on}. More papers, or linking phrases of your own, would add pairs.", on=on),))
    spare = count(
        len(rare.spare),
        "phrase of the extended lexicon for this class is",
        "phrases of the extended lexicon for this class are",
    )
    notes = [tr("{spare} switched off{gain_text}.", spare=spare, gain_text=_gain_text(rare.gain))]
    if rare.answered:
        low, high = wilson(rare.agreed, rare.answered)
        agreement = tr(
            "Annotators agreed with {agreed:,} of {pairs} found by these phrases",
            agreed=rare.agreed,
            pairs=count(rare.answered, "pair"),
        )
        notes.append(
            tr(
                "{agreement} (95 % interval: {low:.0f} to {high:.0f} %).",
                agreement=agreement,
                low=100 * low,
                high=100 * high,
            )
        )
    elif rare.can_grow:
        notes.append(tr("No pair found by these phrases has been annotated yet."))
    return ResultText(sentence, tuple(notes))


def _gain_text(gain: SampleGain | None) -> str:
    if gain is None:
        return ""
    if gain.papers < gain.all_papers:
        papers = tr("a sample of {papers:,} of {all_papers:,} papers", papers=gain.papers, all_papers=gain.all_papers)
    else:
        papers = tr("all {papers:,} papers", papers=gain.papers) if gain.papers > 1 else tr("the one paper")
    added = (
        tr("{pairs} to the {pairs_2:,} there", pairs=count(gain.added, "pair"), pairs_2=gain.pairs)
        if gain.added
        else tr("no pair")
    )
    return tr(": in {papers} they would add {added}", papers=papers, added=added)
