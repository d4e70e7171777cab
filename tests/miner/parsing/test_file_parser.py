"""Content of files in, papers with their sentences out."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from miner.parsing.file_parser import ParsedFile, file_parser
from miner.parsing.files import FileKind, read_file
from miner.parsing.formats import TEI_LIMIT
from miner.parsing.sentences import SplitterParameters

TEI = Path(__file__).parents[2] / "data" / "tei"


def read(path: Path) -> ParsedFile:
    return file_parser(SplitterParameters.bundled())(read_file(path, FileKind.TEI))


def test_a_gzipped_tei_of_two_members_is_read_like_the_plain_one(tmp_path: Path) -> None:
    plain = min(TEI.glob("*.xml"))
    content = plain.read_bytes()
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(content[:1000]) + gzip.compress(content[1000:]))
    assert read(tmp_path / "a.xml.gz") == read(plain)


@pytest.mark.parametrize(
    ("zipped", "code"),
    [
        (gzip.compress(bytes(TEI_LIMIT + 1)) + b"what follows is not read", "too_large"),
        (gzip.compress(b"<TEI/>")[:-5], "damaged"),
    ],
    ids=["bomb", "broken off"],
)
def test_a_gzip_that_cannot_be_a_tei_is_refused_without_unpacking_it_all(
    tmp_path: Path, zipped: bytes, code: str
) -> None:
    (tmp_path / "a.xml.gz").write_bytes(zipped)
    [(_, problem)] = read(tmp_path / "a.xml.gz").failed
    assert problem.code == code
