"""Agreement about kinds of reasoning, and what explains models' errors, in words; for window and command line."""

from __future__ import annotations

from desktop.text import count, listed
from desktop.translation import tr
from miner.kinds.agreement import KindsAgreement
from miner.kinds.direction_agreement import DirectionAgreement
from miner.kinds.factors import MIN_PAIRS, FactorAnalysis
from miner.kinds.figures import LENGTHS

PUBLISHED = tr("TaxiNLI’s annotators: average κ 0.226, IoU 0.241, the pair’s label in 86.7 % of answers.")
"""TaxiNLI, section 3.2."""
STARS = tr("* p < .05, ** p < .01, *** p < .001, Wald’s test")


def agreement_sentences(agreement: KindsAgreement) -> list[str]:
    """Sentences on how far annotators agree overall; if that cannot be measured, the first one says why."""
    sentences = []
    if refusal := agreement_refusal(agreement):
        sentences.append(refusal)
    elif agreement.average_kappa is None:
        sentences.append(tr("κ is not defined for any category, because all annotators always gave the same answer."))
    else:
        defined = sum(one.kappa.value is not None for one in agreement.categories)
        sentences.append(
            tr(
                "Average κ {signed} of {categories}.",
                signed=_signed(agreement.average_kappa),
                categories=_categories(defined),
            )
        )
    if agreement.iou is not None:
        text = tr(
            "IoU {iou:.3f} over {answers}",
            iou=agreement.iou,
            answers=count(agreement.iou_pairs, "pair of answers", "pairs of answers"),
        )
        if agreement.iou_ticked is not None and agreement.ticked_pairs < agreement.iou_pairs:
            text += tr(
                "; {iou_ticked:.3f} over the {ticked_pairs:,} where somebody ticks a category",
                iou_ticked=agreement.iou_ticked,
                ticked_pairs=agreement.ticked_pairs,
            )
        sentences.append(f"{text}.")
    if agreement.inference is not None:
        share, (low, high) = agreement.inference, agreement.inference.interval
        interval = tr("({low:.1f} to {high:.1f})", low=100 * low, high=100 * high)
        answers = count(share.of, "answer")
        sentences.append(
            tr(
                "Annotators give the pair’s label in {value:.1f} % {interval} of {answers}.",
                value=100 * share.value,
                interval=interval,
                answers=answers,
            )
        )
    return sentences


def direction_sentences(found: DirectionAgreement) -> list[str]:
    """Sentences on how often people give the direction that phrases announce, overall."""
    sentences = []
    if found.all is not None:
        share, (low, high) = found.all, found.all.interval
        interval = tr("({low:.1f} to {high:.1f})", low=100 * low, high=100 * high)
        text = tr(
            "{value:.1f} % {interval} of {pairs}",
            value=100 * share.value,
            interval=interval,
            pairs=count(share.of, "pair"),
        )
        sentences.append(tr("Annotators give the direction that the linking phrase announces in {text}.", text=text))
    if found.kappa.value is not None:
        sentences.append(tr("Cohen’s κ of annotators and phrases: {signed}.", signed=_signed(found.kappa.value)))
    if found.undecided:
        sentences.append(tr("For {pairs} annotators agree on no direction.", pairs=count(found.undecided, "pair")))
    if found.unannounced:
        sentences.append(
            tr("{have} no phrase that announces a direction.", have=count(found.unannounced, "pair has", "pairs have"))
        )
    return sentences


def agreement_refusal(agreement: KindsAgreement) -> str:
    """Why agreement cannot be measured; "" if it can."""
    if len(agreement.annotators) < 2:
        pairs = count(agreement.single, "pair")
        who = tr("Only one person has") if agreement.annotators else tr("Nobody has")
        return tr("{who} answered all questions about {pairs}, so agreement cannot be measured.", who=who, pairs=pairs)
    if agreement.iou is None:
        people = count(len(agreement.annotators), "person has", "people have")
        return tr(
            "{people} answered, but no pair was answered by two of them, so agreement cannot be measured.",
            people=people,
        )
    return ""


def factors_problem(analysis: FactorAnalysis) -> str:
    """Why no factor explains a model's errors, as a sentence; "" if one does."""
    if not analysis.problem:
        return ""
    needed = tr(", and at least {min_pairs} are needed", min_pairs=MIN_PAIRS) if analysis.pairs < MIN_PAIRS else ""
    return tr("The errors cannot be explained: {problem}{needed}.", problem=analysis.problem, needed=needed)


def left_out_text(analysis: FactorAnalysis, names: dict[str, str]) -> str:
    """The factors that could not be analysed, as a sentence; "" if there are none.

    names: the categories' names, by key.
    """
    if not analysis.left_out:
        return ""
    found = [factor_name(one, names) for one in analysis.left_out]
    return tr("Left out, because they are the same for all pairs or follow from others: {found}.", found=listed(found))


def factor_name(factor: str, names: dict[str, str]) -> str:
    """The name of a factor: a category's name, or a phrase for a length."""
    return factor if factor in LENGTHS else names.get(factor, factor)


def _categories(number: int) -> str:
    return count(number, "category", "categories")


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")
