"""Samples for estimates of the distant labels' precision: each draw, and the pairs of its frame that are in the sample.

precision_draws.domains: JSON, the domains that the draw was limited to; [] for none. pairs: how many it was made from.
last_pair: the highest id that a pair had had. precision_sample.probability: that of being drawn, by this draw alone.
"""

from alembic import op

revision = "0013"
down_revision = "0012"


def _append_only(table: str, noun: str) -> tuple[str, ...]:
    return tuple(
        f"""
        CREATE TRIGGER {table}_is_{state} BEFORE {event} ON {table} BEGIN
            SELECT RAISE(ABORT, '{noun} are append-only');
        END
        """
        for state, event in (("kept", "DELETE"), ("fixed", "UPDATE"))
    )


STATEMENTS = (
    """
    CREATE TABLE precision_draws (
        id INTEGER NOT NULL PRIMARY KEY,
        seed INTEGER NOT NULL,
        domains TEXT NOT NULL,
        pairs INTEGER NOT NULL,
        last_pair INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE precision_sample (
        draw INTEGER NOT NULL REFERENCES precision_draws (id),
        pair_key TEXT NOT NULL,
        probability REAL NOT NULL CHECK (probability > 0 AND probability <= 1),
        PRIMARY KEY (draw, pair_key)
    ) WITHOUT ROWID
    """,
    *_append_only("precision_draws", "draws"),
    *_append_only("precision_sample", "samples"),
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
