"""Rounds of review are tables, and settings are JSON values instead of JSON in text.

`rounds`: the pairs that an annotator set out to answer, `filter` (JSON) and `pair_order` being how they were chosen.
`round_pairs.skipped` is the place among those that come last because they were skipped.
Values that were not as the program wrote them are left behind.
"""

from alembic import op

revision = "0005"
down_revision = "0004"

_VALID = "CASE WHEN json_valid(value) THEN {} END"
_TYPE = _VALID.format("json_type(value)")

STATEMENTS = (
    """
    CREATE TABLE rounds (
        id INTEGER NOT NULL PRIMARY KEY,
        annotator TEXT NOT NULL UNIQUE,
        number INTEGER NOT NULL,
        pair_order TEXT NOT NULL,
        filter TEXT NOT NULL,
        size INTEGER NOT NULL,
        seed INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE round_pairs (
        round INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
        pair_key TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        skipped INTEGER,
        PRIMARY KEY (round, pair_key)
    ) WITHOUT ROWID
    """,
    f"""
    INSERT OR IGNORE INTO rounds (annotator, number, pair_order, filter, size, seed)
    SELECT substr(key, 7), value ->> '$.number', value ->> '$.order', value -> '$.filter', value ->> '$.size',
        value ->> '$.seed'
    FROM settings WHERE key LIKE 'round:%' AND {_VALID.format("json_type(value, '$.keys')")} = 'array' ORDER BY key
    """,
    """
    INSERT OR IGNORE INTO round_pairs (round, pair_key, ordinal)
    SELECT rounds.id, pairs.value, pairs.key
    FROM rounds JOIN settings ON settings.key = 'round:' || annotator, json_each(settings.value, '$.keys') AS pairs
    """,
    f"""
    UPDATE round_pairs SET skipped = skips.place FROM (
        SELECT rounds.id AS round, skipped.key AS place, skipped.value AS pair_key
        FROM rounds JOIN (SELECT * FROM settings WHERE key LIKE 'skipped:%' AND {_TYPE} = 'array') AS known
            ON known.key = 'skipped:' || annotator, json_each(known.value) AS skipped
    ) AS skips WHERE skips.round = round_pairs.round AND skips.pair_key = round_pairs.pair_key
    """,
    "DELETE FROM settings WHERE key LIKE 'round:%' OR key LIKE 'skipped:%'",
    f"""
    UPDATE settings SET value = value ->> '$'
    WHERE key IN ('mining', 'sentences') AND {_TYPE} = 'text' AND json_valid(value ->> '$')
    """,
    f"""
    UPDATE settings SET value = (
        SELECT json_group_object(key, json(value)) FROM json_each(settings.value)
        WHERE type = 'text' AND CASE WHEN type = 'text' THEN json_valid(value) END
    ) WHERE key = 'pair_filters' AND {_TYPE} = 'object'
    """,
    f"""
    UPDATE settings SET value = value -> '$.options'
    WHERE key IN ('export', 'export in splits') AND {_VALID.format("json_type(value, '$.options')")} = 'object'
    """,
    f"""
    INSERT OR IGNORE INTO settings (key, value)
    SELECT 'export in splits', value FROM settings
    WHERE key = 'export' AND {_VALID.format("value -> '$.shares'")} NOT IN ('{{}}', 'null')
    """,
    "UPDATE settings SET value = 'true' WHERE key = 'sample'",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
