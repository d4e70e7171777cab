"""Which copy of a paper counts, and which pairs papers keep that share some."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from miner.corpus.deciding import MappedCopy, PaperForm, SharedPair, joined_forms, merged_copies, settle_papers
from miner.mining.settings import MiningSettings

SETTINGS = MiningSettings()


def copy(**values: object) -> tuple[object, ...]:
    given = {"md5": "m", "part": "p", "item": 1, "digest": "d", "parser": "structured", "parser_version": "3"}
    given |= {"splitter": "s", "kind": "papers", "sha256": "h", "pages": None, "domain": "", "licence": ""}
    return tuple((given | values)[name] for name in MappedCopy._fields)


def test_the_copy_that_counts_does_not_depend_on_the_order() -> None:
    tei = copy(item=2, parser="grobid", parser_version="0.8, reader 3", kind="tei", domain="nlp", sha256="t")
    pdf = copy(item=3, parser="embedded", parser_version="6", kind="pdf", sha256="f", pages=9, digest="e")
    other = copy(item=4, parser="embedded", parser_version="5", domain="cs", licence="CC-BY-4.0", digest="c")
    for copies in permutations((tei, pdf, other)):
        [(best, others, merged)] = merged_copies(copies)
        assert best == tei
        assert {copy.item for copy in others} == {3, 4}
        assert merged == {"kind": "pdf", "sha256": "f", "pages": 9, "domain": "cs", "licence": "CC-BY-4.0"}


def form(md5: str, kind: str, characters: int, **values: object) -> PaperForm:
    parser = {"jats": "jats", "archive": "jats", "tei": "grobid", "pdf": "embedded"}[kind]
    given: dict[str, Any] = {"title": "Sand on the meadows of the north", "authors": ["Ada Byron"], "year": 2014}
    given |= {"doi": "10.1234/sand.7", "digest": "d", "sha256": f"of {md5}", "pages": None, "domain": "", "licence": ""}
    return PaperForm(1, md5, kind, parser, characters=characters, **given | values)


def test_forms_of_a_paper_have_the_longest_xml_and_one_pdf_whatever_the_order() -> None:
    """The versions of an XML may differ in DOI; a second PDF stays a paper, as does an editorial with the paper's DOI.

    Of the PDFs the first by MD5 is taken. One is known by the texts alone.
    """
    forms = [
        form("f", "archive", 900, licence="CC-BY-4.0", domain="nlp"),
        form("e", "jats", 800, doi="10.1234/sand.8", domain="cs"),
        form("d", "tei", 950),
        form("c", "pdf", 990, pages=9, title="S and on meadows in north"),
        form("b", "pdf", 990, pages=8, doi=None, title="Sand and its meadows and more", authors=[]),
        form("g", "pdf", 990, pages=7),
        form("a", "jats", 100, title="Editorial: we welcome our readers"),
    ]
    prose = [" ".join(f"word{number}" for number in range(200))]
    read: set[str] = set()

    def texts(md5: str) -> list[str]:
        read.add(md5)
        return ["We are glad to have you as readers of this issue."] if md5 == "a" else prose

    for place in range(len(forms)):
        given = [*forms[place:], *forms[:place]][:: (-1) ** place]
        [(found, merged)] = joined_forms(given, texts)
        assert [one.md5 for one in found] == ["f", "e", "d", "c"]
        assert merged == {"kind": "pdf", "sha256": "of c", "pages": 9, "domain": "cs", "licence": "CC-BY-4.0"}
    assert read == {"a", "c", "e", "f", "g"}


def pair(md5: str, ordinal: int, text: int, *, neutral: bool = False) -> SharedPair:
    strategy, label = ("both_random", "neutral") if neutral else ("linked", "reasoning")
    return SharedPair(md5, ordinal, f"{md5}{ordinal}", strategy, label, text)


def test_the_first_paper_keeps_a_pair_and_the_quota_follows() -> None:
    """Three linked pairs allow one neutral pair, two of them also, by rounding; one allows none."""
    pairs = [pair("a", 0, 1), pair("a", 1, 2), pair("a", 2, 0), pair("a", 3, 0, neutral=True)]
    pairs += [pair("b", 0, 1), pair("b", 1, 2), pair("b", 2, 0), pair("b", 3, 3, neutral=True)]
    pairs += [pair("c", 0, 0), pair("c", 1, 3), pair("c", 2, 2)]
    first, second, third = settle_papers(pairs, 3, SETTINGS)
    assert (first.kept, first.funnel) == ([0, 1, 2, 3], [])
    assert second.kept == [2]
    changes = {(row["strategy"], row["outcome"], row["reason"]): row["count"] for row in second.funnel}
    assert changes == {
        ("linked", "kept", ""): -2,
        ("linked", "dropped", "duplicate"): 2,
        ("both_random", "kept", ""): -1,
        ("both_random", "dropped", "over_quota"): 1,
    }
    assert third.kept == [0, 1]  # text 3 was over quota in the paper before, and so is nobody's yet


def test_without_the_filter_every_paper_keeps_its_pairs() -> None:
    settings = MiningSettings(filters=SETTINGS.filters - {"duplicate"})
    pairs = [pair("a", 0, 1), pair("b", 0, 1)]
    assert [paper.kept for paper in settle_papers(pairs, 1, settings)] == [[0], [0]]
