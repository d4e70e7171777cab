"""An audit in words: for each finding a title, sentences, a verdict and advice, for the window and the command line."""

from __future__ import annotations

from typing import NamedTuple

from desktop.text import count, listed, points
from desktop.translation import tr
from miner.audit.report import AuditedLabels, AuditQuestion, AuditReport, AuditRow, Finding, Measure, Verdict
from miner.records import HypothesisTrait, Label
from storage.pairs.filters import NOT_BAD, PairFilter, with_value

TITLES = {
    AuditQuestion.CAPITAL: tr("First letter"),
    AuditQuestion.PHRASE_START: tr("Linking phrase at the start"),
    AuditQuestion.PHRASE_NEAR: tr("Linking phrase near the start"),
    AuditQuestion.NO_STOP: tr("Final punctuation"),
    AuditQuestion.CITATION: tr("Citations"),
    AuditQuestion.DIGIT: tr("Digits"),
    AuditQuestion.PREMISE_LENGTH: tr("Length of the premise"),
    AuditQuestion.HYPOTHESIS_LENGTH: tr("Length of the hypothesis"),
    AuditQuestion.OVERLAP: tr("Shared words"),
    AuditQuestion.NEUTRAL: tr("Neutral against linked"),
    AuditQuestion.WORDS: tr("Words of a class"),
    AuditQuestion.HYPOTHESIS_ALONE: tr("Guessing from the hypothesis"),
    AuditQuestion.PREMISE_ALONE: tr("Guessing from the premise"),
    AuditQuestion.BOTH: tr("Guessing from both sentences"),
}
VERDICTS = {
    Verdict.MEND: tr("Fix before release"),
    Verdict.LOOK: tr("Worth a look"),
    Verdict.FINE: tr("Fine"),
    Verdict.UNKNOWN: tr("Too few pairs to say"),
}
SOURCES = {
    AuditedLabels.EXPORTED: tr("labels as exported"),
    AuditedLabels.GOLD: tr("gold labels"),
    AuditedLabels.DISTANT: tr("distant labels"),
}
_HAVING = {
    AuditQuestion.CAPITAL: tr("begin with a capital"),
    AuditQuestion.PHRASE_START: tr("begin with a linking phrase"),
    AuditQuestion.PHRASE_NEAR: tr("have a linking phrase near their start"),
    AuditQuestion.NO_STOP: tr("do not end in a full stop, exclamation or question mark"),
    AuditQuestion.CITATION: tr("have a citation"),
    AuditQuestion.DIGIT: tr("have a digit"),
}
_NO_TRAIT = {AuditQuestion.NO_STOP: tr("All hypotheses end in a full stop, exclamation or question mark.")}
_TO_DO = {
    AuditQuestion.CAPITAL: tr(
        "Choose one casing of the first letter under Mining and mine again. In imported pairs, "
        "correct these hypotheses or leave them out."
    ),
    AuditQuestion.PHRASE_START: tr("The phrase names the class. Correct these hypotheses, or mark the pairs as bad."),
    AuditQuestion.PHRASE_NEAR: tr(
        "Read these hypotheses: where the phrase names the class, correct them or mark the pairs as bad."
    ),
    AuditQuestion.NO_STOP: tr(
        "Turn on the filter “No final punctuation” under Mining and mine again; correct or leave out imported ones."
    ),
    AuditQuestion.CITATION: tr(
        "Compare the classes' pairs. Where the difference is real, say so in the data card; where "
        "it comes from how neutral pairs are drawn, change their strategies."
    ),
    AuditQuestion.DIGIT: tr(
        "Compare the classes' pairs. Where the difference is real, say so in the data card; where it "
        "comes from how neutral pairs are drawn, change their strategies."
    ),
    AuditQuestion.PREMISE_LENGTH: tr(
        "Set tighter limits of words under Mining, or leave out the longest and shortest premises."
    ),
    AuditQuestion.HYPOTHESIS_LENGTH: tr(
        "Set tighter limits of words under Mining, or leave out the longest and shortest hypotheses."
    ),
    AuditQuestion.OVERLAP: tr("Look for pairs whose sentences repeat each other, and leave them out."),
    AuditQuestion.NEUTRAL: tr(
        "Draw neutral pairs by the strategies that are hardest to tell, and report how a model does on each strategy."
    ),
    AuditQuestion.WORDS: tr(
        "Read the pairs of the marked words. Correct pairs with left-over connectives or mark them as "
        "bad; for words of one topic, add more papers."
    ),
    AuditQuestion.HYPOTHESIS_ALONE: tr(
        "Begin with the findings above on single traits and words. What is left belongs in "
        "the data card: report a model that sees the hypothesis alone beside every score."
    ),
    AuditQuestion.PREMISE_ALONE: tr(
        "See how premises of neutral pairs are drawn. What is left belongs in the data card."
    ),
    AuditQuestion.BOTH: tr("Words alone go far here. Report this figure as a baseline in the data card."),
}
_MEASURES = {
    Measure.PREMISE_WORDS: ("premise", "longer", "shorter"),
    Measure.HYPOTHESIS_WORDS: ("hypothesis", "longer", "shorter"),
}
_SEEN = {
    AuditQuestion.HYPOTHESIS_ALONE: tr("the hypothesis alone"),
    AuditQuestion.PREMISE_ALONE: tr("the premise alone"),
    AuditQuestion.BOTH: tr("both sentences and what they share"),
}


class FindingText(NamedTuple):
    """A finding in words. title: of the question. found: sentences with the figures. advice: what to do."""

    title: str
    verdict: str
    found: str
    advice: str


def describe_finding(finding: Finding) -> FindingText:
    """A finding in words."""
    title, verdict = TITLES[finding.question], VERDICTS[finding.verdict]
    match finding.verdict:
        case Verdict.UNKNOWN:
            found = tr("At least two classes need {missing} pairs each for this.", missing=finding.missing)
            return FindingText(title, verdict, found, tr("Audit again when there are more pairs."))
        case Verdict.FINE:
            is_guess = finding.question in _SEEN
            advice = tr("Nothing to fix; report it beside your models’ scores.") if is_guess else tr("Nothing to do.")
        case _:
            advice = _TO_DO[finding.question]
    return FindingText(title, verdict, _found(finding), advice)


def summary_text(report: AuditReport) -> str:
    """How many findings of each verdict, worst first."""
    numbers = {verdict: len(report.of(verdict)) for verdict in Verdict}
    parts = [
        tr("{number} to fix before release", number=numbers[Verdict.MEND]),
        tr("{number} worth a look", number=numbers[Verdict.LOOK]),
        tr("{number} fine", number=numbers[Verdict.FINE]),
        tr("{number} with too few pairs to say", number=numbers[Verdict.UNKNOWN]),
    ]
    shown = [part for part, number in zip(parts, numbers.values(), strict=True) if number]
    return f"{listed(shown)}."


def scope_text(report: AuditReport) -> str:
    """The scope of an audit in a sentence: pairs, classes, labels, domain, and how many pairs were drawn."""
    classes = listed([f"{report.counts[label]:,} {label}" for label in Label if label in report.counts])
    where = (
        ""
        if report.domain is None
        else tr(", domain “{domain}”", domain=report.domain)
        if report.domain
        else tr(", no domain")
    )
    drawn = (
        ""
        if report.drawn == report.pairs
        else tr(" Words and models: {drawn:,} of them, drawn by seed.", drawn=report.drawn)
    )
    return tr(
        "{pairs} ({classes}), {source}{where}, seed {seed}.{drawn}",
        pairs=count(report.pairs, "pair"),
        classes=classes,
        source=SOURCES[report.source],
        where=where,
        seed=report.seed,
        drawn=drawn,
    )


def comparisons(row: AuditRow) -> tuple[int, bool]:
    """In how many of 100 comparisons the row's pairs have more (True) or less (False) of the measured property."""
    return (round(100 * row.value), True) if row.value >= 0.5 else (round(100 * (1 - row.value)), False)


def share_text(share: float) -> str:
    """A share in percent, with a decimal below ten."""
    return f"{100 * share:.1f} %" if 0 < share < 0.0995 else f"{100 * share:.0f} %"


def pairs_behind(report: AuditReport, finding: Finding, row: AuditRow | None = None) -> PairFilter:
    """The pairs that a finding, or one of its rows, is about."""
    label = finding.label if row is None else row.label
    filter = _of_class(report, label)
    if finding.question in _HAVING:
        filter = with_value(filter, "traits", frozenset((HypothesisTrait(finding.question.value),)))
    if row is not None and row.strategy:
        filter = with_value(filter, "strategies", frozenset((row.strategy,)))
    return filter


def pairs_with_word(report: AuditReport, word: str, label: str) -> PairFilter:
    """The pairs of a class that have a word; the search finds it in the premise too."""
    return with_value(_of_class(report, label), "text", f'"{word}"')


def _of_class(report: AuditReport, label: str) -> PairFilter:
    filter = PairFilter(statuses=NOT_BAD)
    if report.domain is not None:
        filter = with_value(filter, "domains", frozenset((report.domain,)))
    field = {AuditedLabels.EXPORTED: "labels", AuditedLabels.GOLD: "gold", AuditedLabels.DISTANT: "distant"}[
        report.source
    ]
    labels = frozenset((label,)) if label else frozenset(report.counts)
    return with_value(filter, field, labels)


# What was found


def _found(finding: Finding) -> str:
    match finding.question:
        case AuditQuestion.WORDS:
            return _words_text(finding)
        case AuditQuestion.NEUTRAL:
            return _neutral_text(finding)
        case AuditQuestion.OVERLAP | AuditQuestion.PREMISE_LENGTH | AuditQuestion.HYPOTHESIS_LENGTH:
            return _length_text(finding)
        case AuditQuestion.HYPOTHESIS_ALONE | AuditQuestion.PREMISE_ALONE | AuditQuestion.BOTH:
            return _model_text(finding)
        case _:
            return _trait_text(finding)


def _trait_text(finding: Finding) -> str:
    having, rows = _HAVING[finding.question], finding.rows
    hits, pairs = sum(row.hits for row in rows), sum(row.pairs for row in rows)
    if not hits:
        return _NO_TRAIT.get(finding.question, tr("No hypotheses {having}.", having=having))
    top = next((row for row in rows if row.label == finding.label), max(rows, key=lambda row: row.value))
    others = sorted(share_text(row.value) for row in rows if row is not top)
    values = sorted(row.value for row in rows if row is not top)
    spread = (
        others[0]
        if len(set(others)) == 1
        else tr("{share_text} to {share_text_2}", share_text=share_text(values[0]), share_text_2=share_text(values[-1]))
    )
    text = tr(
        "{share_text} of the {label} hypotheses {having}, {spread} of the others.",
        share_text=share_text(top.value),
        label=top.label,
        having=having,
        spread=spread,
    )
    if finding.verdict is Verdict.FINE:
        text += tr(" That is too little, or too even, to guess the class by.")
    elif not finding.label:
        text += tr(" It is in {pairs} of {pairs_2:,}, in all classes alike.", pairs=count(hits, "pair"), pairs_2=pairs)
    else:
        text += tr(
            " Of equally many pairs of each class, {of_class_share} of these would be {label}.",
            of_class_share=_of_class_share(finding, top),
            label=top.label,
        )
    return text


def _of_class_share(finding: Finding, top: AuditRow) -> str:
    return share_text(top.value / sum(row.value for row in finding.rows))


def _length_text(finding: Finding) -> str:
    top = max(finding.rows, key=lambda row: abs(row.value - 0.5))
    number, is_more = comparisons(top)
    if finding.question is AuditQuestion.OVERLAP:
        more = "more" if is_more else "fewer"
        what = tr(
            "the sentences of {article} pair share {more} words than those of another linked pair",
            article=_article(top.label),
            more=more,
        )
    else:
        noun, longer, shorter = _MEASURES[top.measure]
        what = tr(
            "the {noun} of {article} pair is {longer} than that of another",
            noun=noun,
            article=_article(top.label),
            longer=longer if is_more else shorter,
        )
    means = [row.mean for row in finding.rows]
    unit = "%" if finding.question is AuditQuestion.OVERLAP else "words"
    low, high = f"{min(means):.0f}", f"{max(means):.0f}"
    spread = (
        tr("Means by class are {low} to {high} {unit}.", low=low, high=high, unit=unit)
        if low != high
        else tr("All classes have a mean of {low} {unit}.", low=low, unit=unit)
    )
    text = tr(
        "In {number} of 100 comparisons {what}; 50 would be chance. {spread}", number=number, what=what, spread=spread
    )
    return (
        tr("{text} That is within what classes differ by in themselves.", text=text)
        if finding.verdict is Verdict.FINE
        else text
    )


def _neutral_text(finding: Finding) -> str:
    whole = [row for row in finding.rows if not row.strategy]
    shared = next(row for row in whole if row.measure is Measure.OVERLAP)
    number, is_more = comparisons(shared)
    text = tr(
        "A neutral pair shares {more} words than a linked one in {number} of 100 comparisons; 50 "
        "would be chance, and 71 is usual in mined sets of other fields.",
        more=tr("more") if is_more else tr("fewer"),
        number=number,
    )
    lengths = [row for row in whole if row.measure is not Measure.OVERLAP]
    longest = max(lengths, key=lambda row: abs(row.value - 0.5))
    number, is_more = comparisons(longest)
    noun, longer, shorter = _MEASURES[longest.measure]
    text += tr(
        " Its {noun} is {longer} in {number} of 100.", noun=noun, longer=longer if is_more else shorter, number=number
    )
    by_strategy = [row for row in finding.rows if row.strategy and row.measure is Measure.OVERLAP]
    if by_strategy:
        hardest = min(by_strategy, key=lambda row: abs(row.value - 0.5))
        text += tr(
            " Hardest to tell by shared words: {strategy}.",
            strategy=_STRATEGIES.get(hardest.strategy, hardest.strategy),
        )
    return text


_STRATEGIES = {
    "both_random": tr("pairs with both sentences drawn"),
    "first_random": tr("pairs with the premise drawn"),
    "second_random": tr("pairs with the hypothesis drawn"),
}


def _words_text(finding: Finding) -> str:
    telling = [figure for figure in finding.words if figure.gives_away]
    if not telling:
        return tr(
            "No word is in the hypotheses of one class so much more often than in others that it gives the class away."
        )
    first = sorted(telling, key=lambda one: -one.low)[:3]
    named = listed([f"“{one.word}” ({share_text(one.hits / one.pairs)} {one.label})" for one in first])
    text = tr("{give} a class away: {named}", give=count(len(telling), "word gives", "words give"), named=named)
    text += tr(", among others.") if len(telling) > 3 else "."
    if finding.label:
        text += tr(
            " {share_text} of the {label} hypotheses have one.",
            share_text=share_text(finding.size),
            label=finding.label,
        )
    return text


def _model_text(finding: Finding) -> str:
    scores = {row.measure: row for row in finding.rows if not row.label}
    accuracy, f1 = scores[Measure.ACCURACY], scores[Measure.MACRO_F1]
    text = tr(
        "From {seen} a linear model guesses {value} % right ({low} to {high}), macro F1 {value_2}. "
        "Chance is {chance} %",
        seen=_SEEN[finding.question],
        value=points(accuracy.value),
        low=points(accuracy.low),
        high=points(accuracy.high),
        value_2=points(f1.value),
        chance=points(finding.chance),
    )
    if finding.reference is not None:
        text += tr(
            "; in mined sets of other fields, {pairs:,} pairs give about {reference} %",
            pairs=finding.pairs,
            reference=points(finding.reference),
        )
    text += "."
    text += tr(" Tested on {pairs} it has not seen.", pairs=tr("pairs") if finding.without_papers else tr("papers"))
    if finding.without_papers:
        text += tr(" Papers are not known here, or too few, so only pairs that share a sentence were kept together.")
    if finding.left_out:
        text += tr(" Without {list}: too few pairs.", list=listed(list(finding.left_out)))
    return text


def _article(label: str) -> str:
    return tr("an {label}", label=label) if label == Label.ENTAILMENT else f"a {label}"
