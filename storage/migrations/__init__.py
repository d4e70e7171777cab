"""The schema of a project file and how an older one becomes today's."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from functools import lru_cache
from pathlib import Path

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.pool import NullPool, StaticPool

from miner.atomic_files import atomic_file
from storage.connections import connect, copy_database, guarded
from storage.errors import damaged, foreign

HEAD = "0005"
SCRIPTS = "storage:migrations"
APPLICATION_ID = 0x50575254  # "PWRT", in bytes 68 to 71 of the file: how we know a project from any other database

# Of HEAD's schema. A file with the same one is opened without running the migrations to compare, which imports Alembic.
DIGEST = "367fee496a04d3e45f946f72b54802ac9f8c71cbe4b3e4a8be53d8c09b339fc8"

Schema = dict[tuple[str, str], str]  # SQL by kind (table, index, view, trigger) and name

# What SQLite and Alembic say in words of their own, which their versions may change.
_OTHERS = frozenset(("alembic_version", "pairs_text_data", "pairs_text_idx", "pairs_text_docsize", "pairs_text_config"))


def version(connection: sqlite3.Connection) -> str | None:
    """The schema's version; None for a database without one."""
    tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall()
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if tables else None
    return None if row is None else str(row[0])


def upgrade(path: Path, scripts: str | None = None) -> None:
    """Bring the schema up to the newest of `scripts` (a package or a folder; None: ours), in one transaction.

    An error leaves the file as it was: BEGIN is said explicitly, because sqlite3 would commit each ALTER by itself.
    `UserError` where rows point nowhere, which only a damaged file has.
    """
    engine = create_engine("sqlite://", creator=lambda: connect(path, mode="rwc"), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN EXCLUSIVE"))
    with engine.begin() as connection:
        _run(connection, "head", scripts)
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise damaged(path)


def check_schema(connection: sqlite3.Connection, path: Path, version: str) -> None:
    """`UserError` unless the file's tables, indices, views and triggers are those that the migrations make.

    Others would run whenever something is saved or read, and could make it mean something else.
    """
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    found = {(kind, name): _plain(name, sql) for kind, name, sql in rows}
    if digest(found) == DIGEST:
        return
    wanted = schema_of(version, SCRIPTS)
    if others := [f"{kind} {name}" for (kind, name), sql in found.items() if wanted.get((kind, name)) != sql]:
        raise foreign(path, others)
    if found != wanted:
        raise damaged(path)


def digest(schema: Schema) -> str:
    content = sorted((*key, sql) for key, sql in schema.items())
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def back_up(path: Path, target: Path) -> None:
    """A whole copy of the database at `target`, also while others use it; a copy that breaks off leaves nothing."""
    with atomic_file(target) as part:
        copy_database(path, part)


def _run(connection: Connection, to: str, scripts: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", (scripts or SCRIPTS).replace("%", "%%"))
    wanted = ScriptDirectory.from_config(config).get_current_head() if to == "head" else to
    command.upgrade(config, to)
    arrived = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if arrived != wanted or (scripts is None and to == "head" and arrived != HEAD):
        raise AssertionError(f"the migrations came to {arrived}, not to {wanted}; this program knows {HEAD}")


@lru_cache
def schema_of(version: str, scripts: str) -> Schema:
    """What the migrations make, up to a version."""
    engine = create_engine("sqlite://", creator=lambda: guarded(sqlite3.connect(":memory:")), poolclass=StaticPool)
    with engine.begin() as connection:
        _run(connection, version, scripts)
        rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        made = {(kind, name): _plain(name, sql) for kind, name, sql in rows}
    engine.dispose()
    return made


def _plain(name: str, sql: str) -> str:
    return "" if name in _OTHERS else sql
