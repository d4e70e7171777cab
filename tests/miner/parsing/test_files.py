"""Which of the given files are papers."""

from __future__ import annotations

import gzip
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.parsing.files import FileKind, find_files, hash_content, read_bytes

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
    found = find_files([tmp_path])
    assert [(path.name, kind) for path, kind in found.files] == [
        ("a.pdf", FileKind.PDF),
        ("B.PDF", FileKind.PDF),
        ("x.tei.xml", FileKind.TEI),
        ("papers.jsonl.gz", FileKind.PAPERS),
    ]
    assert (found.failed, found.ignored) == ([], 4)


def test_a_file_named_twice_is_taken_once(tmp_path: Path) -> None:
    make(tmp_path, "a.pdf")
    assert len(find_files([tmp_path, tmp_path / "a.pdf", tmp_path / "." / "a.pdf"]).files) == 1


def test_links_that_lead_out_of_the_folder_are_passed_over_and_counted(tmp_path: Path) -> None:
    make(tmp_path, "private/secret.pdf", "chosen/a.pdf")
    (tmp_path / "chosen" / "out.pdf").symlink_to(tmp_path / "private" / "secret.pdf")
    (tmp_path / "chosen" / "again.pdf").symlink_to(tmp_path / "chosen" / "a.pdf")
    found = find_files([tmp_path / "chosen"])
    assert [path.name for path, _ in found.files] == ["a.pdf"]
    assert (found.ignored, found.links) == (1, 1)


@pytest.mark.parametrize(
    ("name", "code", "hint"),
    [("nowhere.pdf", "missing", "path"), ("labels.csv", "not_a_paper", "import"), ("x.docx", "not_a_paper", "PDFs")],
)
def test_a_named_file_that_cannot_be_used_is_answered_for(tmp_path: Path, name: str, code: str, hint: str) -> None:
    if code != "missing":
        make(tmp_path, name)
    [(path, problem)] = find_files([tmp_path / name]).failed
    assert (path.name, problem.code) == (name, code)
    assert hint in problem.hint


def test_a_named_pdf_without_the_ending_is_known_by_its_content(tmp_path: Path) -> None:
    make(tmp_path, "download", content="%PDF-1.7 ...")
    assert find_files([tmp_path / "download"]).files == [(tmp_path / "download", FileKind.PDF)]


def test_empty_and_huge_files_are_refused_before_they_are_read(tmp_path: Path) -> None:
    make(tmp_path, "none.pdf", content="")
    with (tmp_path / "huge.pdf").open("wb") as file:
        file.truncate(200_000_000)
    for name, code in (("none.pdf", "empty"), ("huge.pdf", "too_large"), ("gone.pdf", "missing")):
        with pytest.raises(UnreadableFile) as caught:
            read_bytes(tmp_path / name, FileKind.PDF)
        assert caught.value.code == code


def test_a_gzipped_xml_that_is_damaged_is_kept_for_the_reader_to_explain(tmp_path: Path) -> None:
    (tmp_path / "bad.tei.xml.gz").write_bytes(gzip.compress(TEI.encode())[:-9])
    (tmp_path / "good.tei.xml.gz").write_bytes(gzip.compress(TEI.encode()))
    assert len(find_files([tmp_path]).files) == 2


@pytest.mark.posix
@pytest.mark.parametrize("name", ["cut.tei.xml", "cut.TEI", "cut.nxml", "cut.xml"])
def test_a_damaged_file_whose_name_says_that_it_is_a_paper_is_not_passed_over(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b'<?xml version="1.0"?>\n<TE')
    found = find_files([tmp_path])
    assert ([path.name for path, _ in found.files], found.ignored) == (([], 1) if name == "cut.xml" else ([name], 0))


def test_no_file_of_a_folder_keeps_the_others_out(tmp_path: Path) -> None:
    """In order of the walk, so that each stands before papers that are fine."""
    make(tmp_path, "a.pdf", "locked/b.pdf", "m.pdf", "z/z.pdf")
    make(tmp_path, "d.xml", "k.xml", content=TEI)
    damaged = bytearray(gzip.compress(TEI.encode()))
    damaged[10:20] = b"\xff" * 10
    (tmp_path / "b.xml.gz").write_bytes(damaged)
    (tmp_path / "c.pdf").symlink_to("c2.pdf")
    (tmp_path / "c2.pdf").symlink_to("c.pdf")
    (tmp_path / "e.xml").symlink_to("gone.xml")
    os.mkfifo(tmp_path / "f.pdf")
    os.mkfifo(tmp_path / "f.xml")
    os.mkfifo(tmp_path / "notes")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "g.jsonl"))
    (tmp_path / "d.xml").chmod(0)
    (tmp_path / "locked").chmod(0)
    tmp_path.chmod(0o755)
    try:
        with as_nobody(tmp_path):
            found = find_files([tmp_path])
    finally:
        (tmp_path / "locked").chmod(0o755)
    assert [path.name for path, _ in found.files] == ["a.pdf", "m.pdf", "z.pdf", "b.xml.gz", "k.xml"]
    assert {path.name: problem.code for path, problem in found.failed} == {
        "c.pdf": "unreadable",
        "c2.pdf": "unreadable",
        "d.xml": "unreadable",
        "e.xml": "missing",
        "f.pdf": "not_a_file",
        "f.xml": "not_a_file",
        "g.jsonl": "not_a_file",
        "locked": "unreadable",
    }
    assert found.ignored == 1


@pytest.mark.posix
def test_a_device_a_pipe_a_loop_and_a_dangling_link_are_answered_for_when_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "link.pdf").symlink_to("gone.pdf")
    named = [Path("/dev/zero"), tmp_path / "pipe.pdf", tmp_path / "loop", tmp_path / "link.pdf"]
    found = find_files(named)
    codes = [(path, problem.code) for path, problem in found.failed]
    assert codes == list(zip(named, ["not_a_file", "not_a_file", "unreadable", "missing"], strict=True))
    with pytest.raises(UnreadableFile, match="not an ordinary file"):
        read_bytes(tmp_path / "pipe.pdf", FileKind.PDF)


def test_a_named_folder_that_may_not_be_looked_into_is_told(tmp_path: Path) -> None:
    make(tmp_path, "locked/deep/b.pdf", "a.pdf")
    (tmp_path / "locked").chmod(0)
    try:
        with as_nobody(tmp_path):
            found = find_files([tmp_path / "locked", tmp_path / "locked" / "deep", tmp_path / "a.pdf"])
    finally:
        (tmp_path / "locked").chmod(0o755)
    assert [path.name for path, _ in found.files] == ["a.pdf"]
    assert [(path.name, problem.code) for path, problem in found.failed] == [
        ("locked", "unreadable"),
        ("deep", "unreadable"),
    ]


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Without root's right to read everything, but with the way down to `folder` open."""
    user = os.geteuid()
    closed = [(part, part.stat().st_mode) for part in (folder, *folder.parents) if not part.stat().st_mode & 0o010]
    if user == 0:
        for part, mode in closed:
            part.chmod(mode | 0o055)
        os.seteuid(65534)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(user)
            for part, mode in closed:
                part.chmod(stat.S_IMODE(mode))


def test_hashes_are_lower_case_hex() -> None:
    assert hash_content(b"")[0] == "d41d8cd98f00b204e9800998ecf8427e"
    assert hash_content(b"")[1].startswith("e3b0c442")
