"""The hostile files are what they claim to be, by readers that are not ours."""

import json
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from lxml import etree
from pypdf import PdfReader
from pypdf.errors import PdfReadError

from tests import hostile_files


def text_of(path: Path) -> str:
    document = pdfium.PdfDocument(path)
    try:
        return "".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def pages_of(path: Path) -> int:
    document = pdfium.PdfDocument(path)
    try:
        return len(document)
    finally:
        document.close()


def test_healthy_pdf_has_two_pages_of_prose(tmp_path: Path) -> None:
    path = hostile_files.plain_pdf(tmp_path)
    assert pages_of(path) == 2
    assert "However, it stays in harbour" in text_of(path)


def test_scan_has_pages_and_no_text(tmp_path: Path) -> None:
    path = hostile_files.scan_pdf(tmp_path)
    assert pages_of(path) == 2
    assert text_of(path).strip() == ""
    assert [len(page.images) for page in PdfReader(path).pages] == [1, 1]


def test_german_pdf_has_umlauts_and_broken_words(tmp_path: Path) -> None:
    text = text_of(hostile_files.german_pdf(tmp_path))
    assert {"ä", "ö", "ü"} <= set(text)
    assert "\ufffe" in text or "\x02" in text


def test_chinese_pdf_says_what_was_written(tmp_path: Path) -> None:
    text = "".join(text_of(hostile_files.chinese_pdf(tmp_path)).split())
    assert text == hostile_files.CHINESE * 6


def test_hebrew_pdf_reads_from_right_to_left(tmp_path: Path) -> None:
    assert "המעבורת חוצה את המיצר" in text_of(hostile_files.hebrew_pdf(tmp_path))


def test_ten_thousand_pages_are_ten_thousand_in_a_small_file(tmp_path: Path) -> None:
    path = hostile_files.ten_thousand_pages_pdf(tmp_path)
    assert pages_of(path) == 10_000
    assert path.stat().st_size < 3_000_000


def test_huge_pdf_is_large_by_name_and_small_on_disk(tmp_path: Path) -> None:
    path = hostile_files.huge_pdf(tmp_path)
    assert path.stat().st_size > 200_000_000
    assert path.stat().st_blocks * 512 < 1_000_000
    assert "large file" in text_of(path)


def test_encrypted_pdf_needs_its_password(tmp_path: Path) -> None:
    path = hostile_files.encrypted_pdf(tmp_path)
    with pytest.raises(pdfium.PdfiumError, match="password"):
        pages_of(path)
    assert PdfReader(path).decrypt("tide")


@pytest.mark.parametrize("name", ["truncated_pdf", "empty_pdf", "renamed_docx", "renamed_png", "renamed_html"])
def test_broken_files_do_not_open_as_pdf(tmp_path: Path, name: str) -> None:
    path = getattr(hostile_files, name)(tmp_path)
    assert path.suffix == ".pdf"
    with pytest.raises(pdfium.PdfiumError):
        pages_of(path)


def test_garbage_xref_can_be_rebuilt(tmp_path: Path) -> None:
    path = hostile_files.garbage_xref_pdf(tmp_path)
    with pytest.raises(PdfReadError):
        PdfReader(path, strict=True)
    assert "However, it stays in harbour" in text_of(path)


def test_looping_pdf_holds_itself(tmp_path: Path) -> None:
    root = PdfReader(hostile_files.looping_pdf(tmp_path)).trailer["/Root"]["/Pages"]
    assert root["/Kids"][0].get_object() == root


def test_pdf_without_pages_opens_and_is_empty(tmp_path: Path) -> None:
    assert len(PdfReader(hostile_files.no_pages_pdf(tmp_path)).pages) == 0


def test_healthy_tei_is_xml(tmp_path: Path) -> None:
    assert etree.parse(hostile_files.tei(tmp_path)).getroot().tag.endswith("TEI")


def test_doctype_would_read_a_local_file(tmp_path: Path) -> None:
    loose = etree.XMLParser(resolve_entities=True, load_dtd=True)
    tree = etree.parse(hostile_files.tei_with_doctype(tmp_path), loose)
    assert "the secret of the house" in "".join(tree.getroot().itertext())


def test_entity_bomb_is_stopped_by_the_xml_library(tmp_path: Path) -> None:
    path = hostile_files.tei_entity_bomb(tmp_path)
    assert path.stat().st_size < 2_000
    with pytest.raises(etree.XMLSyntaxError):
        etree.parse(path)


@pytest.mark.parametrize("name", ["tei_300_deep", "tei_truncated"])
def test_broken_tei_does_not_parse(tmp_path: Path, name: str) -> None:
    with pytest.raises(etree.XMLSyntaxError):
        etree.parse(getattr(hostile_files, name)(tmp_path))


def test_tei_without_text_parses_and_has_no_paragraph(tmp_path: Path) -> None:
    tree = etree.parse(hostile_files.tei_without_text(tmp_path))
    assert tree.findall(".//{*}p") == []


def test_broken_lines_hold_three_papers_among_eleven_lines(tmp_path: Path) -> None:
    lines = hostile_files.broken_lines(tmp_path).read_bytes().splitlines()
    good = [json.loads(lines[at - 1]) for at in (1, 5, 11)]
    assert len(lines) == 11
    assert [row["title"] for row in good] == ["Ferry", "Ferry again", "Last ferry"]


def test_junk_folder_holds_one_paper_deep_down(tmp_path: Path) -> None:
    papers = [path for path in hostile_files.junk_folder(tmp_path).rglob("*") if path.suffix == ".PDF"]
    assert [len(path.relative_to(tmp_path).parts) for path in papers] == [22]
    assert pages_of(papers[0]) == 2


def test_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    folder = hostile_files.folder_with_link_out(tmp_path)
    assert not (folder / "linked.pdf").resolve().is_relative_to(folder.resolve())
    assert (folder / "above").resolve() == tmp_path.resolve()
