"""Doubt is the probability that a label is wrong, where it was 1 less the model's probability of the label.

The shares of right labels, by class: MSciNLI (Sadat and Caragea, 2024), table 12.
"""

from alembic import op

revision = "0014"
down_revision = "0013"

_RIGHT = {"contrasting": 0.929, "reasoning": 0.831, "entailment": 0.792, "neutral": 0.967}
_CASES = " ".join(
    f"WHEN '{label}' THEN round(10000 * {(1 - right) / 3} * doubt"
    f" / ({(1 - right) / 3} * doubt + {right} * (10000 - doubt)))"
    for label, right in _RIGHT.items()
)
UPDATE = f"""
    UPDATE suggestions
    SET doubt = CASE (SELECT distant_label FROM pairs WHERE pairs.id = suggestions.pair) {_CASES} ELSE doubt END
    WHERE doubt IS NOT NULL
"""


def upgrade() -> None:
    op.execute(UPDATE)
