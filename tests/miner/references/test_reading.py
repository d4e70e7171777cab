"""Bibliographies as reference managers write them, and as they should not be."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.references.reading import read_references
from miner.references.recognition import is_bibliography
from miner.references.reference import Reference

BIBTEX = r"""
@string{je = "Journal of " # "Erosion"}
@comment{jabref-meta: databaseType:bibtex;}

@article{muller2019,
  title = {{\"U}ber die {DNA} in \textit{E. coli}: 50% of $\alpha$-things},
  author = {M{\"u}ller, J{\"o}rg and de la Cruz, Juan and {World Health Organization} and Ada B. Lovelace and others},
  journal = je, year = 2019, doi = {https://doi.org/10.1234/AB_C.1}, keywords = {sand, wind},
  file = {Full Text:files/123/Müller - 2019.pdf:application/pdf;Snapshot:files/124/x.html:text/html}
}
@article{broken,
  title = {Not closed,
  year = {2001}

@inproceedings(b, title = "A {"}quoted{"} title", crossref={conf},
  file = {:C\:\\Users\\me\\b.pdf:PDF}, author="\L{}ukasz \'{S}wi\k{e}ty and O'Neil, Jr., Bob")
@proceedings{conf, title={Proceedings of Things}, year=2011}
@misc{b, title={Again}, file={:C$\backslash$:/Users/a/m.pdf:pdf}, date={2020-05-01}, title={x}}
"""
RIS = (
    "TY  - JOUR\r\nAU  - Lovelace, Ada B., Jr.\r\nAU  - WHO\r\nTI  - On <i>sand</i> &amp; wind\r\nT2  - Sand\r\n"
    "PY  - 2019/05/01/\r\nDO  - 10.1234/x\r\nKW  - a\r\nKW  - b\r\nL1  - files/1/x.pdf\r\n"
    "AB  - one\r\ntwo\r\nER  - \r\n"
    "TY  - JOUR\r\ncontinues nothing\r\nER  - \r\nTY  - BOOK\r\nT1  - No end\r\nY1  - 1999\r\n"
    "TY - JOUR\r\nTI - Spaces\r\nL1 - file:///C:/a%20b.pdf\r\nER -\r\n"
)
CSL = """[{"id": "a", "type": "article-journal", "title": "CO<sub>2</sub>", "container-title": "Air",
  "author": [{"family": "Cruz", "given": "J", "non-dropping-particle": "de la"}, {"literal": "WHO"}],
  "issued": {"date-parts": [["2019", 5]]}, "DOI": "10.1234/Q"},
3,
{"id": x}]"""
BETTER_BIBTEX = {
    "items": [
        {
            "itemType": "journalArticle",
            "title": "T",
            "creators": [{"firstName": "A", "lastName": "B", "creatorType": "author"}, {"creatorType": "editor"}],
            "date": "May 2019",
            "tags": [{"tag": "x"}],
            "attachments": [{"path": "files/1/a.pdf"}],
        }
    ]
}


def test_bibtex_is_read_with_accents_strings_and_links_and_what_is_broken_is_reported_by_line(tmp_path: Path) -> None:
    path = tmp_path / "library.bib"
    path.write_text(BIBTEX, encoding="utf-8")
    found = read_references(path)
    assert [(line, bool(reason)) for line, reason in found.failed] == [(11, True)]
    first, second, _, last = found.entries
    assert first == Reference(
        line=5,
        key="muller2019",
        title="Über die DNA in E. coli: 50% of α-things",
        authors=("Jörg Müller", "Juan de la Cruz", "World Health Organization", "Ada B. Lovelace"),
        year=2019,
        doi="10.1234/ab_c.1",
        journal="Journal of Erosion",
        keywords=("sand", "wind"),
        files=("files/123/Müller - 2019.pdf", "files/124/x.html"),
    )
    assert (second.title, second.authors) == ('A "quoted" title', ("Łukasz Święty", "Bob O'Neil Jr."))
    assert (second.year, second.journal, second.files) == (2011, "Proceedings of Things", (r"C:\Users\me\b.pdf",))
    assert (last.title, last.year, last.files) == ("Again", 2020, ("C:/Users/a/m.pdf",))


def test_ris_is_read_an_entry_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "library.ris"
    path.write_bytes(RIS.encode())
    found = read_references(path)
    assert found.entries == (
        Reference(
            line=1,
            title="On sand & wind",
            authors=("Ada B. Lovelace Jr.", "WHO"),
            year=2019,
            doi="10.1234/x",
            journal="Sand",
            keywords=("a", "b"),
            files=("files/1/x.pdf",),
        ),
        Reference(line=17, title="No end", year=1999),
        Reference(line=20, title="Spaces", files=("C:/a b.pdf",)),
    )
    assert [line for line, _ in found.failed] == [14]


def test_csl_json_and_the_json_of_better_bibtex_are_read(tmp_path: Path) -> None:
    path = tmp_path / "library.json"
    path.write_text(CSL)
    found = read_references(path)
    authors = ("J de la Cruz", "WHO")
    assert found.entries == (
        Reference(1, key="a", title="CO2", authors=authors, year=2019, doi="10.1234/q", journal="Air"),
    )
    assert [line for line, _ in found.failed] == [4, 5]
    assert is_bibliography(path)
    path.write_text(json.dumps(BETTER_BIBTEX))
    [entry] = read_references(path).entries
    assert entry == Reference(1, title="T", authors=("A B",), year=2019, keywords=("x",), files=("files/1/a.pdf",))
    assert is_bibliography(path)
    path.write_text('{"title": "no reference"}')
    assert not is_bibliography(path)


@pytest.mark.parametrize(
    ("before", "word"),
    [
        (b"", "é".encode()),
        (b"\xef\xbb\xbf", "é".encode()),
        (b"", b"\xe9"),
        (b"", "é".encode() + b"-\xe9"),
        (b"% Encoding: MacRoman\n", b"\x8e"),
    ],
    ids=["utf-8", "with a mark", "latin-1", "mixed", "declared"],
)
def test_usual_encodings_are_read(tmp_path: Path, before: bytes, word: bytes) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(before + b"@misc{a, title = {" + word + b"}}")
    [found] = read_references(path).entries
    assert set(found.title) - {"-"} == {"é"}
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        path.write_bytes("@misc{a, title = {é}}".encode(encoding))
        assert read_references(path).entries[0].title == "é"


@pytest.mark.parametrize("encoding", ["cp1251", "shift_jis", "gbk"])
def test_an_encoding_that_is_not_recognised_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.ris"
    text = {"cp1251": "Влияние ветра на дюны", "shift_jis": "砂と風の研究", "gbk": "沙丘与风的研究"}[encoding]
    path.write_bytes(f"TY  - JOUR\nTI  - {text}\nER  - \n".encode(encoding))
    with pytest.raises(UnreadableFile, match="encoding that was not recognised"):
        read_references(path)


@pytest.mark.parametrize(
    "text",
    [
        "@a{b, title = {" + "{" * 20_000,
        "@a{b, title = {" + "\\" * 20_000 + "}}",
        "@a{b, title = {" + "$" * 1_999 + "}}",
        "@a{b, title = {" + r"\frac" * 300 + "}, author = {" + " and " * 2_000 + "}}",
        "@x{" * 3_000,
        "@" + "a" * 200_000 + " " * 200_000,
    ],
    ids=["braces", "backslashes", "dollars", "commands", "starts", "long"],
)
def test_hostile_bibtex_takes_no_long_time(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.bib"
    path.write_text(text + "\n@misc{last, title = {Last}}\n")
    start = time.process_time()
    assert read_references(path).entries[-1].title == "Last"
    assert time.process_time() - start < 3


def test_what_is_no_bibliography_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty.bib").write_text("nothing here")
    for name, code in (("empty.bib", "no_references"), ("none.bib", "missing"), ("a.txt", "not_references")):
        with pytest.raises(UnreadableFile) as raised:
            read_references(tmp_path / name)
        assert raised.value.code == code
        assert raised.value.hint


def test_a_ris_file_without_an_entry_is_no_bibliography(tmp_path: Path) -> None:
    path = tmp_path / "a.ris"
    path.write_text("AU  - Tide, Ann\nER  - \n")
    with pytest.raises(UnreadableFile, match="no RIS references"):
        read_references(path)
