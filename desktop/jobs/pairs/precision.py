"""How precise the distant labels are, as tables and sentences for the window and the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from desktop.jobs.transactions import read_job
from desktop.text import count, listed, percent
from desktop.translation import tr
from miner.precision.estimates import MIN_ANSWERS, PrecisionEstimate
from miner.precision.report import PrecisionReport, PrecisionScope, PredictionUse
from miner.records import Label
from miner.text_tables import TableCell, TextRow, TextTable
from storage.pairs.filters import PairFilter
from storage.stores import Stores

NARROW, WIDE = 0.03, 0.05  # half widths of an interval that people may want
_NO_VALUE = TableCell("–")


class LoadedPrecision(NamedTuple):
    """What is known of the precision of labels. report: None before a sample was drawn."""

    report: PrecisionReport | None
    has_pairs: bool


@read_job("Measuring precision")
def measure_precision(stores: Stores) -> LoadedPrecision:
    """How precise the distant labels are, by the answers to the sample."""
    report = stores.precision_samples.measure()
    return LoadedPrecision(report, report is not None or stores.pairs.count() > 0)


def precision_tables(report: PrecisionReport) -> tuple[TextTable, ...]:
    """The tables by class, by domain if there are several, and by phrase if there are any."""
    tables = [class_table(report)]
    if len({scope.domain for scope in report.estimates} - {None}) > 1:
        tables.append(domain_table(report))
    if any(scope.phrase for scope in report.estimates):
        tables.append(phrase_table(report))
    return tuple(tables)


def class_table(report: PrecisionReport) -> TextTable:
    """A row for each class, and one for all of them."""
    rows = [
        TextRow((TableCell(_label_name(scope.label)), *_cells(report, scope)), "" if scope.label else "sum")
        for scope in (*_scopes(report, "label"), PrecisionScope())
    ]
    return TextTable(tr("Precision of the distant labels"), (tr("Class"), *_columns()), tuple(rows), ("", *_tips()))


def phrase_table(report: PrecisionReport) -> TextTable:
    """A row for each phrase and class, those with the most pairs first."""
    rows = [
        TextRow((TableCell(scope.phrase or ""), TableCell(_label_name(scope.label)), *_cells(report, scope)))
        for scope in report.estimates
        if scope.phrase
    ]
    title = tr("Precision of the distant labels by phrase")
    return TextTable(title, (tr("Phrase"), tr("Class"), *_columns()), tuple(rows), ("", "", *_tips()))


def domain_table(report: PrecisionReport) -> TextTable:
    """A row for each domain, with a column for each class; and one for all domains."""
    labels = [scope.label for scope in _scopes(report, "label")]
    rows = [
        TextRow((TableCell(scope.domain or tr("No domain")), *_by_class(report, scope, labels)))
        for scope in _scopes(report, "domain")
    ]
    rows.append(TextRow((TableCell(tr("Overall")), *_by_class(report, PrecisionScope(), labels)), "sum"))
    return TextTable(
        tr("Precision of the distant labels by domain"),
        (tr("Domain"), tr("All classes"), *map(_label_name, labels)),
        tuple(rows),
        notes=(tr("Right labels, with the 95 % interval. “–”: fewer than {least} answers.", least=MIN_ANSWERS),),
    )


def precision_sentences(report: PrecisionReport) -> tuple[str, ...]:
    """What the estimates say and do not say, and what would make them better; what matters most comes first."""
    return tuple(_sentences(report))


def _sentences(report: PrecisionReport) -> Iterator[str]:
    overall = report.overall
    if overall.share is None or overall.interval is None:
        yield tr(
            "Too few answers: {answers} of the sample, and an estimate needs {least}.",
            answers=count(overall.answers, "answer"),
            least=MIN_ANSWERS,
        )
    elif overall.is_complete:
        yield tr(
            "{share} of the distant labels are right: all {pairs} are answered.",
            share=percent(overall.share),
            pairs=count(overall.pairs, "pair"),
        )
    else:
        yield tr(
            "{share} of the distant labels are right (95 % interval: {interval}), by {answers} that stand for {pairs}.",
            share=percent(overall.share),
            interval=interval_text(overall),
            answers=count(overall.answers, "answer"),
            pairs=count(overall.pairs, "pair"),
        )
    if report.domains:
        domains = listed([domain or tr("no domain") for domain in report.domains])
        yield tr("The sample has been drawn from these domains alone: {domains}.", domains=domains)
    if report.behind:
        yield tr(
            "{answers} not count yet, because a pair that comes before them waits for an answer. Answer the pairs "
            "that were skipped.",
            answers=count(report.behind, "more answer does", "more answers do"),
        )
    if report.added:
        yield tr(
            "{pairs} came, or came back, after the sample was drawn, and are taken to be like the others. Answer more "
            "pairs to draw from them too.",
            pairs=count(report.added, "pair"),
        )
    if not overall.is_complete:
        yield from _model_sentences(report)
    if overall.share is not None:
        if not overall.is_complete:
            yield tr("The interval covers chance in the choice of pairs. It does not cover wrong answers.")
        yield agreement_sentence(report)


def _model_sentences(report: PrecisionReport) -> Iterator[str]:
    match report.use:
        case PredictionUse.MISSING:
            yield tr(
                "There are no suggestions of a model that has not learned these labels. With them, fewer answers do: "
                "have the starter model suggest labels."
            )
        case PredictionUse.LEARNED:
            yield tr(
                "The suggestions do not help here, because {model} has learned answers of the sample. Have the starter "
                "model suggest labels.",
                model=report.model,
            )
        case PredictionUse.USED if report.overall.share is not None:
            if report.overall.effective <= report.overall.answers:
                yield tr("The suggestions of {model} have saved no answers so far.", model=report.model)
                return
            yield tr(
                "With the suggestions of {model} for the other pairs, these {answers} tell as much as {effective} to "
                "pairs drawn at random.",
                model=report.model,
                answers=count(report.overall.answers, "answer"),
                effective=count(round(report.overall.effective), "answer"),
            )


def agreement_sentence(report: PrecisionReport) -> str:
    """How far people agree in their answers, on which the estimates rest."""
    if not report.repeated:
        return tr("No pair has answers of several people, so that nothing is known of wrong answers.")
    return tr(
        "Of {pairs} that several people answered, {unanimous:,} ({share}) have the same answers.",
        pairs=count(report.repeated, "pair"),
        unanimous=report.unanimous,
        share=percent(report.unanimous / report.repeated),
    )


def interval_text(estimate: PrecisionEstimate) -> str:
    """The interval in percent; "" without any, "exact" where all pairs are answered."""
    if estimate.interval is None:
        return ""
    if estimate.is_complete:
        return tr("exact")
    low, high = estimate.interval
    return f"{100 * low:.0f}–{100 * high:.0f} %"


def more_text(estimate: PrecisionEstimate, reach: float) -> str:
    """How many more answers make the interval so narrow, as a number; "–" if it is not known."""
    more = estimate.more_answers(reach)
    return "–" if more is None else f"{more:,}"


def _columns() -> tuple[str, ...]:
    return tr("Pairs"), tr("Answers"), tr("Right"), tr("95 % interval"), tr("More for ±3"), tr("More for ±5")


def _tips() -> tuple[str, ...]:
    return (
        tr("Pairs with a distant label."),
        tr("Answers to the sample that count."),
        tr("Estimated share of distant labels that are right."),
        tr("95 % confidence interval of this share."),
        tr("How many more answers to such pairs make the interval reach 3 points to each side."),
        tr("How many more answers to such pairs make the interval reach 5 points to each side."),
    )


def _cells(report: PrecisionReport, scope: PrecisionScope) -> tuple[TableCell, ...]:
    estimate, opens = report.estimates[scope], _filter(report, scope)
    pairs = TableCell(f"{estimate.pairs:,}", count(estimate.pairs, "pair") + ".", opens)
    answers = TableCell(f"{estimate.answers:,}")
    if estimate.share is None:
        few = TableCell("–", tr("Too few answers: an estimate needs {least}.", least=MIN_ANSWERS))
        return pairs, answers, few, few, _NO_VALUE, _NO_VALUE
    note = _note(estimate)
    return (
        pairs,
        answers,
        TableCell(percent(estimate.share), note, opens),
        TableCell(interval_text(estimate), note),
        TableCell(more_text(estimate, NARROW), note),
        TableCell(more_text(estimate, WIDE), note),
    )


def _note(estimate: PrecisionEstimate) -> str:
    if estimate.is_complete:
        return tr(
            "All {pairs} are answered, {right:,} for the distant label.",
            pairs=count(estimate.pairs, "pair"),
            right=estimate.right,
        )
    return tr(
        "{answers}, {right:,} for the distant label, tell as much as {effective} to pairs drawn at random.",
        answers=count(estimate.answers, "answer"),
        right=estimate.right,
        effective=count(round(estimate.effective), "answer"),
    )


def _by_class(report: PrecisionReport, scope: PrecisionScope, labels: list[Label | None]) -> Iterator[TableCell]:
    for label in (None, *labels):
        of_class = scope._replace(label=label)
        estimate = report.estimates.get(of_class)
        if estimate is None or estimate.share is None:
            answers = 0 if estimate is None else estimate.answers
            yield TableCell("–", tr("Too few answers: {answers:,} of {least}.", answers=answers, least=MIN_ANSWERS))
        else:
            interval = "" if estimate.is_complete else f" [{interval_text(estimate).removesuffix(' %')}]"
            text = f"{percent(estimate.share)}{interval}"
            yield TableCell(text, _note(estimate), _filter(report, of_class))


def _scopes(report: PrecisionReport, field: str) -> list[PrecisionScope]:
    """The scopes that ask for this alone, in order."""
    default = PrecisionScope()
    return [
        scope
        for scope in report.estimates
        if scope != default and scope == default._replace(**{field: getattr(scope, field)})
    ]


def _filter(report: PrecisionReport, scope: PrecisionScope) -> PairFilter:
    """The pairs that an estimate is about."""
    domains = frozenset(report.domains) if scope.domain is None else frozenset((scope.domain,))
    labels = Label if scope.label is None else (scope.label,)
    phrases = frozenset[str]() if scope.phrase is None else frozenset((scope.phrase,))
    return PairFilter(distant=frozenset(map(str, labels)), domains=domains, phrases=phrases)


def _label_name(label: Label | None) -> str:
    return tr("Overall") if label is None else label.capitalize()
