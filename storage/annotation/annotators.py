"""The people who annotate, and what their answers count for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, select

from storage.schema import AnnotatorRow


class Role(StrEnum):
    """What an annotator's answers are (SciNLI, section 3.3; MSciNLI, sections 3.3, 4.2.3 and A.3).

    ANNOTATOR: votes for the gold label. REFERENCE: whom pilot rounds are compared with. ADJUDICATOR: decides where the
    votes have no majority, and is never counted in agreement. EXPERT, LAYPERSON: measure human performance. Only an
    annotator's answers are votes.
    """

    ANNOTATOR = "annotator"
    REFERENCE = "reference"
    ADJUDICATOR = "adjudicator"
    EXPERT = "expert"
    LAYPERSON = "layperson"


ESTIMATE_ROLES = (Role.EXPERT, Role.LAYPERSON)


@dataclass(frozen=True, slots=True)
class Annotator:
    """key: what the histories hold; it never changes. name: what people see; unique in the project."""

    key: str
    name: str
    role: Role


class AnnotatorStore:
    """The annotators of the project. A key in the histories that is not among them has the role of an annotator."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self) -> list[Annotator]:
        """All annotators, by name."""
        rows = self._connection.execute(select(AnnotatorRow.__table__).order_by(AnnotatorRow.name))
        return [Annotator(row.key, row.name, Role(row.role)) for row in rows]
