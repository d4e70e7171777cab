"""Converts between rows of the database and records."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum, StrEnum
from functools import cache, partial
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from sqlalchemy import Result, RowMapping

from miner import codec
from miner.parsing.spans import UNITS_PER_POINT, pack_spans
from miner.records import (
    Box,
    FieldSource,
    Label,
    Pair,
    PairFlag,
    Paper,
    PaperDescription,
    PaperPosition,
    Paragraph,
    Section,
    SectionKind,
    Sentence,
    Span,
    Strategy,
)
from storage.errors import translate_decoding_errors
from storage.untrusted import inflate

_MAX_SPANS_BYTES = 64_000_000  # of a paragraph; some 2 million lines

_Values = dict[str, Any]  # by column
T = TypeVar("T")


@cache
def field_types(record: Any) -> dict[str, Any]:
    """The fields of a dataclass or named tuple, in order, with their types."""
    hints = get_type_hints(record)
    names = [field.name for field in fields(record)] if is_dataclass(record) else record._fields
    return {name: hints[name] for name in names}


def field_notes(record: Any) -> dict[str, str]:
    """What stands beside the type of each field, as the SQL in `Annotated[str, "pairs.label"]`; KeyError for a field
    without any."""
    hints = get_type_hints(record, include_extras=True)
    missing = [name for name in field_types(record) if not hasattr(hints[name], "__metadata__")]
    if missing:
        raise KeyError(f"{record.__name__} lacks SQL for {', '.join(missing)}")
    return {name: hints[name].__metadata__[0] for name in field_types(record)}


def read_all(record: type[T], rows: Result[Any] | sqlite3.Cursor) -> Iterator[T]:
    """A record of each row. A column is the field of its name, and is converted to the field's type.

    Text is read as an enumeration's value, a time, or JSON. A field with a default needs no column.
    """
    names = tuple(rows.keys()) if isinstance(rows, Result) else tuple(column[0] for column in rows.description)
    read = _reader(record, names)
    with translate_decoding_errors():
        for row in rows:
            yield read(row)


def read_first(record: type[T], rows: Result[Any] | sqlite3.Cursor) -> T | None:
    """The record of the first row; None if there is no row."""
    return next(iter(read_all(record, rows)), None)


def read_part(record: type[T], row: RowMapping) -> T:
    """The record of a row, as `read_all`; the row may have other columns too."""
    types = field_types(record)  # type: ignore[arg-type]  # mypy believes that a class cannot be hashed
    names = tuple(name for name in types if name in row)
    read: Callable[[Any], T] = _reader(record, names)
    with translate_decoding_errors():
        return read(row[name] for name in names)


def _make_reader(record: Any, names: tuple[str, ...]) -> Callable[[Any], Any]:
    """What makes a record of a row with these columns."""
    types = field_types(record)
    if set(names) - types.keys() or _required_fields(record) - set(names) or len(set(names)) < len(names):
        raise TypeError(f"the fields of {record.__name__} are not {', '.join(names)}")
    converters = [(place, convert) for place, name in enumerate(names) if (convert := _converter(types[name]))]
    by_keyword = is_dataclass(record) and any(one.kw_only for one in fields(record))
    in_order = names == tuple(types)[: len(names)] and not by_keyword  # the usual case, which is faster

    def read(row: Iterable[Any]) -> Any:
        values = list(row)
        for place, convert in converters:
            values[place] = convert(values[place])
        return record(*values) if in_order else record(**dict(zip(names, values, strict=True)))

    return read


_reader: Callable[[Any, tuple[str, ...]], Callable[[Any], Any]] = cache(_make_reader)


def _required_fields(record: Any) -> set[str]:
    if is_dataclass(record):
        return {one.name for one in fields(record) if one.default is MISSING and one.default_factory is MISSING}
    return {name for name in record._fields if name not in record._field_defaults}


def _converter(kind: Any) -> Callable[[Any], Any] | None:
    """What makes a value of this type of a stored one; None where it is stored as it is."""
    if NoneType in get_args(kind):
        plain, *others = [one for one in get_args(kind) if one is not NoneType]
        if others:  # any of several plain types
            return None
        convert = _converter(plain)
        return convert and (lambda value: None if value is None else convert(value))
    if kind is datetime:
        return datetime.fromisoformat
    if kind is bool or (isinstance(kind, type) and issubclass(kind, Enum)):
        return kind
    if kind is int:
        return _read_int
    if kind in (str, float, bytes, Any):
        return None
    if get_origin(kind) in (tuple, frozenset):
        item = get_args(kind)[0]
        if item is str or (isinstance(item, type) and issubclass(item, StrEnum)):
            return partial(_read_strings, get_origin(kind), item)
    return partial(codec.decode, kind)


def _read_int(value: Any) -> int:
    """The value, which SQLite may have as another type than its column's; what is computed of it would fail later."""
    if type(value) is not int:
        raise TypeError("not an integer")
    return value


def _read_strings(kind: type[T], item: type[str], text: str) -> T:
    """As `codec.decode`, but faster, and items that are plain text are not looked at."""
    found = json.loads(text)
    if not isinstance(found, list):
        raise ValueError("not a list")
    return kind(found if item is str else map(item, found))  # type: ignore[call-arg]


def stored_value(value: Any) -> Any:
    """A value of a record's field as it is stored, from which `read_all` makes it again."""
    if isinstance(value, datetime):
        return utc_text(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return json.dumps(dict(value), ensure_ascii=False)
    if isinstance(value, (tuple, list, frozenset)):
        return json.dumps(sorted(value) if isinstance(value, frozenset) else value, ensure_ascii=False)
    return value


def utc_text(at: datetime) -> str:
    """A time as it is stored: ISO 8601 in UTC, so that the order of texts is that of times."""
    return at.astimezone(UTC).isoformat()


def check_spans(packed: bytes | None) -> None:
    """Raises an error if `unpack_spans` would."""
    if packed is not None and len(inflate(packed, _MAX_SPANS_BYTES)) % 28:
        raise ValueError("a paragraph's place on its page is not one")


@translate_decoding_errors()
def unpack_spans(packed: bytes | None) -> tuple[Span, ...]:
    if packed is None:
        return ()
    content = inflate(packed, _MAX_SPANS_BYTES)
    numbers = struct.unpack(f"<{len(content) // 4}i", content)
    columns = (numbers[first : first + len(numbers) // 7] for first in range(0, len(numbers), len(numbers) // 7))
    return tuple(
        Span(start, end, Box(page, *(side / UNITS_PER_POINT for side in sides)))
        for start, end, page, *sides in zip(*columns, strict=True)
    )


def paragraph_values(paper_id: int, paper: Paper) -> Iterator[_Values]:
    for number, section in enumerate(paper.sections):
        for ordinal, paragraph in enumerate(section.paragraphs):
            yield {
                "paper_id": paper_id,
                "section": number,
                "ordinal": ordinal,
                "text": paragraph.text,
                "after_break": paragraph.after_break,
                "sentences": json.dumps(paragraph.sentences, separators=(",", ":")),
                "spans": pack_spans(paragraph.spans),
            }


@translate_decoding_errors()
def paper_from_rows(
    row: RowMapping,
    sections: Iterable[tuple[int, str, str]],
    paragraphs: Iterable[tuple[int, str, bool, str, bytes | None]],
) -> Paper:
    """A paper from its row, its sections in order, and its paragraphs in order."""
    by_section: dict[int, list[Paragraph]] = {}
    for section, text, after_break, sentences, spans in paragraphs:
        found = tuple(Sentence(start, end) for start, end in json.loads(sentences))
        by_section.setdefault(section, []).append(Paragraph(text, found, unpack_spans(spans), bool(after_break)))
    description = read_part(PaperDescription, row)
    return Paper(
        **{name: getattr(description, name) for name in field_types(PaperDescription)},
        sources=field_sources(row),
        sections=tuple(
            Section(title, tuple(by_section.get(ordinal, ())), SectionKind(kind)) for ordinal, title, kind in sections
        ),
    )


def field_sources(row: RowMapping) -> tuple[FieldSource, ...]:
    """The sources in a paper's row; `ValueError` or the like if they are damaged."""
    unsure = set(json.loads(row["to_check"]))
    return tuple(
        FieldSource(field, str(source), field not in unsure) for field, source in json.loads(row["sources"]).items()
    )


@translate_decoding_errors()
def pair_from_row(row: RowMapping) -> Pair:
    return Pair(
        key=row["key"],
        premise=row["premise"],
        hypothesis=row["hypothesis"],
        hypothesis_original=row["hypothesis_original"],
        strategy=Strategy(row["strategy"]),
        distant_label=Label(row["distant_label"]) if row["distant_label"] else None,
        phrase=row["phrase"],
        premise_at=PaperPosition(row["premise_section"], row["premise_paragraph"], row["premise_sentence"]),
        hypothesis_at=PaperPosition(row["hypothesis_section"], row["hypothesis_paragraph"], row["hypothesis_sentence"]),
        page=row["page"],
        flags=tuple(PairFlag(flag) for flag in json.loads(row["flags"])),
    )
