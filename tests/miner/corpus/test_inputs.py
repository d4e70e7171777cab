"""Which files papers are taken from, wherever they are, and what is in them."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from miner.corpus.inputs import find_sources, in_shard, read_items
from miner.corpus.locations import Location, translated
from miner.errors import UserError
from miner.parsing.formats import FileKind

XML = b'<article article-type="research-article"><front><article-meta/></front><body/></article>'


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two XML files of one paper, one in a subfolder; lines; a tar and a zip of two members, and what is no paper."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(XML))
    (tmp_path / "deep" / "b.nxml").write_bytes(XML)
    (tmp_path / "lines.jsonl").write_text("{}\n\n{}\n")
    (tmp_path / "notes.md").write_text("no paper")
    with tarfile.open(tmp_path / "many.tar.gz", "w:gz") as archive:
        for name in ("x/1.nxml", "x/readme.txt", "x/2.nxml"):
            info = tarfile.TarInfo(name)
            info.size = len(XML)
            archive.addfile(info, io.BytesIO(XML))
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as zipped:
        zipped.writestr("1.xml", XML)
        zipped.writestr("2.pdf", b"%PDF-")
    return tmp_path


def names(sources: list[str]) -> list[str]:
    return [source.path.rpartition("/")[2] for source in find_sources(sources)]


def test_folders_patterns_and_files_name_papers(folder: Path) -> None:
    assert names([str(folder)]) == ["a.xml.gz", "b.nxml", "lines.jsonl", "many.tar.gz", "many.zip"]
    assert names([f"{folder}/*.xml.gz", f"{folder}/*/*.nxml", f"{folder}/a.xml.gz"]) == ["a.xml.gz", "b.nxml"]
    assert names([f"file://{folder}/lines.jsonl"]) == ["lines.jsonl"]
    with pytest.raises(UserError, match="no papers at"):
        find_sources([f"{folder}/*.docx"])
    with pytest.raises(UserError, match="does not exist"):
        find_sources([f"{folder}/none"])
    sources = find_sources([str(folder)])
    shards = [in_shard(sources, number, 3) for number in (1, 2, 3)]
    assert sorted(sum(shards, []), key=lambda source: source.path) == sources  # noqa: RUF017


def test_members_and_lines_are_papers_each(folder: Path) -> None:
    items = {
        Path(source.path).name: [(item.number, item.name, item.kind) for item in read_items(source)]
        for source in find_sources([str(folder)])
    }
    assert items["a.xml.gz"] == [(0, "", FileKind.JATS)]
    assert items["lines.jsonl"] == [(1, "", FileKind.PAPERS), (3, "", FileKind.PAPERS)]
    assert items["many.tar.gz"] == [(1, "x/1.nxml", FileKind.ARCHIVE), (3, "x/2.nxml", FileKind.ARCHIVE)]
    assert items["many.zip"] == [(1, "1.xml", FileKind.ARCHIVE), (2, "2.pdf", FileKind.ARCHIVE)]


def test_a_file_that_is_gone_or_breaks_off_says_so(folder: Path) -> None:
    sources = {Path(source.path).name: source for source in find_sources([str(folder)])}
    (folder / "a.xml.gz").unlink()
    whole = (folder / "many.tar.gz").read_bytes()
    (folder / "many.tar.gz").write_bytes(whole[: len(whole) // 2])
    found = [list(read_items(sources[name]))[-1] for name in ("a.xml.gz", "many.tar.gz")]
    assert [item.failed and item.failed.code for item in found] == ["missing", "damaged"]


@pytest.fixture
def served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_web_page_lists_papers(served: str) -> None:
    sources = find_sources([served])
    assert [source.path.rpartition("/")[2] for source in sources] == [
        "a.xml.gz",
        "lines.jsonl",
        "many.tar.gz",
        "many.zip",
    ]
    assert sum(len(list(read_items(source))) for source in sources) == 7
    with pytest.raises(UserError, match="is not there"):
        find_sources([f"{served}/none/"])


class _FlakyHandler(_Handler):
    """Lists odd names; answers with an error twice before it sends one file, and never sends all of another."""

    asked: ClassVar = Counter[str]()
    links = (
        *("../up.xml", "..%2fup.xml", "%00.xml", "%1b[31m.xml", "//other.example/a.xml", "file:///etc/a.xml"),
        *("https://other.example/a.xml", "deep/b.nxml", "some%20lines.jsonl", "/a.xml.gz", "half.jsonl"),
    )

    def do_GET(self) -> None:
        self.asked[self.path] += 1
        content = (
            b"{}\n" if not self.path.endswith("/") else "".join(f'<a href="{one}">x</a>' for one in self.links).encode()
        )
        self.send_response(500 if "lines" in self.path and self.asked[self.path] < 3 else 200)
        self.send_header("Content-Length", str(len(content) + 1000 * ("half" in self.path)))
        self.end_headers()
        self.wfile.write(content)


def test_odd_links_are_passed_over_and_a_server_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("miner.corpus.inputs._PAUSES", (0.0, 0.0))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _FlakyHandler)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/list"
    try:
        sources = {source.path.removeprefix(f"{address}/"): source for source in find_sources([address])}
        assert list(sources) == ["half.jsonl", "some%20lines.jsonl"]
        assert [item.number for item in read_items(sources["some%20lines.jsonl"])] == [1]
        [half] = read_items(sources["half.jsonl"])
        assert half.failed is not None
        assert half.failed.code == "unreadable"
        assert _FlakyHandler.asked["/list/half.jsonl"] == 3
    finally:
        server.shutdown()
        server.server_close()
    with pytest.raises(UserError, match="cannot be read"):  # no server: the files are not to blame
        list(read_items(sources["half.jsonl"]))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError("AWS Error ACCESS_DENIED during HeadObject operation"), "may not be used"),
        (FileNotFoundError("Bucket 'lab' not found"), "There is no bucket"),
        (OSError("in bucket 'lab': AWS Error NO_SUCH_BUCKET during PutObject operation: It …"), "There is no bucket"),
        (OSError("in bucket 'lab': AWS Error INVALID_ACCESS_KEY_ID during PutObject operation"), "may not be used"),
        (OSError("AWS Error NETWORK_CONNECTION: curlCode: 7, Could not connect"), "cannot be reached"),
        (OSError(28, "No space left on device"), "no room left"),
    ],
)
def test_errors_of_places_are_sentences(error: OSError, said: str) -> None:
    with pytest.raises(UserError, match=said) as raised, translated("s3://lab/nli"):
        raise error
    assert "s3://lab" in str(raised.value)
    assert raised.value.hint


def test_a_file_is_complete_or_not_there(tmp_path: Path) -> None:
    place = Location.of(str(tmp_path)).child("a/b.parquet")
    with suppress(ZeroDivisionError), place.writing() as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    assert not list((tmp_path / "a").iterdir())
    place.write(b"whole")
    assert place.read() == b"whole"
    place.delete()
    assert place.found() is None
