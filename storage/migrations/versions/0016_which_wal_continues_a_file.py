"""Each commit names the one before it, so that a WAL of another copy of the project is not taken for its own."""

from alembic import op

revision = "0016"
down_revision = "0015"

STATEMENTS = (
    """
    CREATE TABLE last_commit (
        id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
        previous BLOB NOT NULL,
        token BLOB NOT NULL
    )
    """,
    "INSERT INTO last_commit VALUES (1, randomblob(16), randomblob(16))",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
