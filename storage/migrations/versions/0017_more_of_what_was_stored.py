"""Checksums of all that is exported, reported or released: mining runs, people, rounds, lists, models, experiments.

Releases and samples for precision are append-only but for the checksum.
"""

from __future__ import annotations

from typing import Any

from alembic import op

from storage.integrity.checksums import add_checksums, fill_checksums

revision = "0017"
down_revision = "0016"

TABLES = (
    *("mining_runs", "funnel", "files", "removed_papers", "annotators", "annotation_rounds", "annotation_round_pairs"),
    *("assignments", "merged_answers", "taxonomies", "pair_lists", "listed_pairs", "models", "training_runs"),
    *("suggestion_runs", "experiments", "experiment_cells", "cell_results", "predictors", "predictions", "test_parts"),
    *("test_items", "test_texts"),
)
APPEND_ONLY = {
    "releases": ("are", "releases"),
    "release_files": ("are", "releases"),
    "release_splits": ("are", "releases"),
    "precision_draws": ("is", "draws"),
    "precision_sample": ("is", "samples"),
}
"""By table what the names of its triggers have, and their errors."""


def _fixed(table: str, columns: list[str]) -> str:
    verb, noun = APPEND_ONLY[table]
    return f"""
        CREATE TRIGGER {table}_{verb}_fixed BEFORE UPDATE OF {", ".join(columns)} ON {table} BEGIN
            SELECT RAISE(ABORT, '{noun} are append-only');
        END
        """


def _forgetting(table: str, columns: list[str], key: list[str]) -> str:
    """A trigger: a row with another content has no checksum."""
    old, new = (", ".join(f"{row}.{name}" for name in columns) for row in ("old", "new"))
    this_row = " AND ".join(f"{name} = new.{name}" for name in key)
    return f"""
        CREATE TRIGGER {table}_have_new_content AFTER UPDATE OF {", ".join(columns)} ON {table}
        WHEN ({old}) IS NOT ({new}) BEGIN UPDATE {table} SET checksum = NULL WHERE {this_row};
        END
        """


_MINED = {name: f"coalesce(mined_{name}, {name})" for name in ("premise", "hypothesis")}
_PAIR = (
    *("key", "premise", "hypothesis", "hypothesis_original", "strategy", "distant_label", "phrase", "flags", "page"),
    *("premise_section", "premise_paragraph", "premise_sentence"),
    *("hypothesis_section", "hypothesis_paragraph", "hypothesis_sentence"),
    *("source_id", "source_label", "source", "own_split"),
)
"""The columns that the checksums of pairs were of; now they are of the run, too."""


def _pair_checksum(columns: tuple[str, ...]) -> str:
    texts = ", ".join(f"ifnull({_MINED.get(name, name)}, '\x01')" for name in columns)
    marks = "%s\x1f" * len(columns)
    return f"checksum(CAST(printf('{marks}', {texts}) AS BLOB))"


# A pair that is not what was stored keeps its checksum, and so stays one.
_UPDATE_PAIRS = f"""
    UPDATE pairs SET checksum = {_pair_checksum((*_PAIR, "run"))} WHERE checksum = {_pair_checksum(_PAIR)}
"""
_PAIRS_TRIGGER = f"""
    CREATE TRIGGER pairs_have_new_content AFTER UPDATE OF {", ".join((*_PAIR, "run"))} ON pairs
    WHEN {
    " OR ".join(
        f"coalesce(old.mined_{name}, old.{name}) IS NOT coalesce(new.mined_{name}, new.{name})"
        if name in _MINED
        else f"old.{name} IS NOT new.{name}"
        for name in (*_PAIR, "run")
    )
} BEGIN UPDATE pairs SET checksum = NULL WHERE rowid = new.rowid;
    END
"""


def upgrade() -> None:
    connection = op.get_bind()
    run = connection.exec_driver_sql
    triggers: list[str] = []
    for table in (*TABLES, *APPEND_ONLY):
        rows = run(f"SELECT name, pk FROM pragma_table_info('{table}') ORDER BY cid").all()
        columns = [f'"{name}"' for name, _ in rows]
        key = [f'"{name}"' for name, place in rows if place]
        is_fixed = table in APPEND_ONLY
        triggers.append(_fixed(table, columns) if is_fixed else _forgetting(table, columns, key))
        run(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER")
        run(f"CREATE INDEX {table}_without_checksum ON {table} (checksum) WHERE checksum IS NULL")
    for table in APPEND_ONLY:
        verb, _ = APPEND_ONLY[table]
        run(f"DROP TRIGGER {table}_{verb}_fixed")
    run("DROP TRIGGER pairs_have_new_content")
    driver: Any = connection.connection.driver_connection  # sqlite3's
    add_checksums(driver)
    driver.execute(_UPDATE_PAIRS)
    fill_checksums(driver)
    triggers.append(_PAIRS_TRIGGER)
    for trigger in triggers:
        run(trigger)
