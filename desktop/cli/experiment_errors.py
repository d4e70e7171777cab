"""The errors of a system, as the command `experiment` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desktop.cli.output import table
from desktop.jobs.lab.experiments.errors import SystemErrors
from desktop.text import count, shortened
from miner import codec
from miner.lab.experiments.errors import ErrorRate
from miner.lab.experiments.experiment import TableAxis

_AXES = {
    TableAxis.CLASS: "label",
    TableAxis.LENGTH: "words of both sentences",
    TableAxis.STRATEGY: "strategy",
    TableAxis.DOMAIN: "domain",
    TableAxis.PHRASE: "phrase",
}
_LISTED = 8  # phrases and kinds of errors
_MAX_SENTENCE = 300  # characters


def errors_text(found: SystemErrors) -> str:
    """Counts by label and predicted class, by group and by tag, each with its interval; then examples."""
    counts = found.overview.counts
    share = f"{100 * counts.wrong / counts.predictions:.1f} %" if counts.predictions else "none"
    head = (
        f"{found.title}: {counts.wrong:,} of {count(counts.predictions, 'prediction')} are wrong ({share}), on "
        f"{count(counts.pairs, 'pair')}."
    )
    kinds = [(one.label, one.predicted, f"{one.number:,}") for one in counts.confusions[:_LISTED]]
    parts = [head, table(("label", "predicted", "predictions"), kinds)]
    for axis, name in _AXES.items():
        rates = counts.rates[axis]
        if len(rates) > 1:
            parts.append(_rates_text(name, "wrong", rates[:_LISTED] if axis is TableAxis.PHRASE else rates))
    if counts.read:
        parts.append(_rates_text("tag", "pairs", counts.tags) + f"\n{count(counts.read, 'error')} read.")
    else:
        parts.append("No error has been tagged yet. To read some in Review: --read-errors N")
    parts += [
        f"{one.label}, predicted {one.predicted}" + (f" ({', '.join(one.tags)})" if one.tags else "")
        + f"\n  1  {shortened(one.pair.premise, _MAX_SENTENCE)}\n  2  {shortened(one.pair.hypothesis, _MAX_SENTENCE)}"
        for one in found.overview.examples
    ]  # fmt: skip
    return "\n\n".join(parts)


def errors_data(found: SystemErrors) -> dict[str, Any]:
    """The same for JSON."""
    counts = found.overview.counts
    return {
        "system": found.title,
        "cells": list(found.cells),
        "predictions": counts.predictions,
        "wrong": counts.wrong,
        "pairs": counts.pairs,
        "read": counts.read,
        "confusions": [codec.to_data(one._asdict()) for one in counts.confusions],
        "rates": {axis.value: [_rate_data(one) for one in rates] for axis, rates in counts.rates.items()},
        "tags": [_rate_data(one) for one in counts.tags],
        "examples": [
            {
                "key": one.pair.key,
                "premise": one.pair.premise,
                "hypothesis": one.pair.hypothesis,
                "label": one.label,
                "predicted": one.predicted,
                "tags": list(one.tags),
            }
            for one in found.overview.examples
        ],
    }


def _rate_data(rate: ErrorRate) -> dict[str, Any]:
    low, high = rate.interval
    return {"name": rate.name, "number": rate.number, "total": rate.total, "low": low, "high": high}


def _rates_text(name: str, counted: str, rates: Sequence[ErrorRate]) -> str:
    rows = []
    for rate in rates:
        low, high = rate.interval
        share = f"{100 * rate.share:.1f} %"
        rows.append((rate.name, f"{rate.number:,} of {rate.total:,}", share, f"{100 * low:.1f}-{100 * high:.1f}"))
    return table((name, counted, "share", "95 % interval"), rows)
