"""Ties: pairs whose annotators have all answered without a majority, which an adjudicator decides."""

from __future__ import annotations

from sqlalchemy import Connection

from storage.annotation.annotators import Role
from storage.pairs.facets import IS_ANNOTATED
from storage.pairs.judgement import NEEDED_VOTES

# Only the contested of the pairs with enough votes can be ties. A majority for "unclear" is a decision, and no tie.
_TIES = f"""
    WITH undecided AS MATERIALIZED (
        SELECT pairs.key FROM pairs INDEXED BY pairs_judged
        WHERE ({IS_ANNOTATED}) AND pairs.current AND pairs.status = 'unsettled' AND pairs.contested
            AND pairs.votes >= {NEEDED_VOTES}
    ),
    given AS MATERIALIZED (
        SELECT undecided.key, answers.annotator, answers.answer, coalesce(annotators.role, '{Role.ANNOTATOR}') AS role
        FROM undecided CROSS JOIN answers ON answers.pair_key = undecided.key AND via = 'answer'
        LEFT JOIN annotators ON annotators.key = answers.annotator
    ),
    votes AS (SELECT key, count(*) AS votes FROM given WHERE role = '{Role.ANNOTATOR}' GROUP BY key, answer)
    SELECT key FROM votes GROUP BY key
    HAVING max(votes) * 2 <= sum(votes) AND key NOT IN (SELECT key FROM given WHERE {{is_decided}}) ORDER BY key
"""
_BY_ANYBODY = f"role = '{Role.ADJUDICATOR}'"


class AdjudicationStore:
    """Finds ties."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ties(self, adjudicator: str | None = None) -> list[str]:
        """The keys of the ties that this annotator (a key) has not answered; None: that no adjudicator has."""
        if adjudicator is None:
            return list(self._connection.exec_driver_sql(_TIES.format(is_decided=_BY_ANYBODY)).scalars())
        query = _TIES.format(is_decided="annotator = ?")
        return list(self._connection.exec_driver_sql(query, (adjudicator,)).scalars())
