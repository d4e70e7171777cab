"""A PDF that cannot become a paper says why in plain words, whatever its bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.parsing.embedded import PdfLimits, parse_pdf
from miner.parsing.recognition import RECOGNISE
from tests import hostile_files
from tests.miner.parsing.pdf_factory import Sheet, two_column_paper


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (hostile_files.scan_pdf, "scan"),
        (hostile_files.encrypted_pdf, "encrypted"),
        (hostile_files.truncated_pdf, "damaged"),
        (hostile_files.no_pages_pdf, "damaged"),
        (hostile_files.empty_pdf, "empty"),
        (hostile_files.renamed_docx, "not_a_paper"),
        (hostile_files.renamed_html, "not_a_paper"),
        (hostile_files.ten_thousand_pages_pdf, "too_many_pages"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_each_has_its_reason_and_a_hint(make: Callable[[Path], Path], code: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as caught:
        parse_pdf(make(tmp_path).read_bytes())
    assert caught.value.code == code
    assert str(caught.value)
    assert caught.value.hint


def test_a_scan_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="No text layer: this looks like a scan") as caught:
        parse_pdf(hostile_files.scan_pdf(tmp_path).read_bytes())
    assert caught.value.hint == RECOGNISE


def test_more_bytes_or_pages_than_the_limits_are_not_read() -> None:
    with pytest.raises(UnreadableFile, match="limit") as caught:
        parse_pdf(two_column_paper(), limits=PdfLimits(size=1000))
    assert caught.value.code == "too_large"
    with pytest.raises(UnreadableFile, match="3 pages") as caught:
        parse_pdf(two_column_paper(), limits=PdfLimits(pages=2))
    assert caught.value.code == "too_many_pages"


def test_text_without_prose_is_said_to_have_none() -> None:
    sheet = Sheet()
    for row in range(30):
        sheet.line(50 + 90 * (row % 5), 100 + 20 * row, f"Item {row}: {row * 7}")
    with pytest.raises(UnreadableFile) as caught:
        parse_pdf(sheet.bytes())
    assert caught.value.code == "no_text"


def test_a_broken_table_of_objects_is_mended(tmp_path: Path) -> None:
    assert parse_pdf(hostile_files.garbage_xref_pdf(tmp_path).read_bytes()).sections


def outcome(content: bytes) -> str:
    try:
        parse_pdf(content)
    except UnreadableFile as reason:
        return reason.code
    return "read"


def test_damaged_bytes_give_a_paper_or_a_reason() -> None:
    dice = random.Random(7)
    healthy = two_column_paper()
    outcomes = set()
    for _ in range(40):
        content = bytearray(healthy[: dice.randrange(1000, len(healthy) + 1)])
        for _ in range(dice.choice((0, 5, 50))):
            content[dice.randrange(len(content))] = dice.randrange(256)
        outcomes.add(outcome(bytes(content)))
    assert "damaged" in outcomes
    assert outcomes <= {"read", "damaged", "scan", "no_text", "not_a_paper", "encrypted"}


def test_a_reason_does_not_depend_on_the_file_before(tmp_path: Path) -> None:
    codes = []
    for make in (hostile_files.no_pages_pdf, hostile_files.encrypted_pdf, hostile_files.no_pages_pdf):
        with pytest.raises(UnreadableFile) as caught:
            parse_pdf(make(tmp_path).read_bytes())
        codes.append(caught.value.code)
    assert codes == ["damaged", "encrypted", "damaged"]
