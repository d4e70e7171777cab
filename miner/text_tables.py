"""Tables of text, with what each cell stands for, and how they are written: Markdown, LaTeX, tab-separated text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell. note: a sentence about it. opens: what activating it opens, such as a PairFilter; None for nothing.

    is_published: a figure of others, to compare with. is_best, is_second: of its column. is_framed: set apart from
    the others, such as a figure on the data that a model was trained on.
    """

    text: str
    note: str = ""
    opens: object = None
    is_published: bool = False
    is_best: bool = False
    is_second: bool = False
    is_framed: bool = False


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
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$",
    "–": "--", "±": r"$\pm$", "−": r"$-$", "†": r"$\dagger$", "‡": r"$\ddagger$", "§": r"\S{}", "¶": r"\P{}",
}  # fmt: skip
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]<>#|$])")


def format_table(table: TextTable, form: TableFormat) -> str:
    """The whole table as text that ends with a line feed; titles and notes are left out of tab-separated text."""
    match form:
        case TableFormat.MARKDOWN:
            return _markdown(table)
        case TableFormat.LATEX:
            return _latex(table)
        case TableFormat.TSV:
            return tsv([table.columns, *([cell.text for cell in row.cells] for row in table.rows)])
        case _:
            assert_never(form)


def tsv(lines: Sequence[Sequence[str]]) -> str:
    """Tab-separated lines, each with a line feed at its end."""
    return "".join("\t".join(map(_one_line, line)) + "\n" for line in lines)


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1) -> str:
    """A table of plain texts as Markdown. texts: how many columns, from the first, hold no numbers."""
    return _markdown_lines(map(escape_markdown, columns), (map(escape_markdown, row) for row in rows), texts)


def escape_markdown(text: str) -> str:
    """A line of text in which Markdown has no marks."""
    return _MARKDOWN_SPECIAL.sub(r"\\\1", _one_line(text))


def _markdown_lines(columns: Iterable[str], rows: Iterable[Iterable[str]], texts: int) -> str:
    head = list(columns)
    rule = ["---" if number < texts else "---:" for number in range(len(head))]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *rows))


def _markdown(table: TextTable) -> str:
    """The best of a column is bold, the second best underlined, what is set apart in italics."""

    def cell(given: TableCell) -> str:
        text = escape_markdown(given.text)
        text = f"*{text}*" if given.is_framed else text
        return f"**{text}**" if given.is_best else f"<u>{text}</u>" if given.is_second else text

    title = f"### {escape_markdown(table.title)}\n\n" if table.title else ""
    lines = _markdown_lines(map(escape_markdown, table.columns), (map(cell, row.cells) for row in table.rows), texts=1)
    return title + lines + "".join(f"\n{escape_markdown(note)}\n" for note in table.notes)


def _latex(table: TextTable) -> str:
    """With the package booktabs; published figures and sums stand below a line."""

    def cell(given: TableCell) -> str:
        text = _escape_latex(given.text)
        text = rf"\fbox{{{text}}}" if given.is_framed else text
        return rf"\textbf{{{text}}}" if given.is_best else rf"\underline{{{text}}}" if given.is_second else text

    lines = [
        r"\begin{table}",
        r"  \centering",
        f"  \\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"    \toprule",
        _latex_row(map(_escape_latex, table.columns)),
        r"    \midrule",
    ]
    previous: str | None = None
    for row in table.rows:
        if previous is not None and row.kind != previous:
            lines.append(r"    \midrule")
        lines.append(_latex_row(map(cell, row.cells)))
        previous = row.kind
    caption = " ".join([f"{table.title}.", *table.notes] if table.title else table.notes)
    lines += [r"    \bottomrule", r"  \end{tabular}", f"  \\caption{{{_escape_latex(caption)}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Iterable[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())
