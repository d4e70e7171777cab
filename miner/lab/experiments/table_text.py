"""Tables of experiments as text: their numbers as they are shown, and Markdown, LaTeX and tab-separated text."""

from __future__ import annotations

from miner.lab.experiments.table_values import TableValue, TableView
from miner.text_tables import TableCell, TableFormat, TextRow, TextTable, format_table, tsv


def value_text(value: TableValue | None, *, with_difference: bool = False) -> str:
    """The number as it is shown: "77.2 ± 0.3*", with its difference "77.2 ± 0.3* (+1.4)"; "-" without a number."""
    if value is None:
        return "-"
    if value.text:
        return value.text
    spread = "" if value.sd is None else f" ± {value.sd:.1f}"
    text = f"{value.mean:.1f}{spread}{value.marks}"
    return text if value.difference is None or not with_difference else f"{text} ({signed(value.difference)})"


def signed(difference: float) -> str:
    """A difference with its sign, a real minus: "+1.4", "−0.3", "0.0"."""
    text = f"{difference:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def format_view(view: TableView, form: TableFormat) -> str:
    """The table as text; tab-separated text has the numbers, and their deviations where there are several runs."""
    return _numbers(view) if form is TableFormat.TSV else format_table(_as_shown(view), form)


def _as_shown(view: TableView) -> TextTable:
    def cell(value: TableValue | None) -> TableCell:
        text = value_text(value, with_difference=view.shows_differences)
        if value is None:
            return TableCell(text)
        return TableCell(text, is_best=value.is_best, is_second=value.is_second, is_framed=value.is_in_domain)

    rows = zip(view.rows, view.values, strict=True)
    return TextTable(
        view.title,
        (view.row_head, *view.columns),
        tuple(TextRow((TableCell(name), *map(cell, values))) for name, values in rows),
        notes=(view.caption,),
    )


def _numbers(view: TableView) -> str:
    has_spread = any(value is not None and value.sd is not None for row in view.values for value in row)
    head = [view.row_head]
    for column in view.columns:
        head += [column, f"{column} sd"] if has_spread else [column]
    lines = [head]
    for name, values in zip(view.rows, view.values, strict=True):
        line = [name]
        for value in values:
            line.append("" if value is None else value.text or f"{value.mean:.2f}")
            if has_spread:
                line.append("" if value is None or value.sd is None else f"{value.sd:.2f}")
        lines.append(line)
    return tsv(lines)
