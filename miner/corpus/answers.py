"""The answers of annotators to pairs of a corpus: files of events, which are added and never changed.

    answers/VERSION-CONTENT.parquet    some events, sorted; CONTENT is a digest of them
    answers/taxonomies/DIGEST.toml     the questions that answers about kinds are by

A file is complete or not there. So several people can add their events at once, and adding the same events again adds
nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from miner.corpus.locations import Location
from miner.corpus.schema import ANSWERS, ANSWERS_IDENTITY, ANSWERS_VERSION
from miner.errors import UserError
from miner.libraries import pa, pc, pq

_FILE = re.compile(r"(\d{1,4})-[0-9a-f]{16}\.parquet")
_ORDER = ("md5", *ANSWERS_IDENTITY)
_MAX_BYTES = 1_000_000_000  # of a file, and of what is read at once
_MAX_TAXONOMY_BYTES = 10_000_000


def read_answers(out: Location, md5s: Sequence[str] | None = None) -> pa.Table:
    """The events of the pairs of some papers (None: all), each once, sorted by pair and then by time.

    `UserError` for files of other versions and damaged ones.
    """
    tables = [ANSWERS.empty_table()]
    for file in out.child("answers").files():
        if not (named := _FILE.fullmatch(file.path)):
            continue
        location = out.child(f"answers/{file.path}")
        if int(named[1]) != ANSWERS_VERSION:
            what = f"The answers {location.shown} have version {int(named[1])}; "
            raise UserError(what + f"this program reads version {ANSWERS_VERSION}.", hint="Update Pairwright.")
        try:
            if file.size > _MAX_BYTES:
                raise ValueError("it is too large")
            wanted = None if md5s is None else pc.field("md5").isin(pa.array(md5s, pa.string()))
            with location.opened() as stream:
                found = pq.read_table(stream, filters=wanted)
            tables.append(found.select(ANSWERS.names).cast(ANSWERS))
        except (FileNotFoundError, KeyError, ValueError, pa.ArrowException) as exc:
            what = f"The answers {location.shown} are damaged."
            raise UserError(what, hint="Delete the file; who pushed it can push again.") from exc
    table = pa.concat_tables(tables)
    keys = [(name, "ascending") for name in ("pair_key", "at", "annotator", "what", "value", "taxonomy")]
    firsts = table.append_column("row", pa.array(range(table.num_rows))).group_by(list(ANSWERS_IDENTITY))
    rows = firsts.aggregate([("row", "min")])["row_min"]
    return table.take(rows).sort_by(keys)


def answers_digest(out: Location) -> str:
    """A digest of the answers that the corpus has; it differs after somebody has pushed answers."""
    names = sorted(file.path for file in out.child("answers").files() if _FILE.fullmatch(file.path))
    return blake2b("\n".join(names).encode(), digest_size=16).hexdigest()


def write_answers(out: Location, rows: Iterable[Mapping[str, Any]]) -> str:
    """Add events to the corpus as a file, and return its name."""
    found = sorted(rows, key=lambda row: tuple(row[name] or "" for name in _ORDER))
    digest = blake2b(json.dumps([[row[name] for name in ANSWERS.names] for row in found]).encode(), digest_size=8)
    name = f"answers/{ANSWERS_VERSION}-{digest.hexdigest()}.parquet"
    with out.child(name).writing() as stream:
        pq.write_table(pa.Table.from_pylist(found, schema=ANSWERS), stream, compression="zstd")
    return name


def read_taxonomy(out: Location, digest: str) -> str:
    """The text of a taxonomy. `ValueError` if it is missing or no text."""
    location = out.child(f"answers/taxonomies/{digest}.toml")
    found = location.found() if re.fullmatch("[0-9a-f]{32}", digest) else None
    if found is None or found.size > _MAX_TAXONOMY_BYTES:
        raise ValueError("a taxonomy is missing")
    return location.read().decode()


def write_taxonomy(out: Location, digest: str, text: str) -> None:
    """Add a taxonomy to the corpus."""
    out.child(f"answers/taxonomies/{digest}.toml").write(text.encode())
