"""Title, authors, year, DOI, journal and licence, from the lines of made-up first pages: one trap each."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from lxml import etree

from miner.parsing.embedded import parse_pdf
from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.metadata import PdfMetadata, read_metadata
from miner.parsing.embedded.metadata.embedded_statements import read_statements
from miner.parsing.embedded.metadata.letters import letters

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data" / "jats"

TITLE = "Tides and ferries of a northern island"
PROSE = "The ferry leaves the old harbour at noon and crosses the sound to the northern island."


def line(text: str, y: float, size: float = 10.0, *, x: float = 60.0, bold: bool = False, note: str = "") -> TextLine:
    width = 0.5 * size * len(text)
    weight = float(bold)
    return TextLine(
        1, text, x, y, x + width, y + size, size, y + 0.8 * size, True, False, weight, 0.0, 0.0, "", False, 0,
        note_after=note,
    )  # fmt: skip


def page(*head: TextLine, title: str = TITLE, names: str = "Ada B. Lovelace and Grace Hopper") -> list[TextLine]:
    """A first page: lines of the head, title, names and running text."""
    opening = [line(title, 100, 18, bold=True), line(names, 130, 11)] if title else []
    return [*head, *opening, line("Abstract", 160, bold=True), *(line(PROSE, 180 + 12 * at) for at in range(40))]


def read(*pages: list[TextLine], pdf: bytes = b"", **info: str) -> PdfMetadata:
    return read_metadata(pdf, info, pages)


def sure(found: PdfMetadata, field: str) -> bool:
    return next(source.is_sure for source in found.sources if source.field == field)


def xmp(title: str, rest: str = "") -> bytes:
    return f"<rdf:RDF><dc:title><rdf:Alt><rdf:li>{title}</rdf:li></rdf:Alt></dc:title>{rest}</rdf:RDF>".encode()


def rights(licence: str) -> str:
    return (
        f"<dc:rights><rdf:Alt><rdf:li>http://creativecommons.org/licenses/{licence}/4.0/</rdf:li></rdf:Alt></dc:rights>"
    )


COVERS = {
    "a network": [
        line("See discussions, stats, and author profiles for this publication at: researchgate.net/x", 40, 9),
        line(TITLE, 80, 16),
        line("Article in Journal of Other Things · July 2003", 110, 9),
        line("CITATIONS", 140, 8),
        line("SEE PROFILE", 170, 8),
    ],
    "a repository": [
        line("University of Northtown", 40, 24, bold=True),
        line("This is the accepted version. Citation for published version (APA):", 80),
        line(f"Lovelace, A. B., & Hopper, G. (2018). {TITLE}. Journal of Tides, 3(1), 1-9.", 92),
        line("General rights", 120, bold=True),
        line("Copyright and moral rights are retained by the authors. Download date: 03 March 2023", 132),
        line(TITLE, 180, 14, bold=True),
    ],
    "a publisher": [
        line("Accepted Manuscript", 40, 24, bold=True),
        line(TITLE, 80, 12),
        line("PII: S0143-1234(18)12345-6", 110),
        line("Please cite this article as: Lovelace AB, Tides and ferries, (2018)", 122),
        line("This is a PDF file of an unedited manuscript that has been accepted for publication.", 140),
    ],
}  # fmt: skip


@pytest.mark.parametrize("cover", COVERS.values(), ids=COVERS)
def test_a_cover_is_passed_over(cover: list[TextLine]) -> None:
    found = read(cover, page(line("Published: 12 November 2018", 60, 8)))
    assert (found.title, found.authors, found.year) == (TITLE, ("Ada B. Lovelace", "Grace Hopper"), 2018)


@pytest.mark.parametrize(
    "stated",
    [
        "DDDT-95275-tides-and-ferries",
        "Microsoft Word - tides.docx",
        "CSS1442334 1..13",
        "Winds and boats of a desert",
        "Print",
    ],
)
def test_a_title_of_the_file_that_is_not_the_pages_is_not_believed(stated: str) -> None:
    found = read(page(), Title=stated, Author="Someone Else")
    assert (found.title, found.authors[0]) == (TITLE, "Ada B. Lovelace")


def test_a_title_is_whole_and_its_entities_are_read() -> None:
    in_two_types = [
        line("Tides of the fish", 100, 18, bold=True),
        line("Clupea harengus", 122, 18),
        line("in a sound", 144, 18, bold=True),
    ]
    names = line("Ada B. Lovelace, Grace Hopper", 175, 11)
    assert read(page(*in_two_types, names, title="")).title == "Tides of the fish Clupea harengus in a sound"
    stated = "The islands&amp;apos; tides &amp;#x2010; a review of the sound"
    assert read(page(title="The islands' tides ‐ a review of the sound"), Title=stated).title == (
        "The islands' tides ‐ a review of the sound"
    )


def test_a_running_citation_a_label_and_a_journal_are_no_titles() -> None:
    head = [
        line("Lovelace et al. Journal of Tides 2018; 3(1): 1-9", 30, 20),
        line("Original Research Article", 50, 20, bold=True),
        line("Journal of Tides", 75, 24, bold=True),
    ]
    found = read(page(*head))
    assert (found.title, found.journal, found.year) == (TITLE, "Journal of Tides", 2018)


@pytest.mark.parametrize(
    ("printed", "names"),
    [
        ("ADA B. LOVELACE1,*, MD, PhD, AND GRACE HOPPER2", ("Ada B. Lovelace", "Grace Hopper")),
        ("Judith van de Wetering† | Ana O’Neil‡ · Li Na§", ("Judith van de Wetering", "Ana O’Neil", "Li Na")),
        ("Xin Xia1[0009-0009-1717-8511], Nejla Yuruk2", ("Xin Xia", "Nejla Yuruk")),
        ("Novak, J., Li, X.Y. & Kim, H.", ("J. Novak", "X.Y. Li", "H. Kim")),
        ("Dr. Ada Lovelace (ada@sound.org), Hyun In Kim Jr", ("Ada Lovelace", "Hyun In Kim Jr.")),
    ],
)  # fmt: skip
def test_names_come_as_printed_without_marks(printed: str, names: tuple[str, ...]) -> None:
    assert read(page(names=printed)).authors == names


def test_a_name_broken_over_two_rows_is_one_and_places_are_none() -> None:
    rows = [
        line("Ada B. Lovelace, Grace Hopper, Radia", 130, 11),
        line("Perlman, Barbara Liskov", 144, 11),
        line("Department of Physics and Urban Planning, University of the Sound, South Africa", 158, 11),
    ]
    found = read(page(line(TITLE, 100, 18, bold=True), *rows, title=""))
    assert found.authors == ("Ada B. Lovelace", "Grace Hopper", "Radia Perlman", "Barbara Liskov")


def test_a_citation_box_confirms_title_authors_year_journal_and_doi() -> None:
    box = [
        line("Citation: Lovelace AB, Hopper G (2018)", 600, 8),
        line("Tides and ferries of a northern island.", 610, 8),
        line("PLoS Tides 21(6): e0349705. https://doi.org/10.1371/", 620, 8),
        line("journal.pone.0349705", 630, 8),
    ]
    editors = line("Edith Editor", 116, 11)
    found = read(
        page(line(TITLE, 90, 18, bold=True), editors, line("Ada B. Lovelace, Grace Hopper", 130, 11), *box, title="")
    )
    assert found == PdfMetadata(
        TITLE,
        ("Ada B. Lovelace", "Grace Hopper"),
        2018,
        "10.1371/journal.pone.0349705",
        "PLoS Tides",
        "",
        found.sources,
    )
    assert all(source.is_sure for source in found.sources)


@pytest.mark.parametrize(
    ("lines", "year"),
    [
        (["hfshang2002@sound.org", "published: 12 November 2018"], 2018),
        (["Received 3 May 2017; accepted 9 June 2018", "https://doi.org/10.1234/sound.1999.12"], 2018),
        (["Journal of Tides 10 (2019)"], 2019),
        (["© The Author(s) 2016"], 2016),
        (["Vol 12, 2018"], 2018),
        (["arXiv:1905.01234v2 [cs.CL] 6 Dec 2019"], 2019),
        (["hfshang2002@sound.org"], None),
    ],
)
def test_the_year_is_of_the_publication(lines: list[str], year: int | None) -> None:
    head = [line(text, 30 + 12 * at, 8) for at, text in enumerate(lines)]
    cited = line(
        "As was shown for the sound (Smith, 1987), the tide turns; Jones et al. (2001) saw it too, as we do.", 500
    )
    assert read(page(*head, cited)).year == year


@pytest.mark.parametrize(
    ("lines", "doi"),
    [
        (["https://doi. org/10.1007/ s00103-019-03061-2"], "10.1007/s00103-019-03061-2"),
        (["DOI: 10.1016/S2352-3026(20)30366-5"], "10.1016/s2352-3026(20)30366-5"),
        (["http://dx.doi.", "org/10.1289/ehp.1104789 [Online 20 September 2012]"], "10.1289/ehp.1104789"),
        (["Data: https://doi.org/10.5061/dryad.123"], None),
        (["1. Smith J. On tides. J Sound 2001;3:4. doi:10.1000/other.1"], None),
    ],
)
def test_the_doi_is_the_papers_own(lines: list[str], doi: str | None) -> None:
    foot = [line(text, 700 + 10 * at, 8) for at, text in enumerate(lines)]
    assert read(page(*foot)).doi == doi


def test_what_a_source_says_is_believed_or_rejected_as_a_whole() -> None:
    stale = xmp("Winds and boats of a desert", rights("by") + "<prism:doi>10.1/winds</prism:doi>")
    licensed = line(
        "This article is distributed under the Creative Commons Attribution-NonCommercial-ShareAlike License", 700, 8
    )
    found = read(page(), pdf=stale)
    assert (found.licence, found.doi) == ("", None)
    assert read(page(licensed), pdf=stale).licence == "CC-BY-NC-SA"
    own = read(page(), pdf=xmp(TITLE, rights("by") + "<prism:doi>10.1234/tides</prism:doi>"))
    assert (own.licence, own.doi) == ("CC-BY-4.0", "10.1234/tides")
    both = read(page(licensed), pdf=xmp(TITLE, rights("by")))
    assert (both.licence, sure(both, "licence")) == ("CC-BY-NC-SA", False)


@pytest.mark.parametrize("part", [b"<rdf:RDF ", b"<rdf:RDF><dc:rights>", b"<dc:rights>x", b'<rdf:RDF dc:title="'])
def test_a_file_full_of_xmp_that_never_ends_is_soon_read(part: bytes) -> None:
    assert len(read_statements(part * 1_000_000, {})) == 1


@pytest.mark.parametrize("text", ["北方島嶼的潮汐與渡輪", "Ж", "\ufdd0\ufdd0", "٣", ""])
def test_any_script_is_read_without_an_error(text: str) -> None:
    found = read([line(text, 100, 18), *(line(text, 150 + 12 * at) for at in range(5))], [])
    assert found.authors == ()


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="the shared papers are not on this machine")
def test_metadata_agree_with_the_publishers_xml() -> None:
    wrong: dict[str, list[str]] = {"title": [], "author": [], "year": [], "doi": []}
    for row in csv.DictReader((SHARED / "index.csv").read_text("utf-8").splitlines()):
        found = parse_pdf((SHARED / f"{row['slug']}.pdf").read_bytes())
        front = etree.parse(SHARED / f"{row['slug']}.jats.xml").find(".//{*}article-meta")
        assert front is not None
        title = letters("".join(map(str, front.find(".//{*}article-title").itertext())))  # type: ignore[union-attr]
        doi = (front.findtext(".//{*}article-id[@pub-id-type='doi']") or "").lower()
        agrees = {
            "title": letters(found.title)[:60] == title[:60],
            "author": letters(front.findtext(".//{*}surname") or "") in letters(" ".join(found.authors[:1])),
            "year": str(found.year) in {year.text for year in front.findall(".//{*}pub-date/{*}year")},
            "doi": not doi or found.doi == doi,
        }
        for field, is_right in agrees.items():
            if not is_right:
                wrong[field].append(row["slug"])
    assert {field: len(slugs) for field, slugs in wrong.items()} == {"title": 0, "author": 0, "year": 0, "doi": 0}
