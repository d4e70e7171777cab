"""The project's own settings: a word, and any JSON."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from storage.errors import decoding
from storage.schema import SettingRow


class SettingStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @decoding()
    def get(self, key: str) -> Any:  # whatever JSON was put
        """The value put last, None when there is none."""
        value = self._connection.scalar(select(SettingRow.value).where(SettingRow.key == key))
        return None if value is None else json.loads(value)

    def put(self, key: str, value: object) -> None:
        """Keep anything JSON can say; None forgets it."""
        if value is None:
            self._connection.execute(delete(SettingRow).where(SettingRow.key == key))
        else:
            text = json.dumps(value, ensure_ascii=False, sort_keys=True)
            statement = insert(SettingRow).values(key=key, value=text)
            self._connection.execute(statement.on_conflict_do_update(["key"], set_={"value": text}))
