"""The schema of a project file: its version, its check, and the update of older files."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool, StaticPool

from miner.atomic_files import atomic_file
from storage.connections import apply_guards, connect, copy_database
from storage.errors import damaged_error, foreign_schema_error, primary_code, translate_decoding_errors

HEAD = "0017"
SCRIPTS = "storage:migrations"
APPLICATION_ID = 0x50575254  # "PWRT", in bytes 68 to 71 of the file: tells a project from other databases

# Of HEAD's schema. A file with this digest is opened without running the migrations for comparison: no Alembic import.
DIGEST = "477f562c8a265058cdb0b067998339f9d9b4a7579d2e9eb283246a34c8b58342"

# Alembic keeps what it migrates in variables of modules, so two threads must not do that at once.
_one_at_a_time = threading.Lock()
_OF_DAMAGE = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG)

Schema = dict[tuple[str, str], str]  # SQL by kind (table, index, view, trigger) and name

# Tables that SQLite and Alembic create; their versions may word the SQL differently.
_EXTERNAL_TABLES = frozenset(
    ("alembic_version", "pairs_text_data", "pairs_text_idx", "pairs_text_docsize", "pairs_text_config")
)


def version(connection: sqlite3.Connection) -> str | None:
    """The schema version; None for a database without one."""
    tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall()
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if tables else None
    return None if row is None else str(row[0])


def upgrade(path: Path, scripts: str | None = None) -> None:
    """Update the schema to the newest version of `scripts` (a package or a folder; None: ours), in one transaction.

    After an error the file is as before: without the explicit BEGIN, sqlite3 would commit each ALTER by itself. Raises
    `UserError` for what only a damaged file has: a foreign key that points nowhere, a value that our constraints or
    indices exclude.
    """
    engine = create_engine("sqlite://", creator=lambda: connect(path, mode="rwc"), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN EXCLUSIVE"))
    with _damage_of(path, is_ours=scripts is None), engine.begin() as connection:
        _run(connection, "head", scripts)
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise damaged_error(path)


@contextmanager
def _damage_of(path: Path, *, is_ours: bool) -> Iterator[None]:
    """Around our own migrations, which are tested on whole files: a statement that fails has met a damaged one."""
    try:
        yield
    except DBAPIError as exc:
        failed = isinstance(exc.orig, sqlite3.Error) and primary_code(exc.orig) in _OF_DAMAGE
        if is_ours and failed:
            raise damaged_error(path) from exc
        raise
    except Exception as exc:
        from alembic.util import CommandError

        if is_ours and isinstance(exc, CommandError):  # the version is gone or another one meanwhile
            raise damaged_error(path) from exc
        raise


def check_schema(connection: sqlite3.Connection, path: Path, version: str) -> None:
    """Raise `UserError` unless the file's tables, indices, views and triggers are those that the migrations create.

    Foreign triggers and views would run whenever something is saved or read, and could change its meaning.
    """
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    with translate_decoding_errors():
        found = {(kind, name): _comparable_sql(name, sql) for kind, name, sql in rows}
    if not all(isinstance(part, str) for key, sql in found.items() for part in (*key, sql)):
        raise damaged_error(path)
    if digest(found) == DIGEST:
        return
    expected = schema_of(version, SCRIPTS)
    if others := [f"{kind} {name}" for (kind, name), sql in found.items() if expected.get((kind, name)) != sql]:
        raise foreign_schema_error(path, others)
    if found != expected:
        raise damaged_error(path)


def digest(schema: Schema) -> str:
    content = sorted((*key, sql) for key, sql in schema.items())
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def back_up(path: Path, target: Path) -> None:
    """Copy the whole database to `target`, also while others use it. An interrupted copy leaves nothing."""
    with atomic_file(target) as part:
        copy_database(path, part)


def _run(connection: Connection, to: str, scripts: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", (scripts or SCRIPTS).replace("%", "%%"))
    expected = ScriptDirectory.from_config(config).get_current_head() if to == "head" else to
    with _one_at_a_time:
        command.upgrade(config, to)
    arrived = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if arrived != expected or (scripts is None and to == "head" and arrived != HEAD):
        raise AssertionError(f"the migrations ended at {arrived}, not at {expected}; this program knows {HEAD}")


@lru_cache
def schema_of(version: str, scripts: str) -> Schema:
    """The schema that the migrations up to a version create."""
    engine = create_engine("sqlite://", creator=lambda: apply_guards(sqlite3.connect(":memory:")), poolclass=StaticPool)
    with engine.begin() as connection:
        _run(connection, version, scripts)
        rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        schema = {(kind, name): _comparable_sql(name, sql) for kind, name, sql in rows}
    engine.dispose()
    return schema


def _comparable_sql(name: str, sql: str) -> str:
    return "" if name in _EXTERNAL_TABLES else sql
