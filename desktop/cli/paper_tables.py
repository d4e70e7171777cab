"""The papers' tables on the command line: as text and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from desktop.cli.output import table
from desktop.jobs.pairs.data_set_statistics import MeasuredDataSet
from desktop.jobs.pairs.paper_tables import PaperTable, paper_table
from miner.dataset_statistics import Estimate, GoldAgreement
from miner.records import Label
from miner.text_tables import TableFormat, TextTable, format_table

NEEDS_SENTENCES = (PaperTable.DATA_SET, PaperTable.DOMAINS)
"""The tables of which some figures come from parsed sentences."""


def table_text(measured: MeasuredDataSet, which: PaperTable, format: str | None) -> str:
    """The table as text, or in this format, one of `TableFormat`."""
    filled = paper_table(measured, which)
    return plain_table(filled) if format is None else format_table(filled, TableFormat(format)).rstrip("\n")


def plain_table(filled: TextTable) -> str:
    """A table for the terminal, with its title above and its notes below."""
    lines = [list(filled.columns), *([cell.text for cell in row.cells] for row in filled.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(filled.columns))]
    head, *rows = [
        [line[0], *(text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True))] for line in lines
    ]
    return "\n\n".join(filter(None, (filled.title, table(head, rows), "\n".join(filled.notes))))


def table_data(measured: MeasuredDataSet, which: PaperTable) -> dict[str, Any]:
    """The figures of a table as JSON data; shares from 0 to 1."""
    statistics = measured.counted.statistics
    data: dict[str, Any] = {
        "table": which,
        "splits_from": measured.counted.source,
        "filter": measured.counted.filter.to_data(),
        "pairs": statistics.count(),
    }
    match which:
        case PaperTable.AGREEMENT:
            data["classes"] = _agreements(statistics.agreement())
            data["domains"] = {domain: _agreements(statistics.agreement(domain)) for domain in statistics.domains}
        case PaperTable.SIMILARITY:
            data["similarity"] = asdict(measured.similarity) if measured.similarity else None
        case _:
            data["measured_pairs"] = statistics.measured_pairs
            data["parser"] = measured.complete.parser if measured.complete else None
            data["parts"] = [
                _part(measured, domain, split, label)
                for domain in (None, *statistics.domains)
                for split in (None, *statistics.splits)
                for label in (None, *Label)
                if statistics.count(domain, split, label)
            ]
    return data


def _part(measured: MeasuredDataSet, domain: str | None, split: str | None, label: str | None) -> dict[str, Any]:
    """The figures of a part; None stands for all domains, splits or classes."""
    statistics = measured.counted.statistics
    means = statistics.means(domain, split, label)
    names = ("premise_words", "hypothesis_words", "overlap")
    part: dict[str, Any] = {
        "domain": domain,
        "split": split,
        "label": label,
        "pairs": statistics.count(domain, split, label),
        **({name: _mean(mean) for name, mean in zip(names, means, strict=True)} if means else {}),
    }
    if measured.complete is not None and label is None:
        premise, hypothesis = measured.complete.of(domain, split)
        part |= {"complete_premises": premise.to_data(), "complete_hypotheses": hypothesis.to_data()}
    agreement = statistics.agreement(domain, split)[label or ""]
    return {**part, "agreement": agreement.to_data()}


def _mean(mean: Estimate) -> dict[str, float]:
    return {"mean": mean.mean, "standard_error": mean.error}


def _agreements(agreements: dict[str, GoldAgreement]) -> dict[str, Any]:
    return {label or "overall": agreement.to_data() for label, agreement in agreements.items()}
