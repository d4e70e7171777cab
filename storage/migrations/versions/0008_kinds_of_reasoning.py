"""Kinds of reasoning and direction: what people say of a pair besides its relation.

`kind_events` is append-only, as the history of answers is. `categories`, `direction` and `complete` follow from the
answers in `new` and the taxonomy, and are kept for filters; `categories` has a space before and after each name.
`pair_kinds` follows from `kind_events`: what people say of each pair, for filters, the table of pairs and exports.

`annotation_rounds.asks` is what a round asks of its pairs, relation or kinds; the latter by its `taxonomy`.
`annotation_round_pairs.annotator` is whose pair it is, NULL for everybody who answers the round.
"""

from alembic import op

revision = "0008"
down_revision = "0007"

STATEMENTS = (
    """
    CREATE TABLE taxonomies (
        digest TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        text TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE kind_events (
        id INTEGER NOT NULL PRIMARY KEY,
        pair_key TEXT NOT NULL,
        annotator TEXT NOT NULL,
        at TEXT NOT NULL,
        taxonomy TEXT NOT NULL REFERENCES taxonomies (digest),
        old TEXT,
        new TEXT,
        relation TEXT,
        categories TEXT NOT NULL,
        direction TEXT,
        complete BOOLEAN NOT NULL,
        action INTEGER REFERENCES actions (id)
    )
    """,
    "CREATE INDEX kind_events_by_pair ON kind_events (pair_key, annotator, id)",
    "CREATE INDEX kind_events_by_action ON kind_events (action)",
    """
    CREATE TABLE pair_kinds (
        pair_key TEXT NOT NULL PRIMARY KEY,
        annotators INTEGER NOT NULL,
        relation TEXT NOT NULL,
        categories TEXT NOT NULL,
        differing TEXT NOT NULL,
        direction TEXT
    ) WITHOUT ROWID
    """,
    """
    CREATE TRIGGER kind_events_are_kept BEFORE DELETE ON kind_events BEGIN
        SELECT RAISE(ABORT, 'answers about kinds are append-only');
    END
    """,
    """
    CREATE TRIGGER kind_events_are_fixed BEFORE UPDATE ON kind_events BEGIN
        SELECT RAISE(ABORT, 'answers about kinds are append-only');
    END
    """,
    "ALTER TABLE annotation_rounds ADD COLUMN asks TEXT NOT NULL DEFAULT 'relation'",
    "ALTER TABLE annotation_rounds ADD COLUMN taxonomy TEXT REFERENCES taxonomies (digest)",
    "ALTER TABLE annotation_round_pairs ADD COLUMN annotator TEXT",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
