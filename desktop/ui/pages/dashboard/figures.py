"""Figures of the dashboard: makes bars of counts of pairs, each with a sentence and the pairs it opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from desktop.jobs.descriptions.drop_reasons import drop_reason_meaning
from desktop.jobs.mining.dropped import DroppedQuery
from desktop.text import count as counted
from desktop.text import percent
from desktop.translation import tr
from desktop.ui.plots.figures import (
    ABSENT_TONE,
    HALF_TONE,
    NO_LABEL_TONE,
    BarFigure,
    BarRow,
    PlotBar,
    PlotMark,
)
from desktop.ui.services.display_names import NO_DOMAIN, NO_LABEL, STRATEGIES, capitalized, drop_reason_name
from desktop.ui.theme import LETTERS
from miner.records import NEUTRAL_STRATEGIES, Funnel, Label, Strategy
from storage.pairs.filters import JUDGED, PairFilter, PairStatus
from storage.pairs.statistics import PairCount

_MAX_REASONS = 6
_MAX_DOMAINS = 8
LABELS = (*(label.value for label in Label), "")


def mark(
    count: int, total: int, names: tuple[str, ...], note: str, opens: PairFilter | DroppedQuery | None = None
) -> PlotMark:
    """A mark for `count` of a total. Its row in the table of numbers ends with the count and the share."""
    return PlotMark(note, opens, (*names, count, count / max(total, 1)))


def funnel_figure(funnel: Funnel, domain: str | None) -> BarFigure:
    """Candidates kept and dropped by strategy, and the most frequent reasons, for linked and neutral pairs."""
    rows, numbers = [], []
    for strategy, count in sorted(funnel.candidates.items(), key=lambda item: list(Strategy).index(item[0])):
        kept_count = funnel.kept.get(strategy, 0)
        dropped_count = count - kept_count
        name, share = capitalized(STRATEGIES[strategy]), kept_count / max(count, 1)
        candidates = counted(count, "candidate")
        kept_note = tr(
            "{name}: {kept_count:,} of {candidates} became pairs ({share}).",
            name=name,
            kept_count=kept_count,
            candidates=candidates,
            share=percent(share),
        )
        dropped_note = tr(
            "{name}: {dropped_count:,} of {candidates} were dropped, for the reasons below.",
            name=name,
            dropped_count=dropped_count,
            candidates=candidates,
        )
        pairs = filter_in_domain(domain, strategies=frozenset((strategy,)))
        kept_mark = mark(kept_count, count, (name, tr("Kept")), kept_note, pairs)
        query = DroppedQuery((strategy,), "", domain, dropped_note)
        dropped_mark = mark(dropped_count, count, (name, tr("Dropped")), dropped_note, query)
        bars = (
            PlotBar(
                kept_mark, kept_count, "accent", (tr("{kept_count:,} kept", kept_count=kept_count), f"{kept_count:,}")
            ),
            PlotBar(
                dropped_mark,
                dropped_count,
                ABSENT_TONE,
                (tr("{dropped_count:,} dropped", dropped_count=dropped_count), f"{dropped_count:,}"),
            ),
        )
        longest = max(funnel.candidates.values())
        rows.append(BarRow(name, tuple(bar for bar in bars if bar.length), longest, f"{count:,}"))
        numbers.append(kept_mark)
        numbers += [bar.mark for bar in _reason_bars(funnel, (strategy,), count, domain)]
    linked = tuple(strategy for strategy in Strategy if strategy not in NEUTRAL_STRATEGIES)
    rows += _reason_rows(funnel, tr("Why linked candidates were dropped"), linked, domain)
    rows += _reason_rows(funnel, tr("Why neutral candidates were dropped"), NEUTRAL_STRATEGIES, domain)
    total, total_kept = sum(funnel.candidates.values()), sum(funnel.kept.values())
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(numbers),
        columns=(tr("Candidates"), tr("Kept, or reason for dropping"), tr("Count"), tr("Share")),
        summary=tr(
            "{candidates} = {total_kept:,} kept + {total:,} dropped.",
            candidates=counted(total, "candidate"),
            total_kept=total_kept,
            total=total - total_kept,
        ),
    )


def _reason_bars(funnel: Funnel, strategies: Sequence[Strategy], total: int, domain: str | None) -> list[PlotBar]:
    """A bar for each reason, the most frequent first."""
    counts: Counter[str] = Counter()
    for drop, count in funnel.dropped.items():
        if drop.strategy in strategies:
            counts[drop.reason] += count
    name = capitalized(STRATEGIES[strategies[0]]) if len(strategies) == 1 else ""
    bars = []
    for reason, count in counts.most_common():
        text = drop_reason_name(reason)
        note = tr(
            "{candidates} dropped: {lower_first}",
            candidates=counted(count, "candidate"),
            lower_first=_lower_first(drop_reason_meaning(reason) or text),
        )
        query = DroppedQuery(tuple(strategies), reason, domain, note)
        bars.append(PlotBar(mark(count, total, (name, text), note, query), count, ABSENT_TONE))
    return bars


def _reason_rows(funnel: Funnel, heading: str, strategies: Sequence[Strategy], domain: str | None) -> list[BarRow]:
    """A heading and a row for each reason; the rarest ones share a row."""
    total = sum(count for strategy, count in funnel.candidates.items() if strategy in strategies)
    bars = _reason_bars(funnel, strategies, total, domain)
    if not bars:
        return []
    frequent, rare = bars[:_MAX_REASONS], bars[_MAX_REASONS:]
    rare_count = round(sum(bar.length for bar in rare))
    longest = max(frequent[0].length, rare_count)
    rows = [BarRow(str(bar.mark.values[1]), (bar,), longest, f"{bar.length:,}") for bar in frequent]
    if rare:
        reasons = counted(len(rare), "other reason")
        note = tr("{rare_count:,} dropped for {reasons}: see the numbers.", rare_count=rare_count, reasons=reasons)
        bar = PlotBar(mark(rare_count, total, ("", tr("Other reasons")), note), rare_count, ABSENT_TONE)
        rows.append(BarRow(reasons, (bar,), longest, f"{rare_count:,}"))
    return [BarRow(heading), *rows]


def classes_figure(counts: Iterable[PairCount], domain: str | None) -> BarFigure:
    """Pairs by class: in all, by domain, and by strategy."""
    counts = _in_domain(counts, domain)
    total = sum(row.pairs for row in counts)
    by_domain = _label_counts_by(counts, lambda row: row.domain)
    by_strategy = _label_counts_by(counts, lambda row: row.strategy)

    def bars(name: str, by_label: Mapping[str, int], **conditions: frozenset[str]) -> tuple[PlotBar, ...]:
        number = sum(by_label.values())
        return tuple(
            _label_bar(
                label,
                by_label[label],
                number,
                name,
                filter_in_domain(domain, labels=frozenset((label,)), **conditions),
            )
            for label in LABELS
            if by_label.get(label)
        )

    all_pairs = sum(by_domain.values(), Counter[str]())
    rows = [BarRow(tr("All pairs"), bars(tr("All pairs"), all_pairs), total, f"{total:,}")]
    if len(by_domain) > 1:
        rows.append(BarRow(tr("By domain")))
        largest_first = sorted(by_domain, key=lambda name: (-by_domain[name].total(), name))
        for domain_name in largest_first[:_MAX_DOMAINS]:
            name, by_label = domain_name or NO_DOMAIN, by_domain[domain_name]
            domain_bars = bars(name, by_label, domains=frozenset((domain_name,)))
            rows.append(BarRow(name, domain_bars, total, f"{by_label.total():,}"))
        if others := largest_first[_MAX_DOMAINS:]:
            name = counted(len(others), "other domain")
            by_label = sum((by_domain[domain_name] for domain_name in others), Counter[str]())
            domain_bars = bars(name, by_label, domains=frozenset(others))
            rows.append(BarRow(name, domain_bars, total, f"{by_label.total():,}"))
    rows.append(BarRow(tr("By the way they were mined")))
    for strategy in Strategy:
        if strategy in by_strategy:
            name, by_label = capitalized(STRATEGIES[strategy]), by_strategy[strategy]
            strategy_bars = bars(name, by_label, strategies=frozenset((strategy,)))
            rows.append(BarRow(name, strategy_bars, total, f"{by_label.total():,}"))
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(_label_numbers(counts, total, domain)),
        columns=(tr("Domain"), tr("How it was mined"), tr("Class"), tr("Pairs"), tr("Share")),
        summary=tr("{pairs} of {domains}.", pairs=counted(total, "pair"), domains=counted(len(by_domain), "domain")),
        axis="count",
    )


def _label_bar(label: str, number: int, total: int, name: str, pairs: PairFilter) -> PlotBar:
    word = label or NO_LABEL
    note = tr(
        "{name}: {number:,} of {pairs} {is_or_are} {label_phrase} ",
        name=name,
        number=number,
        pairs=counted(total, "pair"),
        is_or_are=_is_or_are(number),
        label_phrase=_label_phrase(label),
    )
    note += f"({percent(number / total)})."
    texts = (f"{word} {number:,}", f"{LETTERS[label]} {number:,}", LETTERS[label]) if label else (word,)
    return PlotBar(mark(number, total, (name, word), note, pairs), number, label or NO_LABEL_TONE, texts)


def _label_numbers(counts: Sequence[PairCount], total: int, domain: str | None) -> Iterator[PlotMark]:
    """The table behind the plot: a row for each domain, strategy and class."""
    cells: Counter[tuple[str, Strategy, str]] = Counter()
    for row in counts:
        cells[row.domain, row.strategy, row.label] += row.pairs
    for (name, strategy, label), number in sorted(cells.items(), key=_reading_order):
        pairs = filter_in_domain(
            domain, domains=frozenset((name,)), strategies=frozenset((strategy,)), labels=frozenset((label,))
        )
        names = (name or NO_DOMAIN, capitalized(STRATEGIES[strategy]), label or NO_LABEL)
        note = f"{', '.join(names)}: {counted(number, 'pair')}."
        yield mark(number, total, names, note, pairs)


def _reading_order(cell: tuple[tuple[str, Strategy, str], int]) -> tuple[str, int, int]:
    (domain, strategy, label), _ = cell
    return domain, list(Strategy).index(strategy), LABELS.index(label)


_OUTCOME_TONES = {
    "settled": "accent",
    "accepted": HALF_TONE,
    "discarded": "muted",
    "unsettled": "warning",
    "bad": "bad",
    "open": ABSENT_TONE,
}
_DISCARDED = PairStatus.DISCARDED.value  # among the labels that people say
_OUTCOME_NAMES = {
    "open": tr("not annotated yet"),
    "settled": tr("annotated"),
    "accepted": tr("accepted"),
    "discarded": tr("discarded"),
    "unsettled": tr("no majority"),
    "bad": tr("bad pair"),
}
_OUTCOME_PHRASES = {
    "open": tr("are not annotated yet"),
    "settled": tr("have a label from annotators"),
    "accepted": tr("have an accepted suggestion of a model, and no answer"),
    "discarded": tr("are discarded, because annotators agree on another label than the distant label"),
    "unsettled": tr("have answers without a majority, or “unclear”"),
    "bad": tr("are marked as bad pairs"),
}


def answers_figure(counts: Iterable[PairCount], domain: str | None) -> BarFigure:
    """How many pairs are reviewed, and for each distant label, the labels that people gave."""
    counts = _in_domain(counts, domain)
    total = sum(row.pairs for row in counts)
    statuses = Counter[str]()
    answers: dict[str, Counter[str]] = {}
    for row in counts:
        statuses["accepted" if row.status == "settled" and row.accepted else row.status] += row.pairs
        if row.status in JUDGED and not row.accepted:
            said = _DISCARDED if row.status == PairStatus.DISCARDED else row.gold
            answers.setdefault(row.distant, Counter())[said] += row.pairs
    progress = tuple(
        PlotBar(
            mark(
                statuses[status],
                total,
                (tr("All pairs"), _OUTCOME_NAMES[status]),
                tr(
                    "{number:,} of {pairs} {outcome_phrase} ({share}).",
                    number=statuses[status],
                    pairs=counted(total, "pair"),
                    outcome_phrase=_OUTCOME_PHRASES[status],
                    share=percent(statuses[status] / total),
                ),
                _outcome_filter(domain, status),
            ),
            statuses[status],
            tone,
            (f"{_OUTCOME_NAMES[status]} {statuses[status]:,}", f"{statuses[status]:,}"),
        )
        for status, tone in _OUTCOME_TONES.items()
        if statuses[status]
    )
    reviewed = total - statuses["open"] - statuses["accepted"]
    rows = [BarRow(tr("Annotated"), progress, max(total, 1), percent(reviewed / max(total, 1)))]
    bars = list(progress)
    if answers:
        rows.append(BarRow(tr("Distant label and the annotators’ label")))
    for distant in LABELS:
        if by_gold := answers.get(distant):
            number = by_gold.total()
            answer_bars = [
                _answer_bar(distant, gold, by_gold[gold], number, domain)
                for gold in (*LABELS, _DISCARDED)
                if by_gold[gold]
            ]
            bars += answer_bars
            agreement = (
                tr("{by_gold} of {number:,}", by_gold=percent(by_gold[distant] / number), number=number)
                if distant
                else f"{number:,}"
            )
            rows.append(BarRow(distant or NO_LABEL, tuple(answer_bars), number, agreement, label=distant))
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(bar.mark for bar in bars),
        columns=(tr("Distant label"), tr("Annotators’ label"), tr("Pairs"), tr("Share")),
        summary=tr("{reviewed:,} of {pairs} annotated.", reviewed=reviewed, pairs=counted(total, "pair")),
        axis="percent",
    )


def _outcome_filter(domain: str | None, outcome: str) -> PairFilter:
    if outcome in ("settled", "accepted"):
        return filter_in_domain(domain, statuses=frozenset((PairStatus.SETTLED,)), accepted=outcome == "accepted")
    return filter_in_domain(domain, statuses=frozenset((PairStatus(outcome),)))


def _answer_bar(distant: str, gold: str, number: int, total: int, domain: str | None) -> PlotBar:
    if gold == _DISCARDED:
        answer = tr("annotators agree on another label, so the pair is discarded")
    else:
        answer = (
            tr("annotators say {label_phrase}", label_phrase=_label_phrase(gold))
            if gold
            else tr("annotators have no majority")
        )
    start = tr("the distant label is {distant}", distant=distant) if distant else tr("there is no distant label")
    note = tr(
        "{number:,} of {pairs} where {start}: {answer} ({number_2}).",
        number=number,
        pairs=counted(total, "answered pair"),
        start=start,
        answer=answer,
        number_2=percent(number / total),
    )
    status = {_DISCARDED: PairStatus.DISCARDED, "": PairStatus.UNSETTLED}.get(gold, PairStatus.SETTLED)
    is_label = status is PairStatus.SETTLED
    pairs = filter_in_domain(
        domain,
        distant=frozenset((distant,)),
        gold=frozenset((gold,)) if is_label else frozenset(),
        statuses=frozenset((status,)),
        accepted=False,
    )
    texts = (f"{LETTERS[gold]} {number:,}", LETTERS[gold]) if is_label else ("≠" if gold else "?",)
    names = (distant or NO_LABEL, gold or tr("no majority"))
    tone = gold if is_label else _OUTCOME_TONES[status]
    return PlotBar(mark(number, total, names, note, pairs), number, tone if gold else "unclear", texts)


def filter_in_domain(domain: str | None, **conditions: object) -> PairFilter:
    """A filter with these fields, narrowed to the domain of the dashboard."""
    if domain is not None:
        conditions["domains"] = frozenset((domain,))
    return PairFilter(**conditions)  # type: ignore[arg-type]  # the fields have different types


def _in_domain(counts: Iterable[PairCount], domain: str | None) -> list[PairCount]:
    return [row for row in counts if domain is None or row.domain == domain]


def _label_counts_by(counts: Iterable[PairCount], key: Callable[[PairCount], str]) -> dict[str, Counter[str]]:
    groups: dict[str, Counter[str]] = {}
    for row in counts:
        groups.setdefault(key(row), Counter())[row.label] += row.pairs
    return groups


def _label_phrase(label: str) -> str:
    return label or tr("without a label")


def _is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"


def _lower_first(sentence: str) -> str:
    """The sentence with a small first letter, unless its first word is an acronym."""
    return sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() else sentence
