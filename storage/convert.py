"""Converts between rows of the database and records."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping

from miner.parsing.spans import UNITS_PER_POINT, pack_spans
from miner.records import (
    Box,
    FieldSource,
    Label,
    Pair,
    PairFlag,
    Paper,
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
    return Paper(
        md5=row["md5"],
        sha256=row["sha256"],
        title=row["title"],
        authors=tuple(json.loads(row["authors"])),
        year=row["year"],
        doi=row["doi"],
        domain=row["domain"],
        pages=row["pages"],
        parser=row["parser"],
        parser_version=row["parser_version"],
        splitter=row["splitter"],
        hidden_words=row["hidden_words"],
        repaired_characters=row["repaired_characters"],
        repaired_fonts=row["repaired_fonts"],
        licence=row["licence"],
        journal=row["journal"],
        keywords=tuple(json.loads(row["keywords"])),
        language=row["language"],
        words=row["words"],
        unknown_words=row["unknown_words"],
        unknown_lines=tuple(json.loads(row["unknown_lines"])),
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
