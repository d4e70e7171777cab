"""The results of mining, and what would add pairs to the rarest class, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.papers import other_languages_text
from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.text import count, listed
from desktop.translation import tr
from miner.statistics import wilson

if TYPE_CHECKING:  # the window starts without these modules
    from collections.abc import Mapping, Sequence

    from desktop.jobs.mining.class_balance import RareClass, SampleGain
    from desktop.jobs.mining.run import MiningResult
    from miner.mining.linking_phrases import Phrase
    from miner.mining.phrase_precision import PhraseReading
    from miner.records import Label


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
    notes += [_reliable_note(rare)] if rare.reliable and (rare.gain is None or rare.gain.reliable) else []
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


def _reliable_note(rare: RareClass) -> str:
    from miner.mining.phrase_precision import total_reading

    adding = tr(" and would add {pairs}", pairs=count(rare.gain.reliable, "pair")) if rare.gain else ""
    return tr(
        "Of them, {phrases} {are} reliable{adding}: {reading}",
        phrases=listed([f"“{phrase.text}”" for phrase in rare.reliable]),
        are=tr("is") if len(rare.reliable) == 1 else tr("are"),
        adding=adding,
        reading=reading_text(rare.label, total_reading(rare.reliable)),
    )


def reading_text(label: Label, reading: PhraseReading) -> str:
    """ "24 of 25 pairs that were read by hand are entailment (95 % interval: 80 to 99 %)." """
    low, high = reading.interval
    return tr(
        "{right:,} of {pairs} that were read by hand are {label} (95 % interval: {low:.0f} to {high:.0f} %).",
        right=reading.right,
        pairs=count(reading.read, "pair"),
        label=label,
        low=100 * low,
        high=100 * high,
    )


def reliable_phrases_text(reliable: Sequence[Phrase], added: Mapping[Label, int] | None, sample: str) -> str:
    """Which phrases are off and reliable, and how many pairs of each class they would add to a sample.

    reliable: one or more phrases. added: None while it is not known. sample: the papers, as `sample_text` says it.
    """
    names = listed([f"“{phrase.text}”" for phrase in reliable])
    off = tr("is switched off and reliable") if len(reliable) == 1 else tr("are switched off and reliable")
    if added is None:
        return f"{names} {off}."
    by_class = [
        tr("{pairs} of {label}", pairs=count(number, "pair"), label=label) for label, number in added.items() if number
    ]
    return tr(
        "{names} {off}: in {sample} they would add {pairs}.",
        names=names,
        off=off,
        sample=sample,
        pairs=listed(by_class) if by_class else tr("no pair"),
    )


def _gain_text(gain: SampleGain | None) -> str:
    if gain is None:
        return ""
    added = (
        tr("{pairs} to the {pairs_2:,} there", pairs=count(gain.added, "pair"), pairs_2=gain.pairs)
        if gain.added
        else tr("no pair")
    )
    return tr(": in {papers} they would add {added}", papers=sample_text(gain.papers, gain.all_papers), added=added)


def sample_text(papers: int, all_papers: int) -> str:
    """ "a sample of 40 of 1,200 papers", "all 12 papers" or "the one paper"."""
    if papers < all_papers:
        return tr("a sample of {papers:,} of {all_papers:,} papers", papers=papers, all_papers=all_papers)
    return tr("all {papers:,} papers", papers=papers) if papers > 1 else tr("the one paper")
