"""From counts to figures: which bars there are, what is said of them, and which pairs they open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from desktop.jobs.pairs.statistics import DROP_REASONS
from desktop.text import count as counted
from desktop.text import listed, percent
from desktop.ui.plots.colors import ABSENT, HALF, NO_LABEL_TONE
from desktop.ui.plots.figures import BarFigure, BarRow, Histogram, HistogramFigure, HistogramRow, PlotBar, PlotMark
from desktop.ui.services.display_names import NO_DOMAIN, NO_LABEL, STRATEGIES, capital, dropped
from desktop.ui.theme import LETTERS
from miner.records import NEUTRAL_STRATEGIES, Funnel, Label, Strategy
from miner.statistics import Bins
from storage.pairs.filters import PairFilter, PairStatus, Range
from storage.pairs.statistics import PERCENT, WORDS, ClassMeasures, PairCount

_REASONS_SHOWN = 6
_DOMAINS_SHOWN = 8
_CLASSES = (*(label.value for label in Label), "")


class DroppedCandidates(NamedTuple):
    """Candidates that became no pairs: their strategies, why ("" for any reason), and the sentence said of them."""

    strategies: tuple[Strategy, ...]
    reason: str
    note: str


def _mark(
    count: int, whole: int, names: tuple[str, ...], note: str, opens: PairFilter | DroppedCandidates | None = None
) -> PlotMark:
    """`count` things of a whole; its row in the table ends with the count and the share."""
    return PlotMark(note, opens, (*names, count, count / max(whole, 1)))


def funnel_figure(funnel: Funnel, domain: str | None) -> BarFigure:
    """Candidates = kept + dropped, by strategy; and the most frequent reasons, linked and drawn apart."""
    rows, numbers = [], []
    for strategy, count in sorted(funnel.candidates.items(), key=lambda item: list(Strategy).index(item[0])):
        kept = funnel.kept.get(strategy, 0)
        lost = count - kept
        name = capital(STRATEGIES[strategy])
        asked = _within(domain, strategies=frozenset((strategy,)))
        became = f"{name}: {kept:,} of {counted(count, 'candidate')} became pairs ({percent(kept / max(count, 1))})."
        became_none = f"{name}: {lost:,} of {counted(count, 'candidate')} were dropped, for the reasons below."
        mark = _mark(kept, count, (name, "Kept"), became, asked)
        behind = DroppedCandidates((strategy,), "", became_none)
        bars = (
            PlotBar(mark, kept, "accent", (f"{kept:,} kept", f"{kept:,}")),
            PlotBar(
                _mark(lost, count, (name, "Dropped"), became_none, behind),
                lost,
                ABSENT,
                (f"{lost:,} dropped", f"{lost:,}"),
            ),
        )
        most = max(funnel.candidates.values())
        rows.append(BarRow(name, tuple(bar for bar in bars if bar.length), most, f"{count:,}"))
        numbers.append(mark)
        numbers += [reason.mark for reason in _dropped(funnel, (strategy,), count)]
    linked = tuple(strategy for strategy in Strategy if strategy not in NEUTRAL_STRATEGIES)
    rows += _reason_rows(funnel, "Why linked candidates were dropped", linked)
    rows += _reason_rows(funnel, "Why draws for neutral pairs were dropped", NEUTRAL_STRATEGIES)
    candidates, kept = sum(funnel.candidates.values()), sum(funnel.kept.values())
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(numbers),
        columns=("Candidates", "Kept, or dropped because", "Count", "Share"),
        summary=f"{counted(candidates, 'candidate')} = {kept:,} kept + {candidates - kept:,} dropped.",
    )


def _dropped(funnel: Funnel, strategies: Sequence[Strategy], whole: int) -> list[PlotBar]:
    """A bar for each reason, the most frequent first."""
    counts: Counter[str] = Counter()
    for drop, number in funnel.dropped.items():
        if drop.strategy in strategies:
            counts[drop.reason] += number
    name = capital(STRATEGIES[strategies[0]]) if len(strategies) == 1 else ""
    bars = []
    for reason, number in counts.most_common():
        note = f"{counted(number, 'candidate')} dropped: {_lower(DROP_REASONS.get(reason, dropped(reason)))}"
        behind = DroppedCandidates(tuple(strategies), reason, note)
        bars.append(PlotBar(_mark(number, whole, (name, dropped(reason)), note, behind), number, ABSENT))
    return bars


def _reason_rows(funnel: Funnel, heading: str, strategies: Sequence[Strategy]) -> list[BarRow]:
    whole = sum(count for strategy, count in funnel.candidates.items() if strategy in strategies)
    bars = _dropped(funnel, strategies, whole)
    if not bars:
        return []
    shown, rest = bars[:_REASONS_SHOWN], bars[_REASONS_SHOWN:]
    others = round(sum(bar.length for bar in rest))
    longest = max(shown[0].length, others)
    rows = [BarRow(str(bar.mark.values[1]), (bar,), longest, f"{bar.length:,}") for bar in shown]
    if rest:
        note = f"{others:,} dropped for {counted(len(rest), 'other reason')}: see the numbers."
        other = PlotBar(_mark(others, whole, ("", "Other reasons"), note), others, ABSENT)
        rows.append(BarRow(counted(len(rest), "other reason"), (other,), longest, f"{others:,}"))
    return [BarRow(heading), *rows]


def classes_figure(counts: Iterable[PairCount], domain: str | None) -> BarFigure:
    """Pairs by class: all together, by domain, and by how they came to be."""
    counts = _of_domain(counts, domain)
    total = sum(row.pairs for row in counts)
    by_domain = _grouped(counts, lambda row: row.domain)
    by_strategy = _grouped(counts, lambda row: row.strategy)

    def bars(of: Mapping[str, int], who: str, whole: int, **asked: frozenset[str]) -> tuple[PlotBar, ...]:
        return tuple(
            _class_bar(label, of[label], whole, (who,), _within(domain, labels=frozenset((label,)), **asked))
            for label in _CLASSES
            if of.get(label)
        )

    everything = Counter[str]()
    for of in by_domain.values():
        everything.update(of)
    rows = [BarRow("All pairs", bars(everything, "All pairs", total), total, f"{total:,}")]
    if len(by_domain) > 1:
        rows.append(BarRow("By domain"))
        order = sorted(by_domain, key=lambda name: (-sum(by_domain[name].values()), name))
        for name in order[:_DOMAINS_SHOWN]:
            number = sum(by_domain[name].values())
            found = bars(by_domain[name], name or NO_DOMAIN, number, domains=frozenset((name,)))
            rows.append(BarRow(name or NO_DOMAIN, found, total, f"{number:,}"))
        if rest := order[_DOMAINS_SHOWN:]:
            others = Counter[str]()
            for name in rest:
                others.update(by_domain[name])
            name = counted(len(rest), "other domain")
            rows.append(
                BarRow(name, bars(others, name, others.total(), domains=frozenset(rest)), total, f"{others.total():,}")
            )
    rows.append(BarRow("By how they came to be"))
    for strategy in Strategy:
        if strategy in by_strategy:
            of = by_strategy[strategy]
            name, number = capital(STRATEGIES[strategy]), sum(of.values())
            rows.append(BarRow(name, bars(of, name, number, strategies=frozenset((strategy,))), total, f"{number:,}"))
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(_class_numbers(counts, total, domain)),
        columns=("Domain", "How", "Class", "Pairs", "Share"),
        summary=f"{counted(total, 'pair')} of {counted(len(by_domain), 'domain')}.",
        axis="count",
    )


def _class_bar(label: str, number: int, whole: int, names: tuple[str, ...], asked: PairFilter) -> PlotBar:
    word = label or NO_LABEL
    note = f"{names[0]}: {number:,} of {counted(whole, 'pair')} {_are(number)} {_class_words(label)} "
    note += f"({percent(number / whole)})."
    texts = (f"{word} {number:,}", f"{LETTERS[label]} {number:,}", LETTERS[label]) if label else (word,)
    return PlotBar(_mark(number, whole, (*names, word), note, asked), number, label or NO_LABEL_TONE, texts)


def _class_numbers(counts: Sequence[PairCount], total: int, domain: str | None) -> Iterator[PlotMark]:
    """Class by strategy by domain."""
    cells: Counter[tuple[str, Strategy, str]] = Counter()
    for row in counts:
        cells[row.domain, row.strategy, row.label] += row.pairs
    for (name, strategy, label), number in sorted(cells.items(), key=_reading_order):
        asked = _within(
            domain, domains=frozenset((name,)), strategies=frozenset((strategy,)), labels=frozenset((label,))
        )
        names = (name or NO_DOMAIN, capital(STRATEGIES[strategy]), label or NO_LABEL)
        note = f"{', '.join(names)}: {counted(number, 'pair')}."
        yield _mark(number, total, names, note, asked)


def _reading_order(cell: tuple[tuple[str, Strategy, str], int]) -> tuple[str, int, int]:
    (domain, strategy, label), _ = cell
    return domain, list(Strategy).index(strategy), _CLASSES.index(label)


_OUTCOME_TONES = {"settled": "accent", "accepted": HALF, "unsettled": "warning", "bad": "bad", "open": ABSENT}
_OUTCOMES = {
    "open": "not answered",
    "settled": "settled",
    "accepted": "accepted",
    "unsettled": "no majority",
    "bad": "bad pair",
}
_MEANT = {
    "open": "wait for an answer",
    "settled": "have a label by people",
    "accepted": "have a suggestion of the model that was accepted, and no answer",
    "unsettled": "have answers without a majority, or “unclear”",
    "bad": "are taken out as bad pairs",
}


def people_figure(counts: Iterable[PairCount], domain: str | None) -> BarFigure:
    """How far the review has come, and what people's labels are where the distant ones were."""
    counts = _of_domain(counts, domain)
    total = sum(row.pairs for row in counts)
    statuses = Counter[str]()
    flow: dict[str, Counter[str]] = {}
    for row in counts:
        statuses["accepted" if row.status == "settled" and row.accepted else row.status] += row.pairs
        if row.status in ("settled", "unsettled") and not row.accepted:
            flow.setdefault(row.distant, Counter())[row.gold] += row.pairs
    progress = tuple(
        PlotBar(
            _mark(
                statuses[status],
                total,
                ("All pairs", _OUTCOMES[status]),
                f"{statuses[status]:,} of {counted(total, 'pair')} {_MEANT[status]} "
                f"({percent(statuses[status] / total)}).",
                _of_outcome(domain, status),
            ),
            statuses[status],
            tone,
            (f"{_OUTCOMES[status]} {statuses[status]:,}", f"{statuses[status]:,}"),
        )
        for status, tone in _OUTCOME_TONES.items()
        if statuses[status]
    )
    done = total - statuses["open"] - statuses["accepted"]
    rows = [BarRow("Reviewed", progress, max(total, 1), percent(done / max(total, 1)))]
    bars = list(progress)
    if flow:
        rows.append(BarRow("Distant label, and what people say"))
    for distant in _CLASSES:
        if of := flow.get(distant):
            said = [_flow_bar(distant, gold, of[gold], of.total(), domain) for gold in _CLASSES if of[gold]]
            bars += said
            agree = f"{percent(of[distant] / of.total())} of {of.total():,}" if distant else f"{of.total():,}"
            rows.append(BarRow(distant or NO_LABEL, tuple(said), of.total(), agree, label=distant))
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(bar.mark for bar in bars),
        columns=("Distant label", "People say", "Pairs", "Share"),
        summary=f"{done:,} of {counted(total, 'pair')} reviewed.",
        axis="percent",
    )


def _of_outcome(domain: str | None, outcome: str) -> PairFilter:
    if outcome in ("settled", "accepted"):
        return _within(domain, statuses=frozenset((PairStatus.SETTLED,)), accepted=outcome == "accepted")
    return _within(domain, statuses=frozenset((PairStatus(outcome),)))


def _flow_bar(distant: str, gold: str, number: int, whole: int, domain: str | None) -> PlotBar:
    said = f"people say {_class_words(gold)}" if gold else "people are undecided"
    start = f"the phrase or draw says {distant}" if distant else "there is no distant label"
    note = f"{number:,} of {counted(whole, 'answered pair')} where {start}: {said} ({percent(number / whole)})."
    asked = _within(
        domain,
        distant=frozenset((distant,)),
        gold=frozenset((gold,)) if gold else frozenset(),
        statuses=frozenset((PairStatus.SETTLED if gold else PairStatus.UNSETTLED,)),
        accepted=False,
    )
    texts = (f"{LETTERS[gold]} {number:,}", LETTERS[gold]) if gold else ("?",)
    names = (distant or NO_LABEL, gold or "no majority")
    return PlotBar(_mark(number, whole, names, note, asked), number, gold or "unclear", texts)


def lengths_figure(measures: Mapping[str, ClassMeasures], domain: str | None) -> HistogramFigure:
    """Words of premise and of hypothesis, by class."""

    def histogram(title: str, field: str, values: Callable[[ClassMeasures], tuple[Sequence[int], float]]) -> Histogram:
        return _histogram(title, "words", WORDS, measures, domain, values, field)

    histograms = (
        histogram("Premise", "premise_words", lambda of: (of.premise, of.mean_premise)),
        histogram("Hypothesis", "hypothesis_words", lambda of: (of.hypothesis, of.mean_hypothesis)),
    )
    means = [
        f"{name} {sum(mean(of) * of.pairs for of in measures.values()) / sum(of.pairs for of in measures.values()):.1f}"
        for name, mean in (("premise", _mean_premise), ("hypothesis", _mean_hypothesis))
        if measures
    ]
    summary = f"Words on average: {listed(means)}. Classes should look alike, or a model can guess by length."
    return _with_numbers(histograms, ("Sentence", "Class", "Words", "Pairs", "Share"), summary)


def overlap_figure(measures: Mapping[str, ClassMeasures], domain: str | None) -> HistogramFigure:
    """Share of the hypothesis' words that the premise has too, by class."""
    shared = _histogram("", "%", PERCENT, measures, domain, lambda of: (of.overlap, of.mean_overlap), "overlap")
    whole = sum(of.pairs for of in measures.values())
    mean = sum(of.mean_overlap * of.pairs for of in measures.values()) / max(whole, 1)
    summary = f"On average the premise has {mean:.0f} % of the hypothesis' words too."
    return _with_numbers((shared,), ("Class", "Shared", "Pairs", "Share"), summary)


def _with_numbers(histograms: tuple[Histogram, ...], columns: tuple[str, ...], summary: str) -> HistogramFigure:
    """A figure of which the table has a row for each bar."""
    figure = HistogramFigure(histograms=histograms, columns=columns, summary=summary)
    return replace(figure, numbers=tuple(figure.marks()))


def _mean_premise(of: ClassMeasures) -> float:
    return of.mean_premise


def _mean_hypothesis(of: ClassMeasures) -> float:
    return of.mean_hypothesis


def _histogram(
    title: str,
    unit: str,
    bins: Bins,
    measures: Mapping[str, ClassMeasures],
    domain: str | None,
    values: Callable[[ClassMeasures], tuple[Sequence[int], float]],
    field: str,
) -> Histogram:
    rows = []
    for label in _CLASSES:
        if not (of := measures.get(label)):
            continue
        numbers, mean = values(of)
        bars = tuple(
            _bin_bar(title, unit, bins, index, number, of.pairs, label, _ranged(domain, label, field, bins, index))
            for index, number in enumerate(numbers)
        )
        place = min(mean / bins.width, len(bins) - 0.5)
        after = f"{mean:.0f}" if unit == "words" else f"{mean:.0f} %"
        rows.append(HistogramRow(bars, label or NO_LABEL, label, place, after))
    step = 2 if bins.top is None else 5
    ticks = [(float(index), f"{index * bins.width:,}") for index in range(0, len(bins), step)]
    if bins.top is None:
        ticks[-1] = (ticks[-1][0], f"{bins.last:,}+")
    else:
        ticks.append((float(len(bins)), f"{bins.top:,} %"))
    return Histogram(tuple(rows), len(bins), tuple(ticks), f"{title}, {unit}" if title else "Shared words")


def _bin_bar(
    title: str, unit: str, bins: Bins, index: int, number: int, whole: int, label: str, asked: PairFilter
) -> PlotBar:
    name = bins.name(index)
    what = f"{_class_words(label)} pairs" if label else "pairs without a label"
    one = number == 1
    about = f"{'has' if one else 'have'} a {title.lower()} of {name} words"
    if unit != "words":
        about = f"{'shares' if one else 'share'} {name} % of the hypothesis' words"
    note = f"{number:,} of {whole:,} {what} {about} ({percent(number / whole)})."
    names = (*((title,) if title else ()), label or NO_LABEL, name if unit == "words" else f"{name} %")
    return PlotBar(_mark(number, whole, names, note, asked), number / whole, label or NO_LABEL_TONE)


def _ranged(domain: str | None, label: str, field: str, bins: Bins, index: int) -> PairFilter:
    limits: Range = bins.limits(index)
    return _within(domain, labels=frozenset((label,)), **{field: limits})


def _within(domain: str | None, **asked: object) -> PairFilter:
    """A filter within the domain the dashboard is asked about."""
    if domain is not None:
        asked["domains"] = frozenset((domain,))
    return PairFilter(**asked)  # type: ignore[arg-type]  # each by its field


def _of_domain(counts: Iterable[PairCount], domain: str | None) -> list[PairCount]:
    return [row for row in counts if domain is None or row.domain == domain]


def _grouped(counts: Iterable[PairCount], key: Callable[[PairCount], str]) -> dict[str, Counter[str]]:
    groups: dict[str, Counter[str]] = {}
    for row in counts:
        groups.setdefault(key(row), Counter())[row.label] += row.pairs
    return groups


def _class_words(label: str) -> str:
    return label or "without a label"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _lower(sentence: str) -> str:
    """The sentence as it goes on after a colon."""
    return sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() else sentence
