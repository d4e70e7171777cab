"""An annotator has several queues in Review, in place of one round; `rounds.turn` is highest for the one that is on.

A queue that is an annotation round has the number of that round. Until now it had the next one of the annotator's own.
"""

from alembic import op

revision = "0010"
down_revision = "0009"

_ANNOTATION_ROUND = """
    SELECT max(annotation_rounds.number) FROM annotation_rounds
    JOIN assignments ON assignments.round = annotation_rounds.id AND assignments.annotator = rounds.annotator
    WHERE NOT EXISTS (
        SELECT 1 FROM round_pairs WHERE round_pairs.round = rounds.id AND pair_key NOT IN (
            SELECT pair_key FROM annotation_round_pairs WHERE round = annotation_rounds.id
        )
    )
"""

STATEMENTS = (
    """
    CREATE TABLE later_rounds (
        id INTEGER NOT NULL PRIMARY KEY,
        annotator TEXT NOT NULL,
        number INTEGER NOT NULL,
        pair_order TEXT NOT NULL,
        filter TEXT NOT NULL,
        size INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        turn INTEGER NOT NULL
    )
    """,
    f"""
    INSERT INTO later_rounds
    SELECT id, annotator, iif(pair_order = 'assigned', coalesce(({_ANNOTATION_ROUND}), number), number), pair_order,
        filter, size, seed, 1
    FROM rounds
    """,
    """
    CREATE TABLE later_round_pairs (
        round INTEGER NOT NULL REFERENCES later_rounds (id) ON DELETE CASCADE,
        pair_key TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        skipped INTEGER,
        PRIMARY KEY (round, pair_key)
    ) WITHOUT ROWID
    """,
    "INSERT INTO later_round_pairs SELECT round, pair_key, ordinal, skipped FROM round_pairs",
    "DROP TABLE round_pairs",
    "DROP TABLE rounds",
    "ALTER TABLE later_rounds RENAME TO rounds",
    "ALTER TABLE later_round_pairs RENAME TO round_pairs",
    "CREATE INDEX rounds_by_annotator ON rounds (annotator, turn)",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
