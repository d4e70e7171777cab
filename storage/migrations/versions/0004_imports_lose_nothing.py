"""Imported pairs keep all that their file says of them, and the paper that it says they are of.

`papers.source_md5` of a data set is what it is known by outside: the paper's MD5 as the file says, else its content's.
`pairs.source` is JSON: what a file says of a pair and no other column holds.
"""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = (
    "ALTER TABLE papers ADD COLUMN source_md5 TEXT",
    "CREATE INDEX papers_in_order ON papers (coalesce(source_md5, md5))",
    "ALTER TABLE pairs ADD COLUMN source TEXT",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
