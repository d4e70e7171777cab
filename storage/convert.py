"""Converts between rows of the database and records."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from sqlalchemy import RowMapping

from miner.mining.identity import sentence_hash
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

_WORD = re.compile(r"\w+")
_UNITS_PER_POINT = 100  # precision of stored boxes
_MAX_INT32 = 2**31 - 1
_MAX_SPANS_BYTES = 64_000_000  # of a paragraph; some 2 million lines
_TEXT_DIGITS = 40  # of `text_digest`; digests by earlier versions have 32 in all

_Values = dict[str, Any]  # by column


def utc_text(at: datetime) -> str:
    """A time as it is stored: ISO 8601 in UTC, so that the order of texts is that of times."""
    return at.astimezone(UTC).isoformat()


def casefold_sentences(premise: str, hypothesis: str) -> tuple[str, str]:
    """Case-folded, to compare pairs: whether a hypothesis begins with a capital is a setting."""
    return premise.casefold(), hypothesis.casefold()


def word_overlap(premise: str, hypothesis: str) -> int:
    """The percentage of the hypothesis' words that the premise has too, ignoring case (SciNLI, section 3.4)."""
    words = _WORD.findall(hypothesis.casefold())
    premise_words = set(_WORD.findall(premise.casefold()))
    return round(100 * sum(word in premise_words for word in words) / len(words)) if words else 0


def pack_spans(spans: tuple[Span, ...]) -> bytes | None:
    """All starts, all ends, all pages, all x0 and so on as 32-bit integers, deflated; None for no spans."""
    if not spans:
        return None
    numbers: list[int] = []
    boxes = [span.box for span in spans]
    numbers += (span.start for span in spans)
    numbers += (span.end for span in spans)
    numbers += (box.page for box in boxes)
    for side in range(1, 5):
        numbers += (max(-_MAX_INT32, min(_MAX_INT32, round(box[side] * _UNITS_PER_POINT))) for box in boxes)
    return zlib.compress(struct.pack(f"<{len(numbers)}i", *numbers), 1)


@translate_decoding_errors()
def unpack_spans(packed: bytes | None) -> tuple[Span, ...]:
    if packed is None:
        return ()
    content = inflate(packed, _MAX_SPANS_BYTES)
    numbers = struct.unpack(f"<{len(content) // 4}i", content)
    columns = (numbers[first : first + len(numbers) // 7] for first in range(0, len(numbers), len(numbers) // 7))
    return tuple(
        Span(start, end, Box(page, *(side / _UNITS_PER_POINT for side in sides)))
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


def paper_digest(paper: Paper) -> str:
    """A digest of all that a parser gives: parses with the same digest are equal. It begins with `text_digest`."""
    metadata = (paper.title, paper.authors, paper.year, paper.doi, paper.licence, paper.journal, paper.keywords)
    digest = blake2b(json.dumps((*metadata, paper.language, sorted(paper.sources))).encode(), digest_size=16)
    return text_digest(paper) + digest.hexdigest()


def text_digest(paper: Paper) -> str:
    """A digest of a paper's text and sentences, and of what made them."""
    digest = blake2b(digest_size=_TEXT_DIGITS // 2)
    digest.update(json.dumps((paper.parser, paper.parser_version, paper.splitter)).encode())
    for section in paper.sections:
        digest.update(json.dumps((section.title, section.kind, len(section.paragraphs))).encode())
        for paragraph in section.paragraphs:
            digest.update(json.dumps((paragraph.text, paragraph.sentences, paragraph.after_break)).encode())
            digest.update(pack_spans(paragraph.spans) or b"")
    return digest.hexdigest()


def text_part(digest: str) -> str:
    """The `text_digest` in a digest of a paper; "" in one by an earlier version, of text and metadata as one."""
    return digest[:_TEXT_DIGITS] if len(digest) >= _TEXT_DIGITS else ""


def with_text(digest: str, paper: Paper) -> str:
    """The digest of a stored paper after its text has become that of `paper`; what was parsed of metadata stays."""
    return text_digest(paper) + digest[_TEXT_DIGITS:]


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


def pair_values(pair: Pair) -> _Values:
    """The columns of a pair; not those about its paper, run and annotation."""
    return {
        "key": pair.key,
        "premise": pair.premise,
        "hypothesis": pair.hypothesis,
        "hypothesis_original": pair.hypothesis_original,
        "strategy": pair.strategy.value,
        "distant_label": pair.distant_label and pair.distant_label.value,
        "phrase": pair.phrase,
        "premise_section": pair.premise_at.section,
        "premise_paragraph": pair.premise_at.paragraph,
        "premise_sentence": pair.premise_at.sentence,
        "hypothesis_section": pair.hypothesis_at.section,
        "hypothesis_paragraph": pair.hypothesis_at.paragraph,
        "hypothesis_sentence": pair.hypothesis_at.sentence,
        "page": pair.page,
        "flags": json.dumps(pair.flags, separators=(",", ":")) if pair.flags else "[]",
        "premise_hash": sentence_hash(pair.premise),
        "hypothesis_hash": sentence_hash(pair.hypothesis_original),
        **counted_values(pair.premise, pair.hypothesis),
    }


def counted_values(premise: str, hypothesis: str) -> _Values:
    """The columns that are counted of a pair's two sentences."""
    return {
        "premise_words": len(premise.split()),
        "hypothesis_words": len(hypothesis.split()),
        "overlap": word_overlap(premise, hypothesis),
    }


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
