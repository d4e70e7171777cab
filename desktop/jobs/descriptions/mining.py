"""The results of mining, and what would add to the rarest class, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.papers import other_languages_text
from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.text import count
from miner.statistics import wilson

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.mining.class_balance import RareClass, SampleGain
    from desktop.jobs.mining.run import MiningResult


def describe_mining(mined: MiningResult) -> ResultText:
    kept, dropped = sum(mined.funnel.kept.values()), sum(mined.funnel.dropped.values())
    before = mined.papers - mined.mined
    parts = [
        f"{count(kept, 'pair')} found in {count(mined.papers, 'paper')}",
        f"{count(dropped, 'candidate')} dropped",
    ]
    parts += [f"{count(before, 'paper')} mined before"] if before else []
    hint = "Its text is unusual. Please report it, with the paper if its licence permits."
    problems = [
        ResultProblem(f"Paper {md5} has no pairs: mining it took too much time or memory, or met a bug.", hint)
        for md5 in mined.failed
    ]
    notes = [other_languages_text(mined.other_languages)] if mined.other_languages else []
    notes += map(_new_filter_note, mined.new_filters)
    return ResultText(joined(parts), tuple(notes), tuple(problems))


def _new_filter_note(name: str) -> str:
    from miner.mining.filters import FILTERS

    return f"The filter {name} is new, and switched on. {FILTERS[name]}"


def rare_class_text(rare: RareClass) -> ResultText:
    """Which linked class has the fewest pairs; as notes, what would add to it and how far people agree with that."""
    whole = "sample" if rare.in_sample else "project"
    name = rare.label.capitalize()
    sentence = f"{name} is the rarest linked class: {rare.pairs:,} of the {whole}'s {count(rare.all_pairs, 'pair')}."
    if not rare.spare:
        on = "All phrases of the extended lexicon for this class are switched on"
        return ResultText(sentence, (f"{on}. More papers, or linking phrases of your own, would add pairs.",))
    spare = count(
        len(rare.spare),
        "phrase of the extended lexicon for this class is",
        "phrases of the extended lexicon for this class are",
    )
    notes = [f"{spare} switched off{_gain_text(rare.gain)}."]
    if rare.answered:
        low, high = wilson(rare.agreed, rare.answered)
        agreement = f"Annotators agreed with {rare.agreed:,} of {count(rare.answered, 'pair')} found by these phrases"
        notes.append(f"{agreement} (95 % interval: {100 * low:.0f} to {100 * high:.0f} %).")
    elif rare.can_grow:
        notes.append("No pair found by these phrases has been annotated yet.")
    return ResultText(sentence, tuple(notes))


def _gain_text(gain: SampleGain | None) -> str:
    if gain is None:
        return ""
    if gain.papers < gain.all_papers:
        papers = f"a sample of {gain.papers:,} of {gain.all_papers:,} papers"
    else:
        papers = f"all {gain.papers:,} papers" if gain.papers > 1 else "the one paper"
    added = f"{count(gain.added, 'pair')} to the {gain.pairs:,} there" if gain.added else "no pair"
    return f": in {papers} they would add {added}"
