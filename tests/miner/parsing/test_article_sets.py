"""XML files of several articles: each article is a paper, whatever is wrong with the others."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.parsing import article_sets
from miner.parsing.archives import read_members
from miner.parsing.article_sets import holds_articles
from miner.parsing.files import FileKind, find_files
from miner.parsing.formats import part_text
from miner.parsing.jats import parse_jats

ROOT = '<pmc-articleset xmlns:xlink="http://www.w3.org/1999/xlink">'


def article(title: str, text: str = "Sand was counted on the beach.") -> str:
    title = f"<title-group><article-title>{title}</article-title></title-group>"
    front = f"<front><article-meta>{title}</article-meta></front>"
    link = '<ext-link xlink:href="http://example.org">here</ext-link>'
    return f'<article article-type="x">{front}<body><p>{text} {link}</p></body><sub-article/></article>'


def write(path: Path, *articles: str, before: str = ROOT, after: str = "</pmc-articleset>") -> Path:
    content = f'<?xml version="1.0"?>{before}{"<!-- x -->".join(articles)}{after}'.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def titles(path: Path) -> list[str]:
    return [parse_jats(member.content).title if not member.failed else "" for member in read_members(path)]


@pytest.mark.parametrize("name", ["a.xml", "a.nxml", "a.xml.gz"])
@pytest.mark.parametrize("chunk", [7, 1 << 20])
def test_each_article_is_read(tmp_path: Path, name: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(article_sets, "_CHUNK", chunk)
    monkeypatch.setattr(article_sets, "XML_START", 200)
    path = write(tmp_path / name, *map(article, "ABC"))
    assert titles(path) == ["A", "B", "C"]
    assert [kind for _, kind in find_files([path]).files] == [FileKind.ARCHIVE]
    assert part_text(path, 2) == "article 2"


def test_one_article_is_no_set_and_keeps_its_identity(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xml", article("A"))
    assert [kind for _, kind in find_files([path]).files] == [FileKind.JATS]
    assert not holds_articles(write(tmp_path / "b.xml", "<p/>" * 9))


def test_what_the_document_type_declares_is_not_there(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE pmc-articleset [<!ENTITY a "&b;&b;"><!ENTITY b "bang">]>'
    path = write(tmp_path / "a.xml", article("A"), article("B", "It is &a; or &alpha;."), before=bomb + ROOT)
    assert titles(path) == ["A", "B"]
    *_, second = read_members(path)
    assert parse_jats(second.content).sections[0].paragraphs[0].text == "It is [formula] or α. here"


def test_articles_before_a_break_are_read_and_longer_ones_than_any_paper_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(article_sets, "_CHUNK", 500)
    monkeypatch.setattr(article_sets, "MAX_BYTES", 2_000)
    monkeypatch.setattr(article_sets, "XML_START", 200)
    path = write(tmp_path / "a.xml", article("A"), article("B", "x" * 9_000), article("C"), after=article("D")[:-9])
    assert holds_articles(path)
    found: list[tuple[str, str]] = []
    with pytest.raises(UnreadableFile, match="breaks off"):
        found.extend((one.name, one.failed.code if one.failed else "") for one in read_members(path))
    assert found == [("article 1", ""), ("article 2", "too_large"), ("article 3", "")]
