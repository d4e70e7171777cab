"""Stored projects of every schema so far: files that earlier versions made, and what the migrations make of them."""

from __future__ import annotations

import gzip
from pathlib import Path

from sqlalchemy import create_engine, event
from sqlalchemy.pool import NullPool

from storage import migrations
from storage.connections import connect

_DATA = Path(__file__).parent / "data"
STORED = {file.name.removeprefix("schema-")[:4]: file for file in sorted(_DATA.glob("schema-*.gz"))}
"""The files by their schema."""
OLDER = tuple(f"{number:04}" for number in range(1, int(migrations.HEAD)))
"""All schemas but today's."""


def write_project(schema: str, path: Path) -> None:
    """A project of this schema with answers: stored, or the next older stored file taken there by the migrations."""
    origin = max(stored for stored in STORED if stored <= schema)
    path.write_bytes(gzip.decompress(STORED[origin].read_bytes()))
    if origin != schema:
        engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN EXCLUSIVE"))
        with engine.begin() as connection:
            migrations._run(connection, schema, None)
