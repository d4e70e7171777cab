"""Which of the given files are papers."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from miner.errors import Unreadable
from miner.parsing.files import Kind, collect, hashes, read_bytes

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"/>'


def make(folder: Path, *names: str, content: str = "x") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def test_a_folder_is_searched_to_the_bottom_and_other_files_are_counted(tmp_path: Path) -> None:
    make(tmp_path, "a.pdf", "deep/er/B.PDF", "deep/papers.jsonl.gz", "notes.docx", "deep/cover.png", "old.pdf.gz")
    make(tmp_path, ".hidden.pdf", "._a.pdf", ".git/c.pdf", "__MACOSX/d.pdf")
    make(tmp_path, "x.tei.xml", content=TEI)
    make(tmp_path, "publisher.xml", content="<article/>")
    found = collect([tmp_path])
    assert [(path.name, kind) for path, kind in found.files] == [
        ("a.pdf", Kind.PDF),
        ("B.PDF", Kind.PDF),
        ("x.tei.xml", Kind.TEI),
        ("papers.jsonl.gz", Kind.PAPERS),
    ]
    assert (found.failed, found.ignored) == ([], 4)


def test_a_file_named_twice_is_taken_once(tmp_path: Path) -> None:
    make(tmp_path, "a.pdf")
    assert len(collect([tmp_path, tmp_path / "a.pdf", tmp_path / "." / "a.pdf"]).files) == 1


def test_links_that_lead_out_of_the_folder_are_passed_over(tmp_path: Path) -> None:
    make(tmp_path, "private/secret.pdf", "chosen/a.pdf")
    (tmp_path / "chosen" / "out.pdf").symlink_to(tmp_path / "private" / "secret.pdf")
    (tmp_path / "chosen" / "again.pdf").symlink_to(tmp_path / "chosen" / "a.pdf")
    assert [path.name for path, _ in collect([tmp_path / "chosen"]).files] == ["a.pdf"]


@pytest.mark.parametrize(
    ("name", "code", "hint"),
    [("nowhere.pdf", "missing", "path"), ("labels.csv", "not_a_paper", "import"), ("x.docx", "not_a_paper", "PDFs")],
)
def test_a_named_file_that_cannot_be_used_is_answered_for(tmp_path: Path, name: str, code: str, hint: str) -> None:
    if code != "missing":
        make(tmp_path, name)
    [(path, problem)] = collect([tmp_path / name]).failed
    assert (path.name, problem.code) == (name, code)
    assert hint in problem.hint


def test_a_named_pdf_without_the_ending_is_known_by_its_content(tmp_path: Path) -> None:
    make(tmp_path, "download", content="%PDF-1.7 ...")
    assert collect([tmp_path / "download"]).files == [(tmp_path / "download", Kind.PDF)]


def test_empty_and_huge_files_are_refused_before_they_are_read(tmp_path: Path) -> None:
    make(tmp_path, "none.pdf", content="")
    with (tmp_path / "huge.pdf").open("wb") as file:
        file.truncate(200_000_000)
    for name, code in (("none.pdf", "empty"), ("huge.pdf", "too_large"), ("gone.pdf", "missing")):
        with pytest.raises(Unreadable) as caught:
            read_bytes(tmp_path / name, Kind.PDF)
        assert caught.value.code == code


def test_a_gzipped_xml_that_is_damaged_is_kept_for_the_reader_to_explain(tmp_path: Path) -> None:
    (tmp_path / "bad.tei.xml.gz").write_bytes(gzip.compress(TEI.encode())[:-9])
    (tmp_path / "good.tei.xml.gz").write_bytes(gzip.compress(TEI.encode()))
    assert len(collect([tmp_path]).files) == 2


def test_hashes_are_lower_case_hex() -> None:
    assert hashes(b"")[0] == "d41d8cd98f00b204e9800998ecf8427e"
    assert hashes(b"")[1].startswith("e3b0c442")
