"""Where papers were published, in which language, how well they were read, and where each of these facts comes from.

sources: JSON, where each field's value comes from. to_check: JSON, the names of what the parser was not sure of.
"""

from alembic import op

revision = "0011"
down_revision = "0010"

STATEMENTS = (
    "ALTER TABLE papers ADD COLUMN journal TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE papers ADD COLUMN keywords TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE papers ADD COLUMN language TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE papers ADD COLUMN words INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE papers ADD COLUMN unknown_words INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE papers ADD COLUMN unknown_lines TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE papers ADD COLUMN sources TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE papers ADD COLUMN to_check TEXT NOT NULL DEFAULT '[]'",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
