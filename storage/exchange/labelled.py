"""Labelled pairs in files shaped like SciNLI, MSciNLI, MisMatched, SNLI or MNLI, row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.parsing.text import tidy
from miner.records import Label
from storage.exchange.tables import TableRow, read_table

_LONGEST = 10_000  # characters of a sentence; more is a broken file

_LABELS = {
    "contrasting": Label.CONTRASTING,
    "contrast": Label.CONTRASTING,
    "contradiction": Label.CONTRASTING,  # SNLI's; the source's word is kept beside it
    "reasoning": Label.REASONING,
    "entailment": Label.ENTAILMENT,
    "neutral": Label.NEUTRAL,
}
_INTEGERS = dict(zip("0123", Label, strict=True))  # of SciNLI's code; SNLI's and MNLI's mean other things
_COLUMNS = {
    "premise": ("sentence1", "premise"),
    "hypothesis": ("sentence2", "hypothesis"),
    "label": ("label_text", "label", "gold_label"),  # the word, where a number stands beside it
    "id": ("id", "pairid"),
    "split": ("split",),
    "domain": ("domain", "genre"),
}
_NEEDED = (_COLUMNS["premise"], _COLUMNS["hypothesis"], _COLUMNS["label"])
_GZIP = b"\x1f\x8b"
_HEAD = 65_536  # bytes in which the first line of a data set ends
_SPLITS = {"train": "train", "dev": "dev", "val": "dev", "valid": "dev", "validation": "dev", "test": "test"}
_NOT_UNICODE = re.compile("[\ud800-\udfff]")
_SPLIT_IN_NAME = re.compile(r"(?<![a-z])(train|dev|validation|valid|val|test)(?![a-z])")


class BadRow(NamedTuple):
    line: int
    reason: str


class Labelled(NamedTuple):
    """A good row. `domain`, `split` and `source_id` as the file says, or the caller."""

    premise: str
    hypothesis: str
    label: Label
    source_label: str
    source_id: str | None
    split: str | None
    domain: str


def read_labelled(path: Path, *, domain: str = "") -> Iterator[tuple[int, Labelled | BadRow]]:
    """The line and the pair of each row, or why it has none; the split is that of a column, or of the file's name.

    `UserError` when the file cannot be read or lacks columns.
    """
    named = _SPLIT_IN_NAME.search(path.name.lower())
    split = _SPLITS[named[1]] if named else None
    read = ((row.line, _read(row, split, domain)) for row in read_table(path, _NEEDED))
    return ((line, BadRow(line, found) if isinstance(found, str) else found) for line, found in read)


def holds_pairs(path: Path) -> bool:
    """Whether a file looks like a data set, by its first lines: `read_labelled` would find its columns."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if not head.startswith(_GZIP) and b"\n" not in head and len(head) == _HEAD:
            return False  # one endless line
        row = next(read_table(path, _NEEDED), None)
    except (OSError, UserError):
        return False
    names = {name.strip().casefold() for name in row.fields} if row else set()
    return not any(names.isdisjoint(alternatives) for alternatives in _NEEDED)


def _read(row: TableRow, split: str | None, domain: str) -> Labelled | str:
    """The row's pair, or why it has none."""
    if row.problem:
        return row.problem
    fields = {name.strip().casefold(): value for name, value in row.fields.items()}

    def find(kind: str) -> object:
        return next((value for name in _COLUMNS[kind] if (value := fields.get(name)) not in (None, "")), None)

    sentences = []
    for kind in ("premise", "hypothesis"):
        sentence = find(kind)
        if not isinstance(sentence, str) or not sentence.strip():
            return f"no {kind}"
        if _NOT_UNICODE.search(sentence):
            return f"the {kind} is not UTF-8 text"
        if len(sentence) > _LONGEST:
            return f"the {kind} has {len(sentence):,} characters: is a quote not closed?"
        sentences.append(tidy(sentence))
    given = find("label")
    word = "" if given is None else str(given).strip()
    if word in ("", "-", "-1"):
        return "no label"
    label = _LABELS.get(word.casefold())
    if label is None and word in _INTEGERS:
        if not fields.keys() >= {"sentence1", "sentence2"}:
            return "integer label: its scheme is not known"
        label = _INTEGERS[word]
    if label is None:
        return f"unknown label {word[:40]!r}"
    premise, hypothesis = sentences
    return Labelled(
        premise,
        hypothesis,
        label,
        source_label=word,
        source_id=_text(find("id")),
        split=_SPLITS.get((_text(find("split")) or "").lower(), split),
        domain=_text(find("domain")) or domain,
    )


def _text(value: object) -> str | None:
    return None if value is None else tidy(str(value))
