"""A project has one split of its papers, and `pairs.split` follows from it; what a data set's file says is `own_split`.

Rules of gold hold in dev and test papers alone from now on. In older projects, which have no split, they go on to hold
everywhere until a person splits the papers: the setting "gold everywhere". There one vote was enough, unless somebody
chose otherwise; now three are the default.

The plan of a round has a target for each split, in place of one for both.
"""

from alembic import op

revision = "0009"
down_revision = "0008"

STATEMENTS = (
    "ALTER TABLE papers ADD COLUMN split TEXT",
    "ALTER TABLE pairs ADD COLUMN own_split TEXT",
    "UPDATE pairs SET own_split = split WHERE split IS NOT NULL",
    "CREATE INDEX pairs_with_own_split ON pairs (paper_id, own_split) WHERE own_split IS NOT NULL",
    "CREATE INDEX release_splits_by_md5 ON release_splits (md5, release)",
    "CREATE INDEX release_splits_by_pair ON release_splits (pair_key, release)",
    """
    INSERT OR IGNORE INTO settings (key, value)
    SELECT 'gold', '{"rule":"majority","votes":1}' WHERE EXISTS (SELECT 1 FROM label_events)
    """,
    """
    INSERT OR IGNORE INTO settings (key, value)
    SELECT 'gold everywhere', 'true' FROM settings WHERE key = 'gold'
    """,
    """
    UPDATE annotation_rounds SET plan = json_set(
        json_remove(plan, '$.target'), '$.dev', 0, '$.test', coalesce(plan ->> '$.target', 0)
    ) WHERE json_valid(plan)
    """,
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
