"""A label of a data set's own dev or test holds until all votes are there, as a gold label of its file does."""

from alembic import op

revision = "0015"
down_revision = "0014"

UPDATE = """
    UPDATE pairs SET status = 'settled', gold = distant_label, majority = distant_label
    WHERE status = 'unsettled' AND strategy = 'imported' AND own_split = split AND split IN ('dev', 'test')
        AND distant_label IS NOT NULL AND EXISTS (SELECT 1 FROM settings WHERE key = 'split')
        AND votes < coalesce((SELECT value ->> '$.votes' FROM settings WHERE key = 'gold'), 3)
"""


def upgrade() -> None:
    op.execute(UPDATE)
