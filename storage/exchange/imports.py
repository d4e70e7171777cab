"""Data sets in: files of labelled pairs shaped like SciNLI, MSciNLI, MisMatched, SNLI or MNLI."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert

from miner.mining.identity import pair_key
from miner.progress import Progress
from miner.records import Pair, Place, Strategy
from storage import convert
from storage.exchange.labelled import BadRow, Labelled, read_labelled
from storage.models import DATA_SET, PairRow, PaperRow
from storage.pairs import insert_pairs
from storage.project import Project

LISTED = 1000  # bad rows that are listed; the others are counted
_TOGETHER = 5000  # rows of one transaction
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class ImportedPairs:
    """Rows of the file = `new` + `known` (the pair was there already) + `bad`; the first bad ones are listed."""

    path: Path
    new: int
    known: int
    bad: int
    bad_rows: tuple[BadRow, ...]


def import_pairs(project: Project, path: Path, *, domain: str, progress: Progress) -> ImportedPairs:
    """Take the file's pairs into the project, with their labels and the split that a column or the file's name gives.

    They belong to one stand-in paper for each domain of the file (its column, else `domain`). The same content again
    doubles nothing; after a break the same call completes it. `UserError` when the file cannot be read or lacks
    columns.
    """
    rows = read_labelled(path, domain=domain)
    digest = _digest(path)
    bad: list[BadRow] = []
    bad_count = new = good = 0
    while batch := list(itertools.islice(rows, _TOGETHER)):
        labelled: list[tuple[int, Labelled]] = []
        for line, read in batch:
            if isinstance(read, BadRow):
                bad_count += 1
                bad += [read] if len(bad) < LISTED else []
            else:
                labelled.append((line, read))
        with project.transaction(bulk=True) as stores:
            new += _store(stores.connection, digest, labelled)
        good += len(labelled)
        progress.tick(good + bad_count, None, path.name)
    return ImportedPairs(path, new, good - new, bad_count, tuple(bad))


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


def _store(connection: Connection, digest: str, rows: Iterable[tuple[int, Labelled]]) -> int:
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
