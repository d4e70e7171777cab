"""What people decided about two papers that are alike: that they are one paper, or that both are to be kept.

Decisions are events of `setup_events` under the subject "papers MD5 MD5", so that they can be undone like others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import Connection, insert

from storage.errors import translate_decoding_errors
from storage.schema import SetupEventRow

PAPERS = "papers"  # how the subjects begin
KEEP_BOTH = json.dumps("both")
_LATEST = f"""
    SELECT subject, new FROM setup_events AS e WHERE subject LIKE '{PAPERS} %' AND id = (
        SELECT max(id) FROM setup_events WHERE subject = e.subject
    )
"""


def decisions(connection: Connection) -> dict[str, str]:
    """The decisions (JSON) that were made about pairs of papers, by subject."""
    rows = connection.exec_driver_sql(_LATEST)
    return {subject: decision for subject, decision in rows if decision is not None}


def subject_of(one: str, other: str) -> str:
    return " ".join((PAPERS, *sorted((one, other))))


def pairs_kept(connection: Connection) -> set[frozenset[str]]:
    """The MD5s of each two papers that are both to be kept."""
    return {frozenset(subject.split()[1:]) for subject, what in decisions(connection).items() if what == KEEP_BOTH}


def record_kept(connection: Connection, action: int, one: str, other: str) -> bool:
    """Record as part of an action that both papers are to be kept; False if that was recorded already."""
    return _record(connection, action, subject_of(one, other), KEEP_BOTH)


def record_merge(connection: Connection, action: int, kept: str, other: str, files: Sequence[str]) -> None:
    """Record as part of an action that a paper was merged into `kept`. files: the MD5s of its files."""
    _record(connection, action, subject_of(kept, other), json.dumps({"kept": kept, "files": sorted(set(files))}))


@translate_decoding_errors()
def merged_files(connection: Connection) -> frozenset[str]:
    """The MD5s of files that are another form of their paper by a merge, and that its text is never read from."""
    found = [json.loads(what) for what in decisions(connection).values() if what != KEEP_BOTH]
    return frozenset(md5 for merge in found for md5 in merge["files"])


def _record(connection: Connection, action: int, subject: str, what: str) -> bool:
    old = decisions(connection).get(subject)
    if old != what:
        connection.execute(insert(SetupEventRow).values(subject=subject, old=old, new=what, action=action))
    return old != what
