"""Tables of experiments as Markdown, LaTeX and tab-separated text."""

from __future__ import annotations

import re
from collections.abc import Callable

from miner.experiments.table_values import TableValue, TableView

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "†": r"$\dagger$", "‡": r"$\ddagger$", "§": r"\S{}", "¶": r"\P{}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "±": r"$\pm$", "−": r"$-$",
}  # fmt: skip
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|$])")


def value_text(value: TableValue | None, *, with_difference: bool = False) -> str:
    """The number as it is shown: "77.2 ± 0.3*", with its difference "77.2 ± 0.3* (+1.4)"; "-" for nothing."""
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


def markdown(view: TableView) -> str:
    """The table for a README: the best of a column bold, the second underlined, in-domain cells in italics."""

    def cell(value: TableValue | None) -> str:
        text = escaped_markdown(value_text(value, with_difference=view.shows_differences))
        if value is None:
            return text
        text = f"*{text}*" if value.is_in_domain else text
        return f"**{text}**" if value.is_best else f"<u>{text}</u>" if value.is_second else text

    lines = [f"### {escaped_markdown(view.title)}", ""] if view.title else []
    lines.append(_row([view.row_head, *map(escaped_markdown, view.columns)]))
    lines.append(_row(["---", *["---:"] * len(view.columns)]))
    for name, values in zip(view.rows, view.values, strict=True):
        lines.append(_row([escaped_markdown(name), *map(cell, values)]))
    return "\n".join([*lines, "", escaped_markdown(view.caption)]) + "\n"


def latex(view: TableView) -> str:
    """The table for a paper, with booktabs."""

    def cell(value: TableValue | None) -> str:
        text = _latex(value_text(value, with_difference=view.shows_differences))
        if value is None:
            return text
        text = rf"\fbox{{{text}}}" if value.is_in_domain else text
        return rf"\textbf{{{text}}}" if value.is_best else rf"\underline{{{text}}}" if value.is_second else text

    rows = [
        " & ".join([_latex(name), *map(cell, values)]) + r" \\"
        for name, values in zip(view.rows, view.values, strict=True)
    ]
    caption = _latex(f"{view.title}. {view.caption}" if view.title else view.caption)
    head = " & ".join([_latex(view.row_head), *map(_latex, view.columns)]) + r" \\"
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{l{'r' * len(view.columns)}}}"]
    lines += [r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\caption{{{caption}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def tsv(view: TableView) -> str:
    """The table for a spreadsheet: a column for each mean, one for its deviation where there are several runs."""
    spread = any(value is not None and value.sd is not None for row in view.values for value in row)
    head = [view.row_head]
    for column in view.columns:
        head += [column, f"{column} sd"] if spread else [column]
    lines = [head]
    for name, values in zip(view.rows, view.values, strict=True):
        line = [name]
        for value in values:
            line.append("" if value is None else value.text or f"{value.mean:.2f}")
            if spread:
                line.append("" if value is None or value.sd is None else f"{value.sd:.2f}")
        lines.append(line)
    return "".join("\t".join(map(_plain, line)) + "\n" for line in lines)


FORMATS: dict[str, Callable[[TableView], str]] = {"markdown": markdown, "latex": latex, "tsv": tsv}


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped_markdown(text: str) -> str:
    """A line of text in which Markdown has no marks."""
    return _MARKDOWN.sub(r"\\\1", _plain(text))


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in _plain(text))


def _plain(text: str) -> str:
    return " ".join(text.split())
