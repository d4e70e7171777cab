"""Tables as Markdown, LaTeX and tab-separated text."""

from __future__ import annotations

from miner.text_tables import TableCell, TableFormat, TextRow, TextTable, format_table

TABLE = TextTable(
    "Domains & classes",
    ("Domain", "Pairs"),
    (
        TextRow((TableCell("a|b_c <i>"), TableCell("1,204"))),
        TextRow((TableCell("Over\tall\n100 %"), TableCell("93.1–95.0")), "sum"),
    ),
    notes=("Counted in 2026.",),
)


def test_markdown_escapes_what_would_be_markup() -> None:
    assert format_table(TABLE, TableFormat.MARKDOWN) == (
        "### Domains & classes\n\n"
        "| Domain | Pairs |\n| --- | ---: |\n"
        "| a\\|b\\_c \\<i\\> | 1,204 |\n| Over all 100 % | 93.1–95.0 |\n"
        "\nCounted in 2026.\n"
    )


def test_latex_escapes_and_rules_off_sums() -> None:
    text = format_table(TABLE, TableFormat.LATEX)
    assert "\\begin{tabular}{lr}" in text
    assert "    a|b\\_c $<$i$>$ & 1,204 \\\\\n    \\midrule\n    Over all 100 \\% & 93.1--95.0 \\\\\n" in text
    assert "\\caption{Domains \\& classes. Counted in 2026.}" in text


def test_tab_separated_text_has_one_line_a_row() -> None:
    expected = "Domain\tPairs\na|b_c <i>\t1,204\nOver all 100 %\t93.1–95.0\n"
    assert format_table(TABLE, TableFormat.TSV) == expected
