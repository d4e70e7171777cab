"""The tables of the SciNLI and MSciNLI papers with a project's figures; each figure knows the pairs that it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, NamedTuple, cast

from desktop.jobs.pairs import published_statistics as published
from desktop.jobs.pairs.data_set_statistics import (
    CountedDataSet,
    MeasuredDataSet,
    SplitSource,
)
from desktop.jobs.pairs.published_statistics import PublishedDataSet
from desktop.text import count, listed, percent
from desktop.translation import tr
from miner.dataset_statistics import CompleteSentences, Estimate, GoldAgreement, Proportion, VocabularySimilarity
from miner.records import Label
from miner.splits import SPLITS
from miner.text_tables import TableCell, TextRow, TextTable
from storage.pairs.filters import JUDGED, PairFilter, PairStatus

NO_VALUE = TableCell("–")
_ALL_LABELS = frozenset(map(str, Label))
_WORDS_TIP = tr("Mean number of tokens, punctuation included, as the papers count them.")
_COMPLETE_TIP = tr("Share of sentences whose main clause has a finite verb with a subject.")
_COLUMN_TIPS = (
    _WORDS_TIP,
    _WORDS_TIP,
    _COMPLETE_TIP,
    _COMPLETE_TIP,
    tr("Mean share of the hypothesis' tokens that are also in the premise, ignoring case."),
    tr("Share of annotated pairs whose gold label is the distant label."),
)
_MEASURE_COLUMNS = (
    tr("Premise tokens"),
    tr("Hypothesis tokens"),
    tr("Complete premises"),
    tr("Complete hypotheses"),
    tr("Word overlap"),
    tr("Agreement"),
)


class PaperTable(StrEnum):
    """The tables, by their number in MSciNLI; 3 is SciNLI's."""

    DATA_SET = "3"
    DOMAINS = "2"
    AGREEMENT = "12"
    SIMILARITY = "13"


class SplitPairs(NamedTuple):
    """The pairs that a figure of an export's split opens: all pairs of the split's papers."""

    filter: PairFilter
    split: str


def paper_table(measured: MeasuredDataSet, which: PaperTable) -> TextTable:
    """One of the tables, with the measured figures."""
    match which:
        case PaperTable.DATA_SET:
            return data_set_table(measured.counted, measured.complete)
        case PaperTable.DOMAINS:
            return domain_table(measured.counted, measured.complete)
        case PaperTable.AGREEMENT:
            return agreement_table(measured.counted)
        case _:
            return similarity_table(measured.similarity)


def data_set_table(counted: CountedDataSet, complete: CompleteSentences | None = None) -> TextTable:
    """Table 3 of SciNLI: the whole data set, each of its splits, and published data sets to compare with."""
    statistics = counted.statistics
    rows = [_row(counted, complete, tr("This data set"), None, None, "sum")]
    rows += [
        _row(counted, complete, tr("of which {split}", split=split), None, split, "") for split in statistics.splits
    ]
    rows += [_published_row(one, bool(statistics.splits)) for one in (published.SCINLI, published.MSCINLI)]
    return TextTable(
        tr("Key statistics of the data set"),
        (tr("Data set"), *_pair_columns(counted), *_MEASURE_COLUMNS),
        tuple(rows),
        ("", *_pair_tips(counted), *_COLUMN_TIPS),
        _notes(counted, complete),
    )


def domain_table(counted: CountedDataSet, complete: CompleteSentences | None = None) -> TextTable:
    """Table 2 of MSciNLI: each domain, all of them, and published data sets to compare with."""
    statistics = counted.statistics
    rows = [_row(counted, complete, domain or tr("No domain"), domain, None, "") for domain in statistics.domains]
    rows.append(_row(counted, complete, tr("Overall"), None, None, "sum"))
    others = (published.SCINLI, *published.MSCINLI_DOMAINS, published.MSCINLI)
    rows += [_published_row(one, bool(statistics.splits)) for one in others]
    return TextTable(
        tr("Key statistics by domain"),
        (tr("Domain"), *_pair_columns(counted), *_MEASURE_COLUMNS),
        tuple(rows),
        ("", *_pair_tips(counted), *_COLUMN_TIPS),
        _notes(counted, complete),
    )


def agreement_table(counted: CountedDataSet) -> TextTable:
    """Table 12 of MSciNLI: annotated pairs of each class, and how many have the distant label as gold label."""
    rows = []
    for label, agreement in counted.statistics.agreement().items():
        name = label.capitalize() or tr("Overall")
        distant = frozenset((label,)) if label else _ALL_LABELS
        base = _narrow(counted.filter, distant=distant, accepted=False)
        pairs = count(agreement.annotated, "annotated pair")
        annotated = TableCell(
            f"{agreement.annotated:,}",
            f"{name}: {pairs}.",
            _narrow(base, statuses=JUDGED) if agreement.annotated else None,
        )
        agreeing = _narrow(base, statuses=frozenset((PairStatus.SETTLED,)), disagrees=False)
        other = _narrow(base, statuses=frozenset((PairStatus.SETTLED, PairStatus.DISCARDED)), disagrees=True)
        none = _narrow(base, statuses=frozenset((PairStatus.UNSETTLED,)))
        cells = (
            TableCell(name),
            annotated,
            _agreement_cell(name, agreement, agreeing),
            _interval_cell(agreement.agreement),
            TableCell(
                f"{agreement.other:,}",
                tr("{name}: annotators gave another label.", name=name),
                other if agreement.other else None,
            ),
            TableCell(
                f"{agreement.no_consensus:,}",
                tr("{name}: annotators did not agree.", name=name),
                none if agreement.no_consensus else None,
            ),
            TableCell(
                _points(published.MSCINLI_AGREEMENT[label], 1),
                tr("As published: MSciNLI, Table 12."),
                is_published=True,
            ),
        )
        rows.append(TextRow(cells, "" if label else "sum"))
    return TextTable(
        tr("Gold against distant labels"),
        (
            tr("Class"),
            tr("Annotated"),
            tr("Agreement"),
            tr("95 % interval"),
            tr("Other label"),
            tr("No consensus"),
            "MSciNLI",
        ),
        tuple(rows),
        (
            tr("The distant label."),
            tr("Pairs with enough votes."),
            tr("Of the annotated pairs, those whose gold label is the distant label."),
            tr("95 % confidence interval of the agreement (Wilson)."),
            tr("Pairs whose gold label is another class."),
            tr("Pairs without a gold label."),
            tr("Agreement as published in Table 12 of MSciNLI."),
        ),
        (tr("Of pairs that enough annotators answered; accepted suggestions and bad pairs do not count."),),
    )


def similarity_table(similarity: VocabularySimilarity | None) -> TextTable:
    """Table 13 of MSciNLI: the cosine of every two domains' vocabularies, below the diagonal."""
    title = tr("Cosine similarity of the domains' vocabularies")
    if similarity is None:
        return TextTable(title, (tr("Domain"),), ())
    names = [domain or tr("No domain") for domain in similarity.domains]
    rows = [
        TextRow(
            (
                TableCell(name),
                *(
                    TableCell(f"{similarity.cosines[row][column]:.2f}" if column <= row else "")
                    for column in range(len(names))
                ),
            )
        )
        for row, name in enumerate(names)
    ]
    return TextTable(title, (tr("Domain"), *names), tuple(rows), notes=similarity_notes(similarity))


def similarity_notes(similarity: VocabularySimilarity) -> tuple[str, ...]:
    """Sentences on the pairs that the vocabularies were taken from, and on the published figures."""
    pairs = count(sum(similarity.pairs), f"{similarity.split} pair" if similarity.split else "pair")
    tokenizer = tr("the starter model's tokenizer") if similarity.tokenizer == "starter" else similarity.tokenizer
    low, high = published.MSCINLI_SIMILARITIES
    return (
        tr(
            "Token frequencies of {pairs} ({tokens}) under {tokenizer}.",
            pairs=pairs,
            tokens=count(sum(similarity.tokens), "token"),
            tokenizer=tokenizer,
        ),
        tr("MSciNLI, under RoBERTa's tokenizer: {low} to {high} between two domains.", low=low, high=high),
    )


# Rows


def _pair_columns(counted: CountedDataSet) -> tuple[str, ...]:
    return tuple(split.capitalize() for split in SPLITS) if counted.statistics.splits else (tr("Pairs"),)


def _pair_tips(counted: CountedDataSet) -> tuple[str, ...]:
    if not counted.statistics.splits:
        return (tr("Pairs of the data set."),)
    return tuple(tr("Pairs of the {split} split.", split=split) for split in SPLITS)


def _row(
    counted: CountedDataSet,
    complete: CompleteSentences | None,
    name: str,
    domain: str | None,
    split: str | None,
    kind: str,
) -> TextRow:
    statistics = counted.statistics
    cells = [TableCell(name, name)]
    for each in SPLITS if statistics.splits else (None,):
        if split is not None and each != split:
            cells.append(TableCell(""))
        else:
            cells.append(_pairs_cell(counted, name, domain, each))
    means = statistics.means(domain, split)
    if means is None:
        return TextRow((*cells, *[NO_VALUE] * len(_MEASURE_COLUMNS)), kind)
    pairs, opens = statistics.count(domain, split), _pairs_target(counted, domain, split)
    sides = tuple(zip(("premise", "hypothesis"), means[:2], strict=True))
    cells += [_mean_cell(name, side, mean, pairs, opens) for side, mean in sides]
    if complete is None:
        cells += [TableCell("–", tr("Not measured yet: press “Measure sentences”."))] * 2
    else:
        shares = zip(("premises", "hypotheses"), complete.of(domain, split), strict=True)
        cells += [_complete_cell(name, side, share, opens, is_parsed=complete.is_parser) for side, share in shares]
    overlap = _points(100 * means[2].mean, 2)
    note = tr(
        "{name}: {overlap} of the hypothesis' tokens are in the premise{error}.",
        name=name,
        overlap=overlap,
        error=_error(means[2], 100),
    )
    cells.append(TableCell(overlap, note, opens))
    agreement = statistics.agreement(domain, split)[""]
    cells.append(_agreement_cell(name, agreement, _annotated_target(opens)))
    return TextRow(tuple(cells), kind)


def _pairs_cell(counted: CountedDataSet, name: str, domain: str | None, split: str | None) -> TableCell:
    number = counted.statistics.count(domain, split)
    labels = [
        f"{counted.statistics.count(domain, split, label):,} {label}"
        for label in Label
        if counted.statistics.count(domain, split, label)
    ]
    what = tr("{split} pair", split=split) if split else "pair"
    note = f"{name}: {count(number, what)}{f', {listed(labels)}' if labels else ''}."
    return TableCell(f"{number:,}", note, _pairs_target(counted, domain, split) if number else None)


def _pairs_target(counted: CountedDataSet, domain: str | None, split: str | None) -> object:
    filter = _part_filter(counted, domain)
    if split is None or filter is None:
        return filter
    if counted.source is SplitSource.IMPORT:
        return _narrow(filter, splits=frozenset((split,)))
    return SplitPairs(filter, split)


def _annotated_target(target: object) -> object:
    """The target that opens only the annotated pairs of this one."""
    if isinstance(target, SplitPairs):
        filter = _annotated_target(target.filter)
        return SplitPairs(filter, target.split) if isinstance(filter, PairFilter) else None
    return _narrow(cast("PairFilter | None", target), statuses=JUDGED, accepted=False, distant=_ALL_LABELS)


def _part_filter(counted: CountedDataSet, domain: str | None) -> PairFilter | None:
    return counted.filter if domain is None else _narrow(counted.filter, domains=frozenset((domain,)))


def _narrow(filter: PairFilter | None, **changes: Any) -> PairFilter | None:
    """The filter with more conditions; None if they contradict those it has."""
    if filter is None:
        return None
    for field, value in changes.items():
        old = getattr(filter, field)
        if isinstance(value, frozenset):
            value = value & old if old else value
            if not value:
                return None
        elif old is not None and old != value:
            return None
        filter = replace(filter, **{field: value})
    return filter


def _published_row(data_set: PublishedDataSet, in_splits: bool) -> TextRow:
    note = tr("{name} as published: MSciNLI, Table 2.", name=data_set.name)
    numbers = (data_set.train, data_set.dev, data_set.test)
    texts = [f"{number:,}" for number in numbers] if in_splits else [f"{sum(numbers):,}"]
    texts += [f"{data_set.premise_words:.2f}", f"{data_set.hypothesis_words:.2f}"]
    texts += [_points(data_set.complete_premises, 1), _points(data_set.complete_hypotheses, 1)]
    texts += [_points(data_set.overlap, 2), _points(data_set.agreement, 1)]
    cells = (TableCell(text, note, is_published=True) for text in (data_set.name, *texts))
    return TextRow(tuple(cells), "published")


# Cells


def _mean_cell(name: str, side: str, mean: Estimate, pairs: int, opens: object) -> TableCell:
    note = tr(
        "{name}: {mean:.2f} tokens a {side}{error}, {pairs}.",
        name=name,
        mean=mean.mean,
        side=side,
        error=_error(mean),
        pairs=count(pairs, "pair"),
    )
    return TableCell(f"{mean.mean:.2f}", note, opens)


def _error(mean: Estimate, scale: float = 1) -> str:
    return tr(" (standard error {scale:.2f}: measured on a sample)", scale=scale * mean.error) if mean.error else ""


def _complete_cell(name: str, side: str, share: Proportion, opens: object, *, is_parsed: bool) -> TableCell:
    if share.share is None:
        return NO_VALUE
    low, high = share.interval
    how = tr("by their parse") if is_parsed else tr("by rules, no parser is installed")
    note = tr(
        "{name}: {successes:,} of {trials:,} {side} are complete sentences {how}; 95 % interval for "
        "all: {low:.1f} to {high:.1f} %.",
        name=name,
        successes=share.successes,
        trials=share.trials,
        side=side,
        how=how,
        low=100 * low,
        high=100 * high,
    )
    return TableCell(_points(100 * share.share, 1), note, opens)


def _agreement_cell(name: str, agreement: GoldAgreement, opens: object) -> TableCell:
    share = agreement.agreement.share
    if share is None:
        return TableCell("–", tr("{name}: nobody has annotated any of these pairs.", name=name))
    note = tr(
        "{name}: the gold label is the distant label of {agreeing:,} of {pairs} ({share}); "
        "{no_consensus:,} without consensus.",
        name=name,
        agreeing=agreement.agreeing,
        pairs=count(agreement.annotated, "annotated pair"),
        share=percent(share),
        no_consensus=agreement.no_consensus,
    )
    return TableCell(_points(100 * share, 1), note, opens)


def _interval_cell(share: Proportion) -> TableCell:
    if not share.trials:
        return NO_VALUE
    low, high = share.interval
    return TableCell(
        f"{100 * low:.1f}–{100 * high:.1f}",
        tr("Wilson interval of {successes:,} of {trials:,}.", successes=share.successes, trials=share.trials),
    )


def _points(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f} %"


def _notes(counted: CountedDataSet, complete: CompleteSentences | None) -> tuple[str, ...]:
    statistics = counted.statistics
    notes: Sequence[str] = ()
    match counted.source:
        case SplitSource.PROJECT:
            notes = (tr("Splits: those of the project's papers, as a release would have them now."),)
        case SplitSource.EXPORT:
            notes = (tr("Splits: those of the last export in splits."),)
        case SplitSource.IMPORT:
            notes = (tr("Splits: those that the pairs were imported with."),)
    total, measured = statistics.count(), statistics.measured_pairs
    if measured < total:
        notes = (
            *notes,
            tr(
                "Words and overlap: measured on {measured:,} of {pairs}, drawn at random.",
                measured=measured,
                pairs=count(total, "pair"),
            ),
        )
    if complete is not None:
        how = (
            tr("parsed by {parser}", parser=complete.parser)
            if complete.is_parser
            else tr("judged by {parser} (no parser is installed)", parser=complete.parser)
        )
        sizes = count(complete.size, "pair")
        notes = (
            *notes,
            tr("Complete sentences: {how}, a random sample of at most {sizes} for each figure.", how=how, sizes=sizes),
        )
    return tuple(notes)
