"""Says why a pair is shown now: its queue and place in it, the order, the filter, and a model's suggestion.

All pages use these sentences. In blind mode they reveal nothing about the pair's label.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop.text import chance, listed
from desktop.translation import tr
from desktop.ui.services.display_names import FIELDS, active_fields, filter_text
from miner.records import Label
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPlan
from storage.annotation.rounds import ReviewItem, RoundOrder
from storage.pairs.filters import PairFilter, with_value

ORDER_DESCRIPTIONS = {
    RoundOrder.CLASS_BALANCED: tr(
        "The same number of pairs of each class, as far as there are enough, in random order, "
        "so that the order does not reveal the distant label."
    ),
    RoundOrder.RANDOM: tr("Pairs drawn at random: your results hold for all pairs, within the sampling error."),
    RoundOrder.BY_PAPER: tr("Paper after paper, in reading order: fastest when you often look at the context."),
    RoundOrder.BY_SEARCH: tr("Pairs that match the search on the Pairs page best come first."),
    RoundOrder.DISAGREEMENTS: tr(
        "Pairs whose distant label the model doubts most: the fastest way to correct labels. "
        "Your results do not hold for all pairs."
    ),
    RoundOrder.LEAST_CERTAIN: tr("Pairs with the lowest confidence of the model: those that it cannot tell."),
    RoundOrder.ACTIVE: tr(
        "Pairs with a low confidence that differ from each other, as active learning chooses them to train on."
    ),
    RoundOrder.PRECISION: tr(
        "A random sample, with more of the pairs whose labels are hard to predict: your answers tell how many distant "
        "labels are right, with an interval. Answer its pairs in order, and stop when you like."
    ),
}
_GIVEN_DESCRIPTIONS = {
    RoundOrder.ASSIGNED: tr("These pairs were drawn for the round, the same for all its annotators."),
    RoundOrder.TIES: tr("The answers to these pairs have no majority: yours decides."),
    RoundOrder.ERRORS: tr("A system predicted another class than the label of these pairs."),
}
_BY_DOUBT = frozenset({RoundOrder.DISAGREEMENTS})
_BY_CONFIDENCE = frozenset({RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE})
_ROUND_KINDS = {
    RoundKind.PILOT: tr("pilot"),
    RoundKind.BENCHMARK: tr("benchmark"),
    RoundKind.ESTIMATE: tr("human performance"),
}


@dataclass(frozen=True, slots=True)
class PairSource:
    """The source of a page's pairs. queue: such as "your queue"; place: of the pair in it, from 1 to `total`.

    order: None where the pairs have no queue's order. plan: of an annotation round, if it is known here.
    """

    queue: str
    place: int
    total: int
    order: RoundOrder | None = None
    filter: PairFilter = field(default_factory=PairFilter)
    plan: RoundPlan | None = None


def reason_of(order: RoundOrder) -> str:
    """Why a pair is in a queue of this order, and at which place, in a sentence."""
    return ORDER_DESCRIPTIONS.get(order) or _GIVEN_DESCRIPTIONS[order]


def why_this_pair(source: PairSource, item: ReviewItem, *, hides: bool) -> tuple[str, ...]:
    """Why the pair is shown now, in sentences. hides: label, phrase and suggestion are hidden until it is answered."""
    sentences = [
        tr(
            "This is pair {place:,} of {total:,} in {queue}.",
            place=source.place,
            total=source.total,
            queue=source.queue,
        )
    ]
    if source.plan is not None:
        sentences.append(_plan_sentence(source.plan, hides=hides))
    elif source.order is not None:
        sentences.append(reason_of(source.order))
    sentences += _filter_sentences(source.filter, hides=hides)
    sentences += _model_sentences(source.order, item, hides=hides)
    return tuple(sentences)


def _plan_sentence(plan: RoundPlan, *, hides: bool) -> str:
    """How the pairs of a round were drawn."""
    domains = (
        tr(" from {domains}", domains=listed(sorted(domain or tr("no domain") for domain in plan.domains)))
        if plan.domains
        else ""
    )
    shares = tr("evenly by class and domain")
    if plan.size is not None and plan.asks is RoundAsks.RELATION:
        shares = tr("up to {size:,} of each class and domain", size=plan.size)
    return tr(
        "The pairs of this {round_kind} round were drawn at random{domains}, {shares}.",
        round_kind=_ROUND_KINDS[plan.kind],
        domains=domains,
        shares=shares,
    ) + "".join(f" {sentence}" for sentence in _filter_sentences(plan.filter, hides=hides))


def _filter_sentences(filter: PairFilter, *, hides: bool) -> list[str]:
    if filter == PairFilter():
        return []
    if not hides:
        return [tr("Only pairs that match the filter come here ({filter_text}).", filter_text=filter_text(filter))]
    shown = filter
    for name in active_fields(filter):
        if FIELDS[name].tells_label:
            shown = with_value(shown, name, None)
    sentences = (
        [tr("Only pairs that match the filter come here ({filter_text}).", filter_text=filter_text(shown))]
        if shown != PairFilter()
        else []
    )
    if shown != filter:
        sentences.append(tr("The filter’s other conditions are hidden in blind mode."))
    return sentences


def _model_sentences(order: RoundOrder | None, item: ReviewItem, *, hides: bool) -> list[str]:
    """Sentences on the model's suggestion for the pair, where the order depends on it."""
    suggestion, distant = item.suggestion, item.pair.distant_label
    if order not in _BY_DOUBT | _BY_CONFIDENCE or suggestion is None:
        return []
    if hides:
        return [tr("What the model says of this pair is hidden in blind mode until you answer.")]
    if order in _BY_DOUBT:
        if distant is None or suggestion.doubt is None:
            return []
        return [
            tr(
                "The model gives the distant label, {value}, {doubt}.",
                value=distant.value,
                doubt=chance(dict(zip(Label, suggestion.probabilities, strict=True))[distant]),
            )
        ]
    share = dict(zip(Label, suggestion.probabilities, strict=True))[suggestion.label]
    return [tr("The model gives its best label, {value}, {share}.", value=suggestion.label.value, share=chance(share))]
