"""Imported pairs keep all that their file says of them; failed files keep what was chosen for them.

`papers.source_md5` of a data set is what it is known by outside: the paper's MD5 as the file says, else its content's.
`pairs.source` is JSON: what a file says of a pair and no other column holds.
`papers.hidden_words` counts what the parser left out, because it cannot be seen on the pages.
`files.chosen` is JSON: the domain and year that a person chose when the file failed.
"""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = (
    "ALTER TABLE papers ADD COLUMN source_md5 TEXT",
    "CREATE INDEX papers_in_order ON papers (coalesce(source_md5, md5))",
    "ALTER TABLE pairs ADD COLUMN source TEXT",
    "ALTER TABLE files ADD COLUMN chosen TEXT",
    "ALTER TABLE papers ADD COLUMN hidden_words INTEGER NOT NULL DEFAULT 0",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
