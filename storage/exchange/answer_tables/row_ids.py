"""The ids of rows: each says whose answer to which pair a row is, and survives spreadsheets."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from storage.annotation.annotation_rounds import Assignment
from storage.stores import Stores

ID = "pairwright_id"  # not "id", which Label Studio replaces with its own
_PREFIX = "pw"
# Letters alone, so that no spreadsheet takes an id for a number or a date; no vowels, so that it spells no word.
_LETTERS = "bcdfghjklmnpqrstvwxz"
_LENGTH = 16  # letters: 69 bits
_ID = re.compile(rf"[\W_]*{_PREFIX}[\W_]*([{_LETTERS}]{{{_LENGTH}}})[\W_]*", re.IGNORECASE)
_IN_FILE = re.compile(rb"(?i)\b(%b-[%b]{%d}|%b)\b" % (_PREFIX.encode(), _LETTERS.encode(), _LENGTH, ID.encode()))
_MAX_ID_LENGTH = 100  # characters of a cell with an id, with what a spreadsheet has added
_SEARCHED_BYTES = 1_000_000


class AskedPair(NamedTuple):
    """A pair that an annotator was asked about. assignment: its uid."""

    assignment: str
    key: str


def row_id(assignment: str, key: str) -> str:
    """The id of an assignment's row; nothing of the assignment (its uid) or the pair can be told from it.

    >>> row_id("uid", "key")
    'pw-kgcbglxldsfmblqk'
    """
    digest = blake2b(f"{assignment}\0{key}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
    number, letters = int.from_bytes(digest, "big"), ""
    for _ in range(_LENGTH):
        number, letter = divmod(number, len(_LETTERS))
        letters += _LETTERS[letter]
    return f"{_PREFIX}-{letters}"


def find_row_id(cell: object) -> str:
    """The id in a cell, as it was written; "" if the cell holds none.

    >>> find_row_id(" 'PW–KGCBGLXLDSFMBLQK ")
    'pw-kgcbglxldsfmblqk'
    """
    if not isinstance(cell, str) or len(cell) > _MAX_ID_LENGTH:
        return ""
    found = _ID.fullmatch(cell)
    return f"{_PREFIX}-{found[1].lower()}" if found else ""


def holds_row_ids(path: Path) -> bool:
    """Whether something like an id of a row, or the name of their column, is at the beginning of a file.

    The column alone says that the ids were deleted, which merging explains. `OSError` if the file cannot be read.
    """
    with path.open("rb") as file:
        return _IN_FILE.search(file.read(_SEARCHED_BYTES).replace(b"\0", b"")) is not None  # NUL: of UTF-16


class RowIds:
    """The ids of all rows that the project could have sent, with the assignments by uid.

    Rounds that ask for kinds are never sent as tables.
    """

    def __init__(self, stores: Stores) -> None:
        self.assignments: dict[str, Assignment] = {}
        self._asked: dict[str, AskedPair] = {}
        replaced: defaultdict[str, list[str]] = defaultdict(list)
        for old, new in stores.paper_removals.successors().items():
            replaced[new].append(old)
        for round in stores.annotation_rounds.all():
            if round.taxonomy is not None:
                continue
            pairs = stores.annotation_rounds.pairs(round.number)
            for one in stores.annotation_rounds.assignments(round.number):
                self.assignments[one.uid] = one
                for pair in pairs:
                    if pair.annotator in (None, one.annotator):
                        for key in (pair.key, *replaced.get(pair.key, ())):
                            self._asked[row_id(one.uid, key)] = AskedPair(one.uid, pair.key)

    def find(self, id: str) -> AskedPair | None:
        """What a row with this id answers; None if the project has sent no such row."""
        return self._asked.get(id)


def by_row_id(assignment: str, keys: Collection[str]) -> Mapping[str, str]:
    """The keys of an assignment's pairs by row id, in the order of ids, which tells annotators nothing."""
    return dict(sorted((row_id(assignment, key), key) for key in keys))
