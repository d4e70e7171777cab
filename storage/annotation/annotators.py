"""The people who annotate, and what their answers count for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from sqlalchemy import Connection, insert, select, update

from miner.errors import UserError
from storage.annotation.answers import CHANGED_ANSWERS
from storage.connections import driver_connection
from storage.convert import read_all
from storage.pairs.annotated_neutrals import HISTORIES
from storage.pairs.facets import IS_ANNOTATED
from storage.pairs.judgement import PairScope
from storage.pairs.selection import ProgressCallback, SelectionStore
from storage.schema import columns_of, table_of

_MAX_NAME_LENGTH = 80  # characters


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


ANNOTATORS = table_of("annotators", Annotator, id=int, checksum=int | None)
# A merge of papers copies the answers of the paper that goes, and keeps them.
_ANSWER_COUNTS = f"""
    WITH {CHANGED_ANSWERS}
    SELECT annotator, count(*) FROM (SELECT DISTINCT pair_key, annotator FROM label_events) AS given
    WHERE EXISTS (SELECT 1 FROM pairs WHERE key = pair_key) AND iif((pair_key, annotator) IN changed_answers, EXISTS (
        SELECT 1 FROM answers WHERE pair_key = given.pair_key AND annotator = given.annotator AND via = 'answer'
    ), 1) GROUP BY annotator
"""
_KINDS_COUNTS = """
    SELECT annotator, count(*) FROM kind_events AS e
    WHERE complete AND id = (SELECT max(id) FROM kind_events WHERE pair_key = e.pair_key AND annotator = e.annotator)
    GROUP BY annotator
"""
_ANSWERED_BY = """
    SELECT pair_key AS key FROM label_events WHERE annotator = :annotator
    UNION SELECT pair_key FROM kind_events WHERE annotator = :annotator
"""
_ALL_JUDGED = f"""
    SELECT pair_key AS key FROM label_events UNION SELECT pair_key FROM kind_events
    UNION SELECT key FROM pairs INDEXED BY pairs_judged WHERE ({IS_ANNOTATED}) AND pairs.majority <> pairs.distant_label
"""
_OF_ANNOTATOR = ("assignments", "actions", "rounds", *HISTORIES)  # tables of what people do and are given
_HAS_NOTHING = " AND ".join(f"NOT EXISTS (SELECT 1 FROM {table} WHERE annotator = :key)" for table in _OF_ANNOTATOR)
_DELETE_UNUSED = f"""
    DELETE FROM annotators WHERE key = :key AND role = '{Role.ANNOTATOR}' AND {_HAS_NOTHING} AND NOT EXISTS (
        SELECT 1 FROM setup_events WHERE subject IN ('person ' || :key, 'role ' || :key, 'name ' || :key)
    )
"""


class AnnotatorStore:
    """The annotators of the project. A key in the histories that is not among them has the role of an annotator."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self) -> list[Annotator]:
        """All annotators, by name."""
        query = select(*columns_of(ANNOTATORS, Annotator)).order_by(ANNOTATORS.c.name)
        return list(read_all(Annotator, self._connection.execute(query)))

    def get(self, key: str) -> Annotator:
        """The annotator with this key, which is also the name of an annotator who is not registered."""
        known = next((one for one in self.all() if one.key == key), None)
        return known or Annotator(key, key, Role.ANNOTATOR)

    def find(self, name: str) -> Annotator | None:
        """The annotator with this name, in upper or lower case; None if there is none."""
        wanted = " ".join(name.split()).casefold()
        return next((one for one in self.all() if one.name.casefold() == wanted), None)

    def names(self) -> dict[str, str]:
        """The annotators' names by key; a key that is not among them is its own name."""
        return {one.key: one.name for one in self.all()}

    def answer_counts(self) -> dict[str, int]:
        """How many pairs each annotator has answered, by key; accepted suggestions do not count."""
        return dict(driver_connection(self._connection).execute(_ANSWER_COUNTS).fetchall())

    def kinds_counts(self) -> dict[str, int]:
        """For how many pairs each annotator has answered all questions about kinds of reasoning, by key."""
        return dict(driver_connection(self._connection).execute(_KINDS_COUNTS).fetchall())

    def ensure(self, name: str, role: Role = Role.ANNOTATOR) -> Annotator:
        """The annotator with this name, added with this role if there is none.

        `UserError` if it is not a valid name.
        """
        name = clean_name(name)
        if known := self.find(name):
            return known
        annotator = Annotator(key_for(name, self.names()), name, role)
        self._connection.execute(insert(ANNOTATORS).values(asdict(annotator)))
        return annotator

    def remove_unused(self, key: str) -> None:
        """Remove an annotator who has done nothing, was given nothing, and about whom nobody has decided anything."""
        self._connection.exec_driver_sql(_DELETE_UNUSED, {"key": key})

    def register(self, key: str) -> Annotator:
        """The annotator with this key, registered now if nobody has done so."""
        annotator = self.get(key)
        self._connection.execute(insert(ANNOTATORS).prefix_with("OR IGNORE").values(asdict(annotator)))
        return annotator

    def rename(self, key: str, name: str) -> Annotator:
        """Rename an annotator, who keeps their answers. `UserError` if another annotator has this name."""
        name = clean_name(name)
        other = self.find(name)
        if other is not None and other.key != key:
            raise UserError(
                f"{other.name} is the name of another annotator of this project.",
                hint="Choose a name that tells the two apart.",
            )
        annotator = self.register(key)
        self._connection.execute(update(ANNOTATORS).where(ANNOTATORS.c.key == key).values(name=name))
        return Annotator(key, name, annotator.role)

    def set_role(self, key: str, role: Role, tick: ProgressCallback) -> int:
        """Change what an annotator's answers are; the number of pairs whose status was derived again."""
        if self.register(key).role is role:
            return 0
        self._connection.execute(update(ANNOTATORS).where(ANNOTATORS.c.key == key).values(role=role))
        return self._refresh(PairScope(_ANSWERED_BY, {"annotator": key}), tick)

    def refresh_statuses(self, tick: ProgressCallback) -> int:
        """Derive the status of all judged pairs again, after the rules of gold have changed; returns how many."""
        return self._refresh(PairScope(_ALL_JUDGED, {}), tick)

    def _refresh(self, scope: PairScope, tick: ProgressCallback) -> int:
        selection = SelectionStore(self._connection).of_scope(scope)
        selection.refresh(tick)
        return selection.count


def key_for(name: str, names: Mapping[str, str]) -> str:
    """The key of the annotator of this name among `names` (by key); a new one if nobody has the name.

    A new key is the name itself, unless somebody who was renamed has it as key.
    """
    wanted = name.casefold()
    if known := next((key for key, other in names.items() if other.casefold() == wanted), None):
        return known
    keys = (name if number == 1 else f"{name} ({number})" for number in range(1, len(names) + 2))
    return next(key for key in keys if key not in names)


def clean_name(name: str) -> str:
    """A name without control characters and needless spaces. `UserError` if nothing is left, or it is too long."""
    cleaned = "".join(character for character in " ".join(name.split()) if character.isprintable()).strip()
    if not cleaned:
        raise UserError("An annotator needs a name.", hint="Initials will do.")
    if len(cleaned) > _MAX_NAME_LENGTH:
        raise UserError(f"A name has at most {_MAX_NAME_LENGTH} characters; this one has {len(cleaned):,}.")
    return cleaned
