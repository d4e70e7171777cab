"""From counts to figures: which bars there are, what is said of them, and which pairs they open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from desktop.jobs.pairs.statistics import MEANINGS
from desktop.text import count as counted
from desktop.ui.pages.dashboard.figures import Bars, Mark, Panel, Ridge, Ridges, Row
from desktop.ui.pages.dashboard.words import NO_DOMAIN, NO_LABEL, listed, percent
from desktop.ui.services.words import STRATEGIES, capital, dropped
from desktop.ui.theme import LETTERS
from miner.records import NEUTRAL_STRATEGIES, Funnel, Label, Strategy
from miner.statistics import Bins
from storage.pairs.filters import PairFilter, Range, Status
from storage.pairs.statistics import PERCENT, WORDS, Counted, Measured

_REASONS_SHOWN = 6
_DOMAINS_SHOWN = 8
_CLASSES = (*(label.value for label in Label), "")


def funnel_figure(funnel: Funnel, domain: str | None) -> Bars:
    """Candidates = kept + dropped, by strategy; and the most frequent reasons, linked and drawn apart."""
    rows, numbers = [], []
    for strategy, count in sorted(funnel.candidates.items(), key=lambda item: list(Strategy).index(item[0])):
        kept = funnel.kept.get(strategy, 0)
        name = capital(STRATEGIES[strategy])
        asked = _within(domain, strategies=frozenset((strategy,)))
        marks = [
            Mark(
                kept,
                kept / count if count else 0.0,
                "kept",
                (name, "Kept"),
                f"{name}: {kept:,} of {counted(count, 'candidate')} became pairs ({percent(kept / max(count, 1))}).",
                asked,
                (f"{kept:,} kept", f"{kept:,}"),
            ),
            Mark(
                count - kept,
                (count - kept) / count if count else 0.0,
                "dropped",
                (name, "Dropped"),
                f"{name}: {count - kept:,} of {counted(count, 'candidate')} were dropped, for the reasons below.",
                None,
                (f"{count - kept:,} dropped", f"{count - kept:,}"),
                ((strategy,), ""),
            ),
        ]
        rows.append(
            Row(name, tuple(mark for mark in marks if mark.count), max(funnel.candidates.values()), f"{count:,}")
        )
        numbers.append(marks[0])
        numbers += _dropped(funnel, (strategy,), count)
    linked = tuple(strategy for strategy in Strategy if strategy not in NEUTRAL_STRATEGIES)
    rows += _reason_rows(funnel, "Why linked candidates were dropped", linked)
    rows += _reason_rows(funnel, "Why draws for neutral pairs were dropped", NEUTRAL_STRATEGIES)
    candidates, kept = sum(funnel.candidates.values()), sum(funnel.kept.values())
    summary = f"{counted(candidates, 'candidate')} = {kept:,} kept + {candidates - kept:,} dropped."
    return Bars(tuple(rows), tuple(numbers), ("Candidates", "Kept, or dropped because", "Count", "Share"), summary)


def _dropped(funnel: Funnel, strategies: Sequence[Strategy], whole: int) -> list[Mark]:
    """A mark for each reason, the most frequent first."""
    counts: Counter[str] = Counter()
    for drop, number in funnel.dropped.items():
        if drop.strategy in strategies:
            counts[drop.reason] += number
    name = capital(STRATEGIES[strategies[0]]) if len(strategies) == 1 else ""
    return [
        Mark(
            number,
            number / max(whole, 1),
            "dropped",
            (name, dropped(reason)),
            f"{counted(number, 'candidate')} dropped: {_lower(MEANINGS.get(reason, dropped(reason)))}",
            dropped=(tuple(strategies), reason),
        )
        for reason, number in counts.most_common()
    ]


def _reason_rows(funnel: Funnel, heading: str, strategies: Sequence[Strategy]) -> list[Row]:
    whole = sum(count for strategy, count in funnel.candidates.items() if strategy in strategies)
    marks = _dropped(funnel, strategies, whole)
    if not marks:
        return []
    shown, rest = marks[:_REASONS_SHOWN], marks[_REASONS_SHOWN:]
    longest = max(shown[0].count, sum(mark.count for mark in rest))
    rows = [Row(mark.names[1], (mark,), longest, f"{mark.count:,}") for mark in shown]
    if rest:
        number = sum(mark.count for mark in rest)
        note = f"{number:,} dropped for {counted(len(rest), 'other reason')}: see the numbers."
        other = Mark(number, number / max(whole, 1), "dropped", ("", "Other reasons"), note)
        rows.append(Row(counted(len(rest), "other reason"), (other,), longest, f"{number:,}"))
    return [Row(heading), *rows]


def classes_figure(counts: Iterable[Counted], domain: str | None) -> Bars:
    """Pairs by class: all together, by domain, and by how they came to be."""
    counts = _of_domain(counts, domain)
    total = sum(row.pairs for row in counts)
    by_domain = _grouped(counts, lambda row: row.domain)
    by_strategy = _grouped(counts, lambda row: row.strategy)

    def marks(of: Mapping[str, int], who: str, whole: int, **asked: frozenset[str]) -> tuple[Mark, ...]:
        return tuple(
            _class_mark(label, of[label], whole, (who,), _within(domain, labels=frozenset((label,)), **asked))
            for label in _CLASSES
            if of.get(label)
        )

    everything = Counter[str]()
    for of in by_domain.values():
        everything.update(of)
    rows = [Row("All pairs", marks(everything, "All pairs", total), total, f"{total:,}")]
    if len(by_domain) > 1:
        rows.append(Row("By domain"))
        order = sorted(by_domain, key=lambda name: (-sum(by_domain[name].values()), name))
        for name in order[:_DOMAINS_SHOWN]:
            number = sum(by_domain[name].values())
            found = marks(by_domain[name], name or NO_DOMAIN, number, domains=frozenset((name,)))
            rows.append(Row(name or NO_DOMAIN, found, total, f"{number:,}"))
        if rest := order[_DOMAINS_SHOWN:]:
            others = Counter[str]()
            for name in rest:
                others.update(by_domain[name])
            name = counted(len(rest), "other domain")
            rows.append(
                Row(name, marks(others, name, others.total(), domains=frozenset(rest)), total, f"{others.total():,}")
            )
    rows.append(Row("By how they came to be"))
    for strategy in Strategy:
        if strategy in by_strategy:
            of = by_strategy[strategy]
            name, number = capital(STRATEGIES[strategy]), sum(of.values())
            rows.append(Row(name, marks(of, name, number, strategies=frozenset((strategy,))), total, f"{number:,}"))
    return Bars(
        tuple(rows),
        tuple(_class_numbers(counts, total, domain)),
        ("Domain", "How", "Class", "Pairs", "Share"),
        f"{counted(total, 'pair')} of {counted(len(by_domain), 'domain')}.",
        "pairs",
    )


def _class_mark(label: str, number: int, whole: int, names: tuple[str, ...], asked: PairFilter) -> Mark:
    word = label or NO_LABEL
    note = f"{names[0]}: {number:,} of {counted(whole, 'pair')} {_are(number)} {_class_words(label)} "
    note += f"({percent(number / whole)})."
    texts = (f"{word} {number:,}", f"{LETTERS[label]} {number:,}", LETTERS[label]) if label else (word,)
    return Mark(number, number / whole, label or "none", (*names, word), note, asked, texts)


def _class_numbers(counts: Sequence[Counted], total: int, domain: str | None) -> Iterator[Mark]:
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
        yield Mark(number, number / total, label or "none", names, note, asked)


def _reading_order(cell: tuple[tuple[str, Strategy, str], int]) -> tuple[str, int, int]:
    (domain, strategy, label), _ = cell
    return domain, list(Strategy).index(strategy), _CLASSES.index(label)


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


def people_figure(counts: Iterable[Counted], domain: str | None) -> Bars:
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
        Mark(
            statuses[status],
            statuses[status] / total,
            status,
            ("All pairs", _OUTCOMES[status]),
            f"{statuses[status]:,} of {counted(total, 'pair')} {_MEANT[status]} ({percent(statuses[status] / total)}).",
            _of_outcome(domain, status),
            (f"{_OUTCOMES[status]} {statuses[status]:,}", f"{statuses[status]:,}"),
        )
        for status in ("settled", "accepted", "unsettled", "bad", "open")
        if statuses[status]
    )
    done = total - statuses["open"] - statuses["accepted"]
    rows = [Row("Reviewed", progress, max(total, 1), percent(done / max(total, 1)))]
    marks: list[Mark] = []
    if flow:
        rows.append(Row("Distant label, and what people say"))
    for distant in _CLASSES:
        if of := flow.get(distant):
            said = [_flow_mark(distant, gold, of[gold], of.total(), domain) for gold in _CLASSES if of[gold]]
            marks += said
            agree = f"{percent(of[distant] / of.total())} of {of.total():,}" if distant else f"{of.total():,}"
            rows.append(Row(distant or NO_LABEL, tuple(said), of.total(), agree))
    return Bars(
        tuple(rows),
        (*progress, *marks),
        ("Distant label", "People say", "Pairs", "Share"),
        f"{done:,} of {counted(total, 'pair')} reviewed.",
        "percent",
    )


def _of_outcome(domain: str | None, outcome: str) -> PairFilter:
    if outcome in ("settled", "accepted"):
        return _within(domain, statuses=frozenset((Status.SETTLED,)), accepted=outcome == "accepted")
    return _within(domain, statuses=frozenset((Status(outcome),)))


def _flow_mark(distant: str, gold: str, number: int, whole: int, domain: str | None) -> Mark:
    said = f"people say {_class_words(gold)}" if gold else "people are undecided"
    start = f"the phrase or draw says {distant}" if distant else "there is no distant label"
    note = f"{number:,} of {counted(whole, 'answered pair')} where {start}: {said} ({percent(number / whole)})."
    asked = _within(
        domain,
        distant=frozenset((distant,)),
        gold=frozenset((gold,)) if gold else frozenset(),
        statuses=frozenset((Status.SETTLED if gold else Status.UNSETTLED,)),
        accepted=False,
    )
    texts = (f"{LETTERS[gold]} {number:,}", LETTERS[gold]) if gold else ("?",)
    return Mark(
        number, number / whole, gold or "unclear", (distant or NO_LABEL, gold or "no majority"), note, asked, texts
    )


def lengths_figure(measures: Mapping[str, Measured], domain: str | None) -> Ridges:
    """Words of premise and of hypothesis, by class."""
    panels = (
        _panel("Premise", "words", WORDS, measures, domain, lambda of: (of.premise, of.mean_premise), "premise_words"),
        _panel(
            "Hypothesis",
            "words",
            WORDS,
            measures,
            domain,
            lambda of: (of.hypothesis, of.mean_hypothesis),
            "hypothesis_words",
        ),
    )
    means = [
        f"{name} {sum(mean(of) * of.pairs for of in measures.values()) / sum(of.pairs for of in measures.values()):.1f}"
        for name, mean in (("premise", _mean_premise), ("hypothesis", _mean_hypothesis))
        if measures
    ]
    summary = f"Words on average: {listed(means)}. Classes should look alike, or a model can guess by length."
    numbers = tuple(mark for panel in panels for ridge in panel.ridges for mark in ridge.marks if mark.count)
    return Ridges(panels, numbers, ("Sentence", "Class", "Words", "Pairs", "Share"), summary)


def overlap_figure(measures: Mapping[str, Measured], domain: str | None) -> Ridges:
    """Share of the hypothesis' words that the premise has too, by class."""
    panel = _panel("", "%", PERCENT, measures, domain, lambda of: (of.overlap, of.mean_overlap), "overlap")
    numbers = tuple(mark for ridge in panel.ridges for mark in ridge.marks if mark.count)
    whole = sum(of.pairs for of in measures.values())
    mean = sum(of.mean_overlap * of.pairs for of in measures.values()) / max(whole, 1)
    summary = f"On average the premise has {mean:.0f} % of the hypothesis' words too."
    return Ridges((panel,), numbers, ("Class", "Shared", "Pairs", "Share"), summary)


def _mean_premise(of: Measured) -> float:
    return of.mean_premise


def _mean_hypothesis(of: Measured) -> float:
    return of.mean_hypothesis


def _panel(
    title: str,
    unit: str,
    bins: Bins,
    measures: Mapping[str, Measured],
    domain: str | None,
    values: Callable[[Measured], tuple[Sequence[int], float]],
    field: str,
) -> Panel:
    ridges = []
    for label in _CLASSES:
        if not (of := measures.get(label)):
            continue
        numbers, mean = values(of)
        marks = tuple(
            _bin_mark(title, unit, bins, index, number, of.pairs, label, _ranged(domain, label, field, bins, index))
            for index, number in enumerate(numbers)
        )
        place = min(mean / bins.width, len(bins) - 0.5)
        ridges.append(Ridge(label or NO_LABEL, marks, place, f"{mean:.0f}" if unit == "words" else f"{mean:.0f} %"))
    step = 2 if bins.top is None else 5
    ticks = [(float(index), f"{index * bins.width:,}") for index in range(0, len(bins), step)]
    if bins.top is None:
        ticks[-1] = (ticks[-1][0], f"{bins.last:,}+")
    else:
        ticks.append((float(len(bins)), f"{bins.top:,} %"))
    return Panel(f"{title}, {unit}" if title else "Shared words", tuple(ridges), tuple(ticks), len(bins))


def _bin_mark(
    title: str, unit: str, bins: Bins, index: int, number: int, whole: int, label: str, asked: PairFilter
) -> Mark:
    name = bins.name(index)
    what = f"{_class_words(label)} pairs" if label else "pairs without a label"
    one = number == 1
    about = f"{'has' if one else 'have'} a {title.lower()} of {name} words"
    if unit != "words":
        about = f"{'shares' if one else 'share'} {name} % of the hypothesis' words"
    note = f"{number:,} of {whole:,} {what} {about} ({percent(number / whole)})."
    names = (*((title,) if title else ()), label or NO_LABEL, name if unit == "words" else f"{name} %")
    return Mark(number, number / whole, label or "none", names, note, asked)


def _ranged(domain: str | None, label: str, field: str, bins: Bins, index: int) -> PairFilter:
    limits: Range = bins.limits(index)
    return _within(domain, labels=frozenset((label,)), **{field: limits})


def _within(domain: str | None, **asked: object) -> PairFilter:
    """A filter within the domain the dashboard is asked about."""
    if domain is not None:
        asked["domains"] = frozenset((domain,))
    return PairFilter(**asked)  # type: ignore[arg-type]  # each by its field


def _of_domain(counts: Iterable[Counted], domain: str | None) -> list[Counted]:
    return [row for row in counts if domain is None or row.domain == domain]


def _grouped(counts: Iterable[Counted], key: Callable[[Counted], str]) -> dict[str, Counter[str]]:
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
