"""How a table is declared: by the record that its rows become where there is one, else by a class of its own."""

from __future__ import annotations

from collections.abc import Collection
from types import NoneType
from typing import Any, get_args

from sqlalchemy import REAL, Boolean, Column, Dialect, Integer, LargeBinary, Table, Text, TypeDecorator
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeEngine

from storage.convert import field_types, stored_value


class Base(DeclarativeBase):
    type_annotation_map = {str: Text, float: REAL}  # noqa: RUF012  the base class wants a plain mapping


class StoredText(TypeDecorator[Any]):
    """Text, or what is stored as text: statements convert their values by `stored_value`; rows are left as stored."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return stored_value(value)


_TYPES: dict[type, type[TypeEngine[Any]]] = {int: Integer, bool: Boolean, float: REAL, bytes: LargeBinary}


def table_of(name: str, record: type, computed: Collection[str] = (), **columns: Any) -> Table:
    """The table whose rows become records of this type. A field is the column of its name.

    computed: fields that are no columns. columns: what the table has beside the fields, with types.
    """
    own = {field: kind for field, kind in field_types(record).items() if field not in computed}
    return Table(name, Base.metadata, *(_column(name, kind) for name, kind in (columns | own).items()))


def columns_of(table: Table, record: type) -> list[Column[Any]]:
    """The columns of a table that are fields of a record."""
    return [table.c[field] for field in field_types(record) if field in table.c]


def _column(name: str, kind: Any) -> Column[Any]:
    nullable = NoneType in get_args(kind)
    [plain] = [one for one in get_args(kind) if one is not NoneType] if nullable else [kind]
    return Column(name, _TYPES.get(plain, StoredText), nullable=nullable)
