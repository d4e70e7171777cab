"""Openers that could become linking phrases, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.mining import sample_text
from desktop.jobs.descriptions.result_text import ResultText
from desktop.text import count
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.models.phrase_discovery import DiscoveredPhrase, PhraseDiscovery


def describe_discovery(found: PhraseDiscovery) -> ResultText:
    papers = sample_text(found.papers, found.all_papers)
    if not found.phrases:
        return ResultText(
            tr(
                "No opener of {papers} seems to announce a relation; {openers} scored.",
                papers=papers,
                openers=count(found.openers, "frequent opener was", "frequent openers were"),
            )
        )
    sentence = tr(
        "{phrases} of {papers} may announce a relation; {openers} scored by the model {model}.",
        phrases=count(len(found.phrases), "opener"),
        papers=papers,
        openers=count(found.openers, "frequent one was", "frequent ones were"),
        model=found.model,
    )
    return ResultText(sentence, (DISCOVERY_NOTE,))


DISCOVERY_NOTE = tr(
    "The expected precision is the model's estimate. Read some examples of a phrase before you switch it on, and look "
    "at its agreement in the lexicon once people have answered some of its pairs."
)


def precision_text(phrase: DiscoveredPhrase) -> str:
    """ "78 % (61–89)": the expected precision, with its 95 % interval."""
    share, (low, high) = phrase.expected.share, phrase.expected.interval
    return tr("{share:.0f} % ({low:.0f}–{high:.0f})", share=100 * share, low=100 * low, high=100 * high)


def evidence_text(phrase: DiscoveredPhrase) -> str:
    """What the expected precision of an opener is made of."""
    text = tr(
        "By the model's probabilities for {scored} of the {pairs} from {papers}.",
        scored=phrase.scored,
        pairs=count(phrase.pairs, "pair"),
        papers=count(phrase.papers, "paper"),
    )
    if not phrase.answered:
        return text
    answers = tr(
        "People gave {right:,} of {answered} this relation.",
        right=phrase.right,
        answered=count(phrase.answered, "answered pair"),
    )
    return f"{text} {answers}"
