"""Tables of text with what each cell stands for, and the same as Markdown, LaTeX or tab-separated text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell. note: a sentence about it. opens: what activating it opens, such as a PairFilter; None for nothing.

    is_published: a figure of others, to compare with.
    """

    text: str
    note: str = ""
    opens: object = None
    is_published: bool = False


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row. kind: "" for a part of the data set, "sum" for its whole, "published" for figures of others."""

    cells: tuple[TableCell, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table. columns: their titles. tips: a sentence about each column. notes: sentences to print below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[TextRow, ...]
    tips: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class TableFormat(StrEnum):
    """What a table can be written as."""

    MARKDOWN = "markdown"
    LATEX = "latex"
    TSV = "tsv"


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "±": r"$\pm$",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_LATEX_SPECIAL = re.compile("[" + re.escape("".join(_LATEX)) + "]")
_MARKDOWN_SPECIAL = re.compile(r"([\\|`*_<>\[\]])")


def format_table(table: TextTable, form: TableFormat) -> str:
    """The whole table as text that ends with a line feed; titles and notes are left out of tab-separated text."""
    match form:
        case TableFormat.MARKDOWN:
            return _markdown(table)
        case TableFormat.LATEX:
            return _latex(table)
        case _:
            lines = [table.columns, *([cell.text for cell in row.cells] for row in table.rows)]
            return "".join("\t".join(map(_one_cell, line)) + "\n" for line in lines)


def _markdown(table: TextTable) -> str:
    sides = ["---", *["---:"] * (len(table.columns) - 1)]
    lines = [
        f"**{_in_markdown(table.title)}**",
        "",
        _markdown_row(map(_in_markdown, table.columns)),
        _markdown_row(sides),
    ]
    lines += [_markdown_row(_in_markdown(cell.text) for cell in row.cells) for row in table.rows]
    lines += [line for note in table.notes for line in ("", _in_markdown(note))]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _in_markdown(text: str) -> str:
    return _MARKDOWN_SPECIAL.sub(r"\\\1", _one_cell(text))


def _latex(table: TextTable) -> str:
    """With the package booktabs; published figures and sums stand below a line."""
    lines = [
        r"\begin{table}",
        r"  \centering",
        f"  \\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"    \toprule",
        _latex_row(table.columns),
        r"    \midrule",
    ]
    previous: str | None = None
    for row in table.rows:
        if previous is not None and row.kind != previous:
            lines.append(r"    \midrule")
        lines.append(_latex_row([cell.text for cell in row.cells]))
        previous = row.kind
    caption = " ".join([f"{table.title}.", *table.notes])
    lines += [r"    \bottomrule", r"  \end{tabular}", f"  \\caption{{{_in_latex(caption)}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Sequence[str]) -> str:
    return f"    {' & '.join(map(_in_latex, cells))} \\\\"


def _in_latex(text: str) -> str:
    return _LATEX_SPECIAL.sub(lambda found: _LATEX[found[0]], _one_cell(text))


def _one_cell(text: str) -> str:
    return " ".join(text.split())
