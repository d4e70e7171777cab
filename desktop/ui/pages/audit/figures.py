"""The figures of findings: bars by class, strategy or word, each with a sentence and the pairs it opens."""

from __future__ import annotations

from collections.abc import Sequence

from desktop.jobs.pairs.audit_text import comparisons, pairs_behind, pairs_with_word, share_text
from desktop.text import count, points
from desktop.translation import tr
from desktop.ui.plots.figures import ABSENT_TONE, HALF_TONE, BarFigure, BarRow, PlotBar, PlotMark
from desktop.ui.services.display_names import STRATEGIES, TRAITS, capitalized
from miner.audit.report import AuditQuestion, AuditReport, AuditRow, Finding, Measure, WordFigure
from miner.records import Label

_WORDS_SHOWN = 6
_ROW_HEIGHT = 28  # unscaled pixels
_MEASURES = {
    Measure.OVERLAP: (tr("Shared words"), "%", tr("fewer words shared"), tr("more words shared")),
    Measure.PREMISE_WORDS: (tr("Length of the premise"), "words", "shorter", "longer"),
    Measure.HYPOTHESIS_WORDS: (tr("Length of the hypothesis"), "words", "shorter", "longer"),
}


def question_text(finding: Finding) -> str:
    """What the figure shows, as a question."""
    match finding.question:
        case AuditQuestion.NEUTRAL:
            return tr("How often does a neutral pair differ from a linked pair?")
        case AuditQuestion.WORDS:
            return tr("Of the hypotheses with a word, how many have the class?")
        case AuditQuestion.OVERLAP:
            return tr("How many words do linked sentences share, by class?")
        case AuditQuestion.PREMISE_LENGTH | AuditQuestion.HYPOTHESIS_LENGTH:
            return tr("How long are the sentences, by class?")
        case AuditQuestion.HYPOTHESIS_ALONE | AuditQuestion.PREMISE_ALONE | AuditQuestion.BOTH:
            return tr("How many labels are guessed correctly?")
        case _:
            return tr("How many {traits_plural}?", traits_plural=_TRAITS_PLURAL[finding.question])


_TRAITS_PLURAL = {
    AuditQuestion.CAPITAL: tr("hypotheses begin with a capital"),
    AuditQuestion.PHRASE_START: tr("hypotheses begin with a linking phrase"),
    AuditQuestion.PHRASE_NEAR: tr("hypotheses have a linking phrase near their start"),
    AuditQuestion.NO_STOP: tr("hypotheses lack a full stop"),
    AuditQuestion.CITATION: tr("hypotheses have a citation"),
    AuditQuestion.DIGIT: tr("hypotheses have a digit"),
}


def finding_figure(report: AuditReport, finding: Finding) -> BarFigure:
    """The figure of a finding."""
    match finding.question:
        case AuditQuestion.WORDS:
            return _words_figure(report, finding)
        case AuditQuestion.NEUTRAL:
            return _neutral_figure(report, finding)
        case AuditQuestion.PREMISE_LENGTH | AuditQuestion.HYPOTHESIS_LENGTH | AuditQuestion.OVERLAP:
            return _lengths_figure(report, finding)
        case AuditQuestion.HYPOTHESIS_ALONE | AuditQuestion.PREMISE_ALONE | AuditQuestion.BOTH:
            return _model_figure(report, finding)
        case _:
            return _trait_figure(report, finding)


def _figure(rows: Sequence[BarRow], columns: tuple[str, ...], summary: str, numbers: Sequence[PlotMark]) -> BarFigure:
    return BarFigure(
        rows=tuple(rows),
        columns=columns,
        summary=summary,
        numbers=tuple(numbers),
        row_height=_ROW_HEIGHT,
        decimals=1,
    )


def _trait_figure(report: AuditReport, finding: Finding) -> BarFigure:
    trait = TRAITS[finding.question.value]
    longest = max((row.value for row in finding.rows), default=0.0) or 1.0
    rows, marks = [], []
    for row in finding.rows:
        interval = _interval(row)
        note = tr(
            "{label}: {trait}, {hits:,} of {pairs}, {interval}.",
            label=capitalized(row.label),
            trait=trait,
            hits=row.hits,
            pairs=count(row.pairs, "pair"),
            interval=interval,
        )
        opens = pairs_behind(report, finding, row) if row.hits else None
        mark = PlotMark(note, opens, (row.label, row.hits, row.pairs, row.value, row.low, row.high))
        bars = (PlotBar(mark, row.value, row.label),) if row.hits else ()
        bars = bars or (PlotBar(mark, 0.0, ABSENT_TONE),)
        rows.append(BarRow(row.label, bars, longest, interval, share_text(row.value), row.label))
        marks.append(mark)
    columns = (tr("Class"), tr("With the property"), tr("Pairs"), tr("Share"), tr("From"), tr("To"))
    return _figure(
        rows, columns, tr("Shares of the hypotheses of each class, with 95 % intervals. Click for the pairs."), marks
    )


def _lengths_figure(report: AuditReport, finding: Finding) -> BarFigure:
    longest = max((row.mean for row in finding.rows), default=0.0) or 1.0
    rows, marks = [], []
    for row in finding.rows:
        name, unit, less, more = _MEASURES[row.measure]
        number, is_more = comparisons(row)
        note = tr(
            "{label}: {name}, mean {mean:.1f} {unit}; {more} in {number} of 100 comparisons with another class.",
            label=capitalized(row.label),
            name=name.lower(),
            mean=row.mean,
            unit=unit,
            more=more if is_more else less,
            number=number,
        )
        mark = PlotMark(note, pairs_behind(report, finding, row), (row.label, row.pairs, f"{row.mean:.1f}", row.value))
        detail = tr("{more} in {number} of 100", more=more if is_more else less, number=number)
        rows.append(
            BarRow(
                row.label, (PlotBar(mark, row.mean, row.label),), longest, detail, f"{row.mean:.1f} {unit}", row.label
            )
        )
        marks.append(mark)
    summary = tr(
        "Mean of each class, and how often a pair has more (or less) than a pair of another class: 50 of 100 is chance."
    )
    return _figure(rows, (tr("Class"), tr("Pairs"), tr("Mean"), "AUC"), summary, marks)


def _neutral_figure(report: AuditReport, finding: Finding) -> BarFigure:
    rows, marks = [], []
    for measure, (title, unit, less, more) in _MEASURES.items():
        own = [row for row in finding.rows if row.measure is measure]
        rows += [BarRow(title)] if own else []
        for row in own:
            number, is_more = comparisons(row)
            name = capitalized(STRATEGIES.get(row.strategy, row.strategy)) if row.strategy else tr("All neutral")
            note = tr(
                "{name}, {pairs}: {more} than linked pairs in {number} of 100 comparisons; mean {mean:.1f} {unit}.",
                name=name,
                pairs=count(row.pairs, "pair"),
                more=more if is_more else less,
                number=number,
                mean=row.mean,
                unit=unit,
            )
            mark = PlotMark(
                note, pairs_behind(report, finding, row), (title, name, row.pairs, f"{row.mean:.1f}", row.value)
            )
            tone = "neutral" if not row.strategy else HALF_TONE
            texts = (tr("{number} of 100", number=number), f"{number}")
            rows.append(BarRow(name, (PlotBar(mark, number, tone, texts),), 100, more if is_more else less))
            marks.append(mark)
    summary = tr(
        "In how many of 100 comparisons a neutral pair differs this way from a linked pair: 50 is chance, 71 is usual "
        "for shared words."
    )
    return _figure(rows, (tr("Measure"), tr("Neutral pairs"), tr("Pairs"), tr("Mean"), "AUC"), summary, marks)


def _words_figure(report: AuditReport, finding: Finding) -> BarFigure:
    rows, marks = [], []
    for label in map(str, Label):
        figures = [figure for figure in finding.words if figure.label == label]
        of_class = [(figure, _word_mark(report, figure)) for figure in figures]
        marks += [mark for _, mark in of_class]
        rows += [BarRow(capitalized(label))] if of_class else []
        for figure, mark in of_class[:_WORDS_SHOWN]:
            share = figure.hits / figure.pairs
            tone = label if figure.gives_away else HALF_TONE
            detail = tr("of {pairs:,}", pairs=figure.pairs) + (
                tr(" · gives the class away") if figure.gives_away else ""
            )
            rows.append(BarRow(figure.word, (PlotBar(mark, share, tone),), 1, detail, share_text(share)))
    summary = tr(
        "Words that are most typical of a class come first (by pointwise mutual information, PMI). “Numbers” lists "
        "ten of each class."
    )
    return _figure(
        rows,
        (tr("Class"), tr("Word"), tr("Hypotheses with the word"), tr("Of the class"), tr("Share"), "PMI"),
        summary,
        marks,
    )


def _word_mark(report: AuditReport, figure: WordFigure) -> PlotMark:
    share = figure.hits / figure.pairs
    note = tr(
        "“{word}” is in {hypotheses}; {hits:,} of them are {label} ({share_text}). PMI {pmi:.2f} bits.",
        word=figure.word,
        hypotheses=count(figure.pairs, "hypothesis", "hypotheses"),
        hits=figure.hits,
        label=figure.label,
        share_text=share_text(share),
        pmi=figure.pmi,
    )
    values = (figure.label, figure.word, figure.pairs, figure.hits, share, f"{figure.pmi:.2f}")
    return PlotMark(note, pairs_with_word(report, figure.word, figure.label), values)


def _model_figure(report: AuditReport, finding: Finding) -> BarFigure:
    accuracy = next(row for row in finding.rows if row.measure is Measure.ACCURACY)
    macro_f1 = next(row for row in finding.rows if row.measure is Measure.MACRO_F1)
    rows, marks = [], []

    def add(name: str, value: float, tone: str, detail: str, note: str, row: AuditRow | None = None) -> None:
        opens = pairs_behind(report, finding, row) if row is not None and row.label else None
        low, high = (row.low, row.high) if row is not None else (value, value)
        mark = PlotMark(note, opens, (name, value, low, high))
        label = row.label if row is not None and row.label and not row.strategy else None
        rows.append(BarRow(name, (PlotBar(mark, value, tone),), 1, detail, f"{points(value)} %", label))
        marks.append(mark)

    score = tr(
        "{value} % of {pairs} guessed correctly, {interval}; macro F1 ",
        value=points(accuracy.value),
        pairs=count(accuracy.pairs, "pair"),
        interval=_interval(accuracy),
    )
    score += f"{points(macro_f1.value)}, {_interval(macro_f1)}."
    add(tr("This data set"), accuracy.value, "accent", _interval(accuracy), score, accuracy)
    if finding.reference is not None:
        note = tr(
            "In mined data sets of other fields with {pairs} it is about {reference} %.",
            pairs=count(finding.pairs, "pair"),
            reference=points(finding.reference),
        )
        add(tr("Other fields, same size"), finding.reference, HALF_TONE, "", note)
    add(
        tr("Chance"),
        finding.chance,
        ABSENT_TONE,
        "",
        tr("The share that blind guessing gets right if all classes have the same size."),
    )
    rows.append(BarRow(tr("By class")))
    for row in finding.rows:
        if row.measure is Measure.RECALL:
            name = capitalized(STRATEGIES.get(row.strategy, row.strategy)) if row.strategy else row.label
            note = tr(
                "{name}: {hits:,} of {pairs} guessed correctly, {interval}.",
                name=capitalized(name),
                hits=row.hits,
                pairs=count(row.pairs, "pair"),
                interval=_interval(row),
            )
            add(name, row.value, row.label if not row.strategy else HALF_TONE, _interval(row), note, row)
    return _figure(rows, (tr("Guessed correctly"), tr("Share"), tr("From"), tr("To")), score, marks)


def _interval(row: AuditRow) -> str:
    return f"{points(row.low)}–{points(row.high)} %"
