"""Archives of publishers' XML: read member by member, within limits, and never unpacked to a disk."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.parsing import archives
from miner.parsing.archives import Member, holds_papers, read_members


def tar(path: Path, members: dict[str, bytes], format: int = tarfile.PAX_FORMAT) -> Path:
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w", format=format) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        link = tarfile.TarInfo("link.xml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path


def read(path: Path) -> tuple[list[Member], str]:
    found = list[Member]()
    try:
        found.extend(found_one for found_one in read_members(path))
    except UnreadableFile as refused:
        return found, refused.code
    return found, ""


MEMBERS = {"../../etc/a.nxml": b"<a/>", "x/" + "z" * 150 + "é.xml": b"b" * 700, "inner.zip": b"PK", "/c.PDF": b"c"}


@pytest.mark.parametrize("name", ["pax.tar.gz", "gnu.tar", "zipped.zip"])
def test_members_are_read_in_order_and_names_are_only_text(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in MEMBERS.items():
                archive.writestr(member, content)
    else:
        tar(path, MEMBERS, tarfile.GNU_FORMAT if name.startswith("gnu") else tarfile.PAX_FORMAT)
    members, refused = read(path)
    assert [(one.number, one.content) for one in members] == [(1, b"<a/>"), (2, b"b" * 700), (4, b"c")]
    assert [one.is_pdf for one in members] == [False, False, True]
    assert (members[0].name, refused, holds_papers(path)) == ("../../etc/a.nxml", "", True)
    assert list(tmp_path.iterdir()) == [path]


def test_members_before_a_break_are_read(tmp_path: Path) -> None:
    path = tar(tmp_path / "a.tar", {"a.xml": b"a", "b.xml": b"b" * 3000})
    path.write_bytes(path.read_bytes()[:2000])
    members, refused = read(path)
    assert ([one.name for one in members], refused) == (["a.xml"], "damaged")
    (tmp_path / "b.tar").write_bytes(b"no archive at all" * 100)
    assert read(tmp_path / "b.tar") == ([], "not_a_paper")


def test_sizes_count_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 50_000)
    monkeypatch.setattr(archives, "_FREE_BYTES", 200_000)
    path = tar(tmp_path / "a.tar.gz", {"big.xml": bytes(60_000), "ok.xml": b"x"})
    members, refused = read(path)
    assert [(one.name, one.failed and one.failed.code) for one in members] == [
        ("big.xml", "too_large"),
        ("ok.xml", None),
    ]
    assert not refused
    header = tarfile.TarInfo("four-gigabytes.xml")
    header.size = 4 << 30
    (tmp_path / "b.tar.gz").write_bytes(gzip.compress(header.tobuf() + bytes(900_000)))
    members, refused = read(tmp_path / "b.tar.gz")
    assert ([one.failed and one.failed.code for one in members], refused) == (["too_large"], "too_large")
    with zipfile.ZipFile(tmp_path / "c.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big.xml", bytes(60_000))
    assert [one.failed and one.failed.code for one in read(tmp_path / "c.zip")[0]] == ["too_large"]


def test_a_zip_of_an_unknown_version_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "papers.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.nxml", "<article/>")
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 6] = 229  # the version that is needed to unpack the member
    path.write_bytes(content)
    assert not holds_papers(path)
    with pytest.raises(UnreadableFile, match="is damaged"):
        list(read_members(path))
