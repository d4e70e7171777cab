"""The cache of parser outputs: GROBID's TEI, and the errors of files that it refused."""

from __future__ import annotations

import gzip
import hashlib
import zlib

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from miner.errors import UnreadableFile
from storage.schema import ParserFailureRow, ParserOutputRow
from storage.untrusted import inflate

_MAX_OUTPUT_BYTES = 256_000_000  # four times what we read of an output


class ParserCache:
    """Outputs and failures by key: a hash of the file, the parameters and the server's version."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> bytes | None:
        """The output stored under `key`; None if there is none or if it is damaged."""
        columns = select(ParserOutputRow.sha256, ParserOutputRow.content)
        row = self._connection.execute(columns.where(ParserOutputRow.key == key)).first()
        if row is None:
            return None
        try:
            content = inflate(row.content, _MAX_OUTPUT_BYTES)
        except (TypeError, zlib.error):  # TypeError: text where bytes belong
            return None
        return content if hashlib.sha256(content).hexdigest() == row.sha256 else None

    def put(self, key: str, content: bytes) -> None:
        """Store an output; replaces an earlier output or failure."""
        values = {"sha256": hashlib.sha256(content).hexdigest(), "content": gzip.compress(content, 6, mtime=0)}
        statement = insert(ParserOutputRow).values(key=key, **values)
        self._connection.execute(statement.on_conflict_do_update(["key"], set_=values))
        self._connection.execute(delete(ParserFailureRow).where(ParserFailureRow.key == key))

    def failure(self, key: str) -> UnreadableFile | None:
        """The failure stored under `key`."""
        columns = select(ParserFailureRow.code, ParserFailureRow.reason, ParserFailureRow.hint)
        row = self._connection.execute(columns.where(ParserFailureRow.key == key)).first()
        return None if row is None else UnreadableFile(row.code, row.reason, hint=row.hint)

    def put_failure(self, key: str, failure: UnreadableFile) -> None:
        values = {"code": failure.code, "reason": str(failure), "hint": failure.hint}
        statement = insert(ParserFailureRow).values(key=key, **values)
        self._connection.execute(statement.on_conflict_do_update(["key"], set_=values))
