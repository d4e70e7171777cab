"""Readers of papers: PDF, TEI, publishers' XML, archives and JSON lines."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.sample_papers import SAMPLES
from tests.torture.hostile_seed import JSON, ROOT, XML, Reader, Seed
from tests.torture.mutators import any_of, change_archive, change_bytes, compress
from tests.torture.pdf_mutator import change_pdf


def _pdfs() -> list[Seed]:
    from tests.hostile_files import hebrew_pdf, plain_pdf
    from tests.miner.parsing.pdf_factory import two_column_paper

    with tempfile.TemporaryDirectory() as folder:
        made = [plain_pdf(Path(folder)), hebrew_pdf(Path(folder))]
        found = [path.read_bytes() for path in (*made, SAMPLES / "coastal" / "wrack-lines.pdf")]
    return [Seed(".pdf", content) for content in (*found, two_column_paper())]


def _read_pdf(path: Path) -> None:
    from miner.parsing.embedded import parse_pdf, read_licence
    from miner.parsing.page_reading import PageReader
    from miner.parsing.pdf_pages import Asked, PageRequest

    content = path.read_bytes()
    ask = PageReader(None).answer
    sizes = ask(PageRequest("a", Asked.SIZES, content=content))
    for asked in (Asked.IMAGE, Asked.LETTERS, Asked.BOXES):
        ask(PageRequest("a", asked, 1 + len(content) % max(1, len(sizes)), 0.5))  # type: ignore[arg-type]
    read_licence(content)
    _splitter()(parse_pdf(content))


@cache
def _splitter() -> Callable[[Any], Any]:
    from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper

    splitter = SentenceSplitter(SplitterParameters.bundled())
    return lambda paper: split_paper(paper, splitter)


def _teis() -> list[Seed]:
    paths = (*sorted((ROOT / "tests" / "data" / "tei").iterdir()), SAMPLES / "reading" / "whispering.tei.xml")
    return [Seed(".tei.xml", path.read_bytes()) for path in paths]


def _read_tei(path: Path) -> None:
    from miner.parsing.file_parser import unzipped_xml
    from miner.parsing.tei import parse_tei

    _splitter()(parse_tei(unzipped_xml(path, path.read_bytes())))


def _articles() -> list[Seed]:
    from tests.article_xml import article_xml
    from tests.storage.factories import paper

    more = (
        '<fig id="f1"><label>1</label><caption><p>A <italic>boat</italic></p></caption></fig><disp-formula><tex-math>x'
        "</tex-math></disp-formula><table-wrap><table><tr><td>1</td></tr></table></table-wrap><list><list-item><p>One"
        '</p></list-item></list><sec sec-type="methods"><title>Methods</title><p>It is <xref rid="b1">[1]</xref> so. '
        "However, it is not.</p></sec>"
    )
    permissions = (
        b'<article-meta><pub-date><year>2019</year></pub-date><contrib-group><contrib contrib-type="author"><name>'
        b"<surname>Tide</surname><given-names>Ann</given-names></name></contrib></contrib-group><permissions><license "
        b'xlink:href="https://creativecommons.org/licenses/by/4.0/" xmlns:xlink="http://www.w3.org/1999/xlink"/>'
        b"</permissions><abstract><p>We cross. Therefore, we arrive.</p></abstract>"
    )
    whole = article_xml(paper("a"), doi="10.5555/a", more=more).replace(b"<article-meta>", permissions)
    return [Seed(".nxml", whole), Seed(".xml", b"<articles>" + whole * 2 + b"</articles>")]


def _read_jats(path: Path) -> None:
    from miner.parsing.archives import holds_papers, read_members
    from miner.parsing.file_parser import unzipped_xml
    from miner.parsing.jats import parse_jats

    if path.suffix == ".xml":
        holds_papers(path)
        sum(len(member.content) for member in read_members(path))
    _splitter()(parse_jats(unzipped_xml(path, path.read_bytes())))


def _read_archive(path: Path) -> None:
    from miner.parsing.archives import holds_papers, read_members

    holds_papers(path)
    for member in read_members(path):
        assert ("\n" not in member.name and not Path(member.name).is_absolute()) or member.name, member.name[:100]


def _paper_lines() -> list[Seed]:
    content = (SAMPLES / "ecology" / "late-mowing.jsonl").read_bytes()
    short = b'{"title": "A", "year": 2001, "doi": "10.5/x", "authors": ["A B"], "sections": [{"title": "One", '
    short += b'"paragraphs": ["It is so. However, it is not."]}]}\n'
    return [Seed(".jsonl", content), Seed(".jsonl", short * 3), Seed(".jsonl.gz", gzip.compress(short))]


def _read_lines(path: Path) -> None:
    from miner.parsing.file_parser import parse_json_lines
    from miner.parsing.json_lines import read_json_lines

    for _, paper in parse_json_lines(list(read_json_lines(path))).papers:
        _splitter()(paper)


PAPER_READERS = {
    "PDF": Reader(_pdfs, any_of(change_pdf, change_pdf, change_pdf, change_bytes, again=0.2), _read_pdf),
    "TEI": Reader(_teis, XML, _read_tei),
    "JATS": Reader(_articles, XML, _read_jats),
    "archives": Reader(_articles, any_of(change_archive, again=0.0), _read_archive),
    "JSON lines": Reader(_paper_lines, any_of(JSON, compress, again=0.1), _read_lines),
}
