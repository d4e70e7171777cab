"""Experiments: what was asked, the cells of their tables, the pairs they are tested on, and what systems predict.

A cell's key hashes everything its result depends on, so that experiments share results. Predictions are kept by the
system's run (or, of a model as it is, by the model's digest) and by a hash of both texts. By it the texts of test
pairs of files are kept too, which the project does not have. Lists of pairs, such as a region of a data map, have a
name, so that filters can ask for them. Marks can be tags that say why an answer of a system is wrong; SQLite cannot
change a table's CHECK, so that their table is made anew.
"""

from alembic import op

revision = "0007"
down_revision = "0006"

STATEMENTS = (
    """
    CREATE TABLE experiments (
        id INTEGER NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        recipe TEXT NOT NULL,
        text TEXT NOT NULL,
        folder TEXT NOT NULL,
        sources TEXT NOT NULL,
        state TEXT NOT NULL,
        program TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        problem TEXT NOT NULL,
        forgotten BOOLEAN NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE TABLE test_parts (
        id INTEGER NOT NULL PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE
    )
    """,
    """
    CREATE TABLE test_items (
        part INTEGER NOT NULL REFERENCES test_parts (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        pair_key TEXT NOT NULL,
        text_hash BLOB NOT NULL,
        class INTEGER NOT NULL,
        domain TEXT NOT NULL,
        strategy TEXT NOT NULL,
        phrase TEXT NOT NULL,
        words INTEGER NOT NULL,
        kinds TEXT NOT NULL,
        PRIMARY KEY (part, position)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE test_texts (
        text_hash BLOB NOT NULL PRIMARY KEY,
        premise TEXT NOT NULL,
        hypothesis TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE experiment_cells (
        experiment INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        "key" TEXT NOT NULL,
        run TEXT NOT NULL,
        mapping TEXT NOT NULL,
        system INTEGER NOT NULL,
        train TEXT NOT NULL,
        test TEXT NOT NULL,
        seed INTEGER NOT NULL,
        part INTEGER NOT NULL REFERENCES test_parts (id),
        problem TEXT NOT NULL,
        failure TEXT NOT NULL,
        PRIMARY KEY (experiment, position)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE predictors (
        id INTEGER NOT NULL PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        device TEXT NOT NULL,
        seconds REAL NOT NULL,
        kind TEXT NOT NULL,
        work REAL NOT NULL,
        notes TEXT NOT NULL,
        versions TEXT NOT NULL,
        made_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE predictions (
        predictor INTEGER NOT NULL REFERENCES predictors (id) ON DELETE CASCADE,
        text_hash BLOB NOT NULL,
        probabilities BLOB NOT NULL,
        class INTEGER NOT NULL,
        PRIMARY KEY (predictor, text_hash)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE cell_results (
        "key" TEXT NOT NULL PRIMARY KEY,
        predictor INTEGER NOT NULL REFERENCES predictors (id) ON DELETE CASCADE,
        finished_at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE pair_lists (
        id INTEGER NOT NULL PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        made_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE listed_pairs (
        list INTEGER NOT NULL REFERENCES pair_lists (id) ON DELETE CASCADE,
        pair_key TEXT NOT NULL,
        PRIMARY KEY (list, pair_key)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE new_mark_events (
        id INTEGER NOT NULL PRIMARY KEY,
        pair_key TEXT NOT NULL,
        annotator TEXT NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('flag', 'note', 'bad', 'tag')),
        old TEXT,
        new TEXT,
        action INTEGER REFERENCES actions (id)
    )
    """,
    """
    INSERT INTO new_mark_events (id, pair_key, annotator, at, kind, old, new, action)
    SELECT id, pair_key, annotator, at, kind, old, new, action FROM mark_events ORDER BY id
    """,
    "DROP TABLE mark_events",
    "ALTER TABLE new_mark_events RENAME TO mark_events",
    "CREATE INDEX mark_events_by_pair ON mark_events (pair_key, kind, annotator, id)",
    "CREATE INDEX mark_events_by_action ON mark_events (action)",
    """
    CREATE TRIGGER mark_events_are_kept BEFORE DELETE ON mark_events BEGIN
        SELECT RAISE(ABORT, 'marks are append-only');
    END
    """,
    """
    CREATE TRIGGER mark_events_are_fixed BEFORE UPDATE ON mark_events BEGIN
        SELECT RAISE(ABORT, 'marks are append-only');
    END
    """,
    "CREATE INDEX mark_events_tags ON mark_events (pair_key, annotator, id) WHERE kind = 'tag'",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
