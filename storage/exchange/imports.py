"""Data sets in: files of labelled pairs shaped like SciNLI, MSciNLI, MisMatched, SNLI or MNLI."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import re
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert

from miner.errors import UserError
from miner.mining.identity import pair_key
from miner.parsing.text import tidy
from miner.progress import Progress
from miner.records import Label, Pair, Place, Strategy
from storage import convert
from storage.exchange.tables import TableRow, read_table
from storage.models import DATA_SET, PairRow, PaperRow
from storage.pairs import insert_pairs
from storage.project import Project

LISTED = 1000  # bad rows that are listed; the others are counted
_TOGETHER = 5000  # rows of one transaction
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


@dataclass(frozen=True, slots=True)
class ImportedPairs:
    """Rows of the file = `new` + `known` (the pair was there already) + `bad`; the first bad ones are listed."""

    path: Path
    new: int
    known: int
    bad: int
    bad_rows: tuple[BadRow, ...]


class _Labelled(NamedTuple):
    """A good row."""

    premise: str
    hypothesis: str
    label: Label
    source_label: str
    source_id: str | None
    split: str | None
    domain: str


def import_pairs(project: Project, path: Path, *, domain: str, progress: Progress) -> ImportedPairs:
    """Take the file's pairs into the project, with their labels and the split that a column or the file's name gives.

    They belong to one stand-in paper for each domain of the file (its column, else `domain`). The same content again
    doubles nothing; after a break the same call completes it. `UserError` when the file cannot be read or lacks
    columns.
    """
    rows = read_table(path, _NEEDED)
    digest = _digest(path)
    named = _SPLIT_IN_NAME.search(path.name.lower())
    split = _SPLITS[named[1]] if named else None
    bad: list[BadRow] = []
    bad_count = new = good = 0
    while batch := list(itertools.islice(rows, _TOGETHER)):
        labelled: list[tuple[int, _Labelled]] = []
        for row in batch:
            read = _read(row, split, domain)
            if isinstance(read, _Labelled):
                labelled.append((row.line, read))
            else:
                bad_count += 1
                bad += [BadRow(row.line, read)] if len(bad) < LISTED else []
        with project.transaction(bulk=True) as stores:
            new += _store(stores.connection, digest, labelled)
        good += len(labelled)
        progress.tick(good + bad_count, None, path.name)
    return ImportedPairs(path, new, good - new, bad_count, tuple(bad))


def holds_pairs(path: Path) -> bool:
    """Whether a file looks like a data set, by its first lines: `import_pairs` would find its columns."""
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


def _digest(path: Path) -> str:
    """SHA-256 of what the file holds, compressed or not; of its bytes where it cannot be unpacked."""
    with path.open("rb") as file:
        zipped = file.read(2) == _GZIP
        file.seek(0)
        if zipped:
            with suppress(EOFError, OSError, zlib.error), gzip.GzipFile(fileobj=file) as content:
                return hashlib.file_digest(content, "sha256").hexdigest()
            file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read(row: TableRow, split: str | None, domain: str) -> _Labelled | str:
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
    return _Labelled(
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


def _store(connection: Connection, digest: str, rows: Iterable[tuple[int, _Labelled]]) -> int:
    """Insert the pairs that are not there yet; how many."""
    papers: dict[str, tuple[int, str]] = {}
    values: dict[str, dict[str, Any]] = {}
    for line, row in rows:
        if row.domain not in papers:
            papers[row.domain] = _stand_in(connection, digest, row.domain)
        paper_id, md5 = papers[row.domain]
        place = Place(0, 0, line)
        pair = Pair(
            key=pair_key(md5, row.premise, row.hypothesis, Strategy.IMPORTED),
            premise=row.premise,
            hypothesis=row.hypothesis,
            hypothesis_original=row.hypothesis,
            strategy=Strategy.IMPORTED,
            distant_label=row.label,
            phrase=None,
            premise_at=place,
            hypothesis_at=place,
        )
        known = {"paper_id": paper_id, "run": None, "current": True, "ordinal": line}
        source = {"split": row.split, "source_id": row.source_id, "source_label": row.source_label}
        values.setdefault(pair.key, convert.pair_values(pair) | known | source)
    keys = func.json_each(json.dumps(list(values))).table_valued("value")
    for key in connection.scalars(select(PairRow.key).where(PairRow.key.in_(select(keys.c.value)))):
        del values[key]
    insert_pairs(connection, list(values.values()))
    return len(values)


def _stand_in(connection: Connection, digest: str, domain: str) -> tuple[int, str]:
    """The row and the MD5 of what stands for the papers of a data set that says nothing of them."""
    md5 = blake2b(f"{digest}\0{domain}".encode(), digest_size=16).hexdigest()
    values = {
        "sha256": digest,
        "kind": DATA_SET,
        "title": "",  # no file's name: the same rows give the same export under any
        "authors": "[]",
        "domain": domain,
        "parser": "import",
        "parser_version": "1",
        "splitter": "",
        "digest": digest,
        "edited": "[]",
    }
    connection.execute(insert(PaperRow).values(md5=md5, **values).on_conflict_do_nothing(["md5"]))
    return connection.execute(select(PaperRow.id).where(PaperRow.md5 == md5)).scalar_one(), md5
