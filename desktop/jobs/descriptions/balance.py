"""How many pairs balancing the classes leaves in a data set, and what would leave more, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.text import count, listed
from desktop.translation import tr
from miner.records import Label

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.mining.class_balance import SampleGain, SparePhrases
    from miner.mining.linking_phrases import Phrase
    from storage.dataset.candidates import ClassBalance

_MAX_ABSENT = 3  # missing classes that are named; the others are counted


def balance_text(balance: ClassBalance) -> str:
    """ "712 of 4,073 pairs; entailment has the fewest, 178.": what is left where all classes have the same number.

    Domains and splits that have none of a class are named: only their other classes are balanced.
    """
    absent = _absent_text(balance)
    if balance.kept == balance.pairs:
        return tr(
            "all {pairs}: the classes have the same number already.{absent}",
            pairs=count(balance.pairs, "pair"),
            absent=absent,
        )
    parts = tr(", balanced in each split and domain") if balance.parts > 1 else ""
    kept = tr("{kept:,} of {pairs}{parts}", kept=balance.kept, pairs=count(balance.pairs, "pair"), parts=parts)
    return tr(
        "{kept}; {rarest} has the fewest, {fewest:,}.{absent}",
        kept=kept,
        rarest=balance.rarest,
        fewest=balance.fewest,
        absent=absent,
    )


def _absent_text(balance: ClassBalance) -> str:
    named = [
        tr(
            "{label} in {filter} has 0 of {pairs:,}",
            label=one.label,
            filter=" of ".join(filter(None, (one.split, one.domain or tr("no domain")))),
            pairs=one.pairs,
        )
        for one in balance.absent[:_MAX_ABSENT]
    ]
    if not named:
        return ""
    more = len(balance.absent) - len(named)
    text = tr("{named} and so on for {more:,} more", named=", ".join(named), more=more) if more else listed(named)
    return tr(" Where a class has no pairs, only the others are balanced: {text}.", text=text)


def balance_advice(balance: ClassBalance, spare: SparePhrases | None, gain: SampleGain | None, *, settled: bool) -> str:
    """What would leave more pairs where classes are balanced; "" if nothing is known that would.

    spare: None without papers to mine. gain: the gain of `phrases_to_measure`; None until it is known. settled: only
    pairs that people answered are exported.
    """
    if balance.kept == balance.pairs:
        return ""
    if settled:
        return tr("To keep more, annotate more pairs of this class.")
    if spare is None:
        return ""
    if balance.rarest == Label.NEUTRAL:
        return tr("To keep more, mine more neutral pairs for each linked one.")
    of_class = len(spare.of_class(balance.rarest))
    if of_class and gain is None:
        return ""
    if gain is None or not gain.added:
        return tr("To keep more, add papers, or linking phrases of your own for this class.")
    phrases = count(of_class, "phrase")
    they = tr("it would add") if of_class == 1 else tr("they would add")
    sample = (
        tr(" in a sample of {papers:,} of {all_papers:,} papers", papers=gain.papers, all_papers=gain.all_papers)
        if gain.papers < gain.all_papers
        else ""
    )
    added = count(gain.added, "pair")
    reliable = tr(", {reliable:,} of them by reliable phrases", reliable=gain.reliable) if gain.reliable else ""
    return tr(
        "To keep more, switch on its {phrases} of the extended lexicon: {they} {added}{sample}{reliable}.",
        phrases=phrases,
        they=they,
        added=added,
        sample=sample,
        reliable=reliable,
    )


def phrases_to_measure(balance: ClassBalance, spare: SparePhrases | None, *, settled: bool) -> tuple[Phrase, ...]:
    """The spare phrases whose gain `balance_advice` depends on."""
    return () if spare is None or settled or balance.kept == balance.pairs else spare.of_class(balance.rarest)


def is_helped_by_mining(
    balance: ClassBalance, spare: SparePhrases | None, gain: SampleGain | None, *, settled: bool
) -> bool:
    """Whether `balance_advice` is about mining settings."""
    if balance.kept == balance.pairs or settled or spare is None:
        return False
    return balance.rarest == Label.NEUTRAL or (gain is not None and gain.added > 0)
