"""What was stored can be told from what has changed on the disk since: checksums of rows, and seals of histories.

The checksums are computed by 0017.

releases.history: the hash of the last seal when the release was made, in hexadecimal; "" of earlier releases.
"""

from typing import Any

from alembic import op

from storage.integrity.history_chain import seal_added

revision = "0012"
down_revision = "0011"


_PLACES = (
    *("page", "premise_section", "premise_paragraph", "premise_sentence"),
    *("hypothesis_section", "hypothesis_paragraph", "hypothesis_sentence"),
)
COLUMNS = {
    "pairs": (
        *("key", "premise", "hypothesis", "hypothesis_original", "strategy", "distant_label", "phrase", "flags"),
        *(*_PLACES, "source_id", "source_label", "source", "own_split"),
    ),
    "papers": (
        *("md5", "sha256", "kind", "title", "authors", "year", "doi", "domain", "licence", "journal", "keywords"),
        *("language", "pages", "parser", "parser_version", "splitter", "digest", "source_md5", "hidden_words", "words"),
        *("edited", "sources", "to_check"),
    ),
    "settings": ("key", "value"),
}


def _append_only(table: str, noun: str) -> tuple[str, ...]:
    return tuple(
        f"""
        CREATE TRIGGER {table}_are_{state} BEFORE {event} ON {table} BEGIN
            SELECT RAISE(ABORT, '{noun} are append-only');
        END
        """
        for state, event in (("kept", "DELETE"), ("fixed", "UPDATE"))
    )


STATEMENTS = (
    *(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER" for table in COLUMNS),
    "ALTER TABLE releases ADD COLUMN history TEXT NOT NULL DEFAULT ''",
    """
    CREATE TABLE history_seals (
        id INTEGER NOT NULL PRIMARY KEY,
        label_events INTEGER NOT NULL,
        mark_events INTEGER NOT NULL,
        text_events INTEGER NOT NULL,
        kind_events INTEGER NOT NULL,
        setup_events INTEGER NOT NULL,
        paper_events INTEGER NOT NULL,
        hash BLOB NOT NULL
    )
    """,
    *_append_only("history_seals", "seals"),
    *_append_only("paper_events", "changes of papers"),
)
# Mending moves the mined text: what has the checksum stays.
_WATCHED = {
    table: " OR ".join(
        f"old.{name} IS NOT new.{name}"
        if name not in ("premise", "hypothesis") or table != "pairs"
        else f"coalesce(old.mined_{name}, old.{name}) IS NOT coalesce(new.mined_{name}, new.{name})"
        for name in columns
    )
    for table, columns in COLUMNS.items()
}
AFTERWARDS = (
    *(f"CREATE INDEX {table}_without_checksum ON {table} (checksum) WHERE checksum IS NULL" for table in COLUMNS),
    *(
        f"""
        CREATE TRIGGER {table}_have_new_content AFTER UPDATE OF {", ".join(COLUMNS[table])} ON {table}
        WHEN {condition} BEGIN UPDATE {table} SET checksum = NULL WHERE rowid = new.rowid;
        END
        """
        for table, condition in _WATCHED.items()
    ),
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
    driver: Any = connection.connection.driver_connection  # sqlite3's
    seal_added(driver)
    for statement in AFTERWARDS:
        connection.exec_driver_sql(statement)
