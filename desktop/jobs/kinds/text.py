"""Agreement about kinds of reasoning, and what explains models' errors, in words; for window and command line."""

from __future__ import annotations

from desktop.text import count, listed
from miner.kinds.agreement import KindsAgreement
from miner.kinds.direction_agreement import DirectionAgreement
from miner.kinds.factors import MIN_PAIRS, FactorAnalysis
from miner.kinds.figures import LENGTHS

PUBLISHED = "TaxiNLI’s annotators: average κ 0.226, IOU 0.241, the pair’s label in 86.7 % of answers."
"""TaxiNLI, section 3.2."""
STARS = "* p < .05, ** p < .01, *** p < .001, Wald’s test"


def agreement_sentences(agreement: KindsAgreement) -> list[str]:
    """How far annotators agree in all; first why that cannot be said, if it cannot."""
    sentences = []
    if refusal := agreement_refusal(agreement):
        sentences.append(refusal)
    elif agreement.average_kappa is None:
        sentences.append("κ is not defined for any category, because all annotators always gave the same answer.")
    else:
        defined = sum(one.kappa.value is not None for one in agreement.categories)
        sentences.append(f"Average κ {_signed(agreement.average_kappa)} of {_categories(defined)}.")
    if agreement.iou is not None:
        text = f"IOU {agreement.iou:.3f} over {count(agreement.iou_pairs, 'pair of answers', 'pairs of answers')}"
        if agreement.iou_ticked is not None and agreement.ticked_pairs < agreement.iou_pairs:
            text += f"; {agreement.iou_ticked:.3f} over the {agreement.ticked_pairs:,} where somebody ticks a category"
        sentences.append(f"{text}.")
    if agreement.inference is not None:
        share, (low, high) = agreement.inference, agreement.inference.interval
        interval = f"({100 * low:.1f} to {100 * high:.1f})"
        answers = count(share.of, "answer")
        sentences.append(f"Annotators give the pair’s label in {100 * share.value:.1f} % {interval} of {answers}.")
    return sentences


def direction_sentences(found: DirectionAgreement) -> list[str]:
    """How far people give the direction that phrases announce, in all."""
    sentences = []
    if found.all is not None:
        share, (low, high) = found.all, found.all.interval
        interval = f"({100 * low:.1f} to {100 * high:.1f})"
        text = f"{100 * share.value:.1f} % {interval} of {count(share.of, 'pair')}"
        sentences.append(f"Annotators give the direction that the linking phrase announces in {text}.")
    if found.kappa.value is not None:
        sentences.append(f"Cohen’s κ of annotators and phrases: {_signed(found.kappa.value)}.")
    if found.undecided:
        sentences.append(f"For {count(found.undecided, 'pair')} annotators agree on no direction.")
    if found.unannounced:
        sentences.append(f"{count(found.unannounced, 'pair has', 'pairs have')} no phrase that announces a direction.")
    return sentences


def agreement_refusal(agreement: KindsAgreement) -> str:
    """Why agreement cannot be measured; "" if it can."""
    if len(agreement.annotators) < 2:
        pairs = count(agreement.single, "pair")
        who = "Only one person has" if agreement.annotators else "Nobody has"
        return f"{who} answered all questions about {pairs}, so agreement cannot be measured."
    if agreement.iou is None:
        people = count(len(agreement.annotators), "person has", "people have")
        return f"{people} answered, but no pair was answered by two of them, so agreement cannot be measured."
    return ""


def factors_problem(analysis: FactorAnalysis) -> str:
    """Why nothing explains a model's errors, as a sentence; "" where something does."""
    if not analysis.problem:
        return ""
    needed = f", and at least {MIN_PAIRS} are needed" if analysis.pairs < MIN_PAIRS else ""
    return f"The errors cannot be explained: {analysis.problem}{needed}."


def left_out_text(analysis: FactorAnalysis, names: dict[str, str]) -> str:
    """The factors that could not be looked at, as a sentence; "" without any. names: of the categories, by key."""
    if not analysis.left_out:
        return ""
    found = [factor_name(one, names) for one in analysis.left_out]
    return f"Left out, because they are the same for all pairs or follow from others: {listed(found)}."


def factor_name(factor: str, names: dict[str, str]) -> str:
    """A category by its name, a length as a phrase."""
    return factor if factor in LENGTHS else names.get(factor, factor)


def _categories(number: int) -> str:
    return count(number, "category", "categories")


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")
