"""What the page says about a pair, in words."""

from __future__ import annotations

from miner.records import Answer, Label, Strategy
from storage.annotation.marks import RejectReason
from storage.annotation.rounds import ReviewItem, RoundOrder

FAULTS = {
    RejectReason.BROKEN_SENTENCE: "Broken sentence",
    RejectReason.WRONG_BOUNDARY: "Wrong boundary",
    RejectReason.NOT_PROSE: "Not prose",
    RejectReason.OTHER: "Other",
}
ORDERS = {
    RoundOrder.CLASS_BALANCED: "Class-balanced",
    RoundOrder.RANDOM: "Random",
    RoundOrder.BY_PAPER: "By paper",
    RoundOrder.BY_SEARCH: "Best match first",
    RoundOrder.DISAGREEMENTS: "Disagreements first",
    RoundOrder.LEAST_CERTAIN: "Least certain first",
    RoundOrder.ACTIVE: "Active learning",
}
DEFINITIONS = {
    Answer.CONTRASTING: "One sentence contradicts, compares with, criticises, juxtaposes or limits something said in "
    "the other.",
    Answer.REASONING: "The first gives the reason, cause or condition for the result or conclusion in the second.",
    Answer.ENTAILMENT: "One generalises, specifies or has an equivalent meaning with the other.",
    Answer.NEUTRAL: "The two sentences are semantically independent.",
    Answer.UNCLEAR: "The two sentences alone do not tell. An answer, never a class of the data set.",
}


def source(item: ReviewItem) -> str:
    """Which paper a pair is from."""
    parts = (item.title or "Untitled paper", str(item.year or ""), item.domain)
    return " · ".join(part for part in parts if part)


def origin(item: ReviewItem) -> tuple[str, Label | None]:
    """What mining knew of a pair: words, and the distant label they end in."""
    pair = item.pair
    if pair.strategy is Strategy.LINKED and pair.phrase:
        return f"the phrase “{pair.phrase}” says", pair.distant_label
    if pair.strategy is Strategy.IMPORTED:
        return ("imported as" if pair.distant_label else "imported without a label"), pair.distant_label
    if pair.strategy is Strategy.IMPLICIT:
        return "neighbours without a linking phrase", pair.distant_label
    return "drawn at random as", pair.distant_label


def marks(item: ReviewItem) -> str:
    """What the annotator has marked about a pair, beside the flag."""
    parts = []
    if item.bad is not None:
        parts.append(f"Taken out: {fault(item.bad).lower()}")
    elif item.status == "bad":
        parts.append("Taken out by another annotator")
    if item.note:
        parts.append(f"Note: {item.note}")
    if not item.current:
        parts.append("No longer mined by the present settings")
    return " · ".join(parts)


def fault(reason: str) -> str:
    """A reason why a pair is bad, as people read it."""
    return FAULTS[RejectReason(reason)] if reason in set(RejectReason) else reason
