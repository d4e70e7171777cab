"""Reads labelled texts of any classes from files, for experiments: pairs, or single texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from miner.kinds.taxonomy import released_taxonomy
from miner.parsing.text import tidy
from storage.exchange.import_rows import HYPOTHESIS, PREMISE, find_label
from storage.exchange.kinds_columns import category_columns, ticked_categories
from storage.exchange.labelled_rows import BadRow
from storage.exchange.table_files import read_table

TEXT = (*HYPOTHESIS, "text", "sentence", "title", "abstract")
"""The columns of a text, or of the second one of a pair."""
_LABEL = ("label_text", "gold_label", "label", "class", "category")
_PAPER = ("paper_md5", "paper_id", "paperid", "paper", "doc_id", "docid", "article_id", "doi")
_DOMAIN = ("domain", "genre")
_MAX_CHARACTERS = 100_000  # of a text, which may be an abstract
_NO_LABEL = frozenset(("", "-", "none", "null", "nan"))


class LabelledFileText(NamedTuple):
    """A text, or a pair, with its label as the file has it; the four relations by their names here.

    premise: "" for a single text. strategy, phrase, domain, paper: "" where the file says nothing. kinds: the
    categories of reasoning that it has a column for and says yes to, sorted, with a space between them.
    """

    premise: str
    hypothesis: str
    label: str
    domain: str
    strategy: str
    phrase: str
    paper: str
    kinds: str = ""


def read_labelled_texts(path: Path) -> Iterator[tuple[int, LabelledFileText | BadRow]]:
    """Each row of a file with its line number; `UserError` if it cannot be read, or lacks a text or a label."""
    taxonomy = released_taxonomy()
    columns: dict[frozenset[str], Mapping[str, str]] = {}  # rows of JSON lines need not have the same fields
    for row in read_table(path, (TEXT, _LABEL)):
        fields = {name.strip().casefold(): value for name, value in row.fields.items()}
        names = frozenset(fields)
        if names not in columns:
            columns[names] = category_columns(taxonomy, names)
        yield row.line, BadRow(row.line, row.problem) if row.problem else _read(row.line, fields, columns[names])


def _read(line: int, fields: Mapping[str, object], columns: Mapping[str, str]) -> LabelledFileText | BadRow:
    hypothesis, label = _text(fields, TEXT), _text(fields, _LABEL)
    if not hypothesis:
        return BadRow(line, "no text")
    if label.casefold() in _NO_LABEL:
        return BadRow(line, "no label")
    premise = _text(fields, PREMISE)
    if max(len(premise), len(hypothesis)) > _MAX_CHARACTERS:
        return BadRow(line, "its text is too long")
    known = find_label(label) if label.casefold() != "contradiction" else None  # of other data sets, as it is
    return LabelledFileText(
        premise,
        hypothesis,
        str(known or label),
        _text(fields, _DOMAIN),
        _text(fields, ("strategy",)),
        _text(fields, ("linking_phrase",)),
        _text(fields, _PAPER),
        " ".join(sorted(ticked_categories(fields, columns))),
    )


def _text(fields: Mapping[str, object], names: tuple[str, ...]) -> str:
    """The first of these fields that has a value, as one line."""
    values = (fields.get(name) for name in names)
    return next((tidy(str(value)) for value in values if value not in (None, "")), "")
