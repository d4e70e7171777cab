"""The schema of a project file and how an older one becomes today's."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import create_engine, event
from sqlalchemy.pool import NullPool

from miner.writing import whole_file

HEAD = "0004"
SCRIPTS = "storage:migrations"
APPLICATION_ID = 0x50575254  # "PWRT", in bytes 68 to 71 of the file: how we know a project from any other database


def version(connection: sqlite3.Connection) -> str | None:
    """The schema's version; None for a database without one."""
    tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall()
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if tables else None
    return None if row is None else str(row[0])


def upgrade(path: Path, scripts: str | None = None) -> None:
    """Bring the schema up to the newest of `scripts` (a package or a folder; None: ours), in one transaction.

    An error leaves the file as it was: BEGIN is said explicitly, because sqlite3 would commit each ALTER by itself.
    """
    from alembic import command
    from alembic.config import Config

    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(path, isolation_level=None), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN EXCLUSIVE"))
    config = Config(attributes={})
    config.set_main_option("script_location", (scripts or SCRIPTS).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise AssertionError("the migration left rows that point nowhere")


def back_up(path: Path, target: Path) -> None:
    """A whole copy of the database at `target`, also while others use it; a copy that breaks off leaves nothing."""
    with whole_file(target) as part, closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
