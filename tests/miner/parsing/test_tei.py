"""TEI to papers: text, positions, metadata, and documents that are refused."""

import hashlib
import re
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.parsing.tei import parse_tei
from miner.parsing.tei_prose import MAX_SENTENCE
from miner.records import Paper, Paragraph, SectionKind
from miner.versions import TEI_VERSION

DATA = Path(__file__).parents[2] / "data" / "tei"
SENTENCES = (DATA / "kelp.sentences.tei.xml").read_bytes()
PARAGRAPHS = (DATA / "kelp.paragraphs.tei.xml").read_bytes()


@pytest.fixture(scope="module")
def paper() -> Paper:
    return parse_tei(SENTENCES)


def tei(body: str, *, back: str = "", header: str = "") -> bytes:
    return (
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>{header}</teiHeader>'
        f"<text><body>{body}</body><back>{back}</back></text></TEI>"
    ).encode()


def only(body: str) -> Paragraph:
    """The one paragraph that a division of this content holds."""
    [section] = parse_tei(tei(f"<div>{body}</div>")).sections
    [paragraph] = section.paragraphs
    return paragraph


def code_of(document: bytes) -> str:
    with pytest.raises(UnreadableFile) as failure:
        parse_tei(document)
    return failure.value.code


def test_metadata_comes_from_the_header(paper: Paper) -> None:
    assert paper.title == "Shade, heat and the growth of kelp in sheltered bays"
    assert paper.authors == ("Ada K Brandvold", "Tomé Quispe")
    assert (paper.year, paper.doi, paper.pages) == (2021, "10.5555/kelp.2021.7", 2)
    assert (paper.parser, paper.parser_version) == ("grobid", f"0.8.2 a91ee48, reader {TEI_VERSION}")


def test_a_paper_without_a_date_has_the_year_of_its_arxiv_number() -> None:
    source = '<biblStruct><idno type="arXiv">arXiv:2312.07559v2[cs.CL]</idno></biblStruct>'
    document = tei("<p>Some text.</p>", header=f"<fileDesc><sourceDesc>{source}</sourceDesc></fileDesc>")
    assert parse_tei(document).year == 2023


def test_the_md5_of_the_pdf_is_the_identity_where_the_header_has_it(paper: Paper) -> None:
    assert paper.md5 == "0123456789abcdef0123456789abcdef"
    assert paper.sha256 == hashlib.sha256(SENTENCES).hexdigest()


def test_without_an_md5_the_tei_identifies_itself() -> None:
    document = tei("<p>Some text.</p>")
    assert parse_tei(document).md5 == hashlib.md5(document).hexdigest()


def test_abstract_body_and_annex_are_kept_and_back_matter_is_not(paper: Paper) -> None:
    assert [(section.kind, section.title) for section in paper.sections] == [
        (SectionKind.ABSTRACT, "Abstract"),
        (SectionKind.BODY, "Introduction"),
        (SectionKind.BODY, "Methods"),
        (SectionKind.BODY, "Results"),
        (SectionKind.ANNEX, "Appendix A"),
    ]


def test_heads_formulas_lists_figures_tables_notes_and_thanks_are_not_prose(paper: Paper) -> None:
    prose = " ".join(p.text for section in paper.sections for p in section.paragraphs)
    for stranger in (
        "Results",
        "g = a L",
        "first item",
        "Map of",
        "31 bay",
        "flood",
        "inside a division",
        "divers",
        "dived",
        "kept by",
    ):
        assert stranger not in prose


def test_paragraphs_read_the_same_with_and_without_marked_sentences(paper: Paper) -> None:
    def texts(paper: Paper) -> list[str]:
        return [paragraph.text for section in paper.sections for paragraph in section.paragraphs]

    assert texts(paper) == texts(parse_tei(PARAGRAPHS))


def test_adjacent_sentences_are_joined_by_a_space() -> None:
    assert only("<p><s>One ends.</s><s>Two starts.</s></p>").text == "One ends. Two starts."


def test_text_beside_the_marked_sentences_is_kept_in_its_place() -> None:
    assert only("<p>Before. <s>One.</s> Between. <s>Two.</s>After.</p>").text == "Before. One. Between. Two. After."


def test_a_formula_or_a_list_makes_a_break_and_a_footnote_does_not(paper: Paper) -> None:
    methods = paper.sections[2].paragraphs
    assert [paragraph.after_break for paragraph in methods] == [False, True, True]
    floating = parse_tei(tei("<div><p>One.</p><note><p>N.</p></note><figure/><p>Two.</p></div>")).sections[0]
    assert [paragraph.after_break for paragraph in floating.paragraphs] == [False, False]


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ('lost <ref type="bibr">3</ref>. Then', "lost. Then"),
        ('lost. <ref type="bibr">4,</ref><ref type="bibr">5</ref> Then', "lost. Then"),
        ('lost <ref type="bibr">4</ref>, <ref type="bibr">12-14</ref> in bays', "lost in bays"),
        ('lost<ref type="foot">foot_0</ref> .', "lost."),
        ('two<ref type="foot">1</ref>bays', "two bays"),
        ('see ref. <ref type="bibr">12</ref>.', "see ref. 12."),
        ('in Section <ref type="bibr">3</ref> we', "in Section 3 we"),
        (
            'animals <ref type="bibr">[1,</ref> <ref type="bibr">2,</ref> <ref type="bibr">3]</ref>.',
            "animals [1, 2, 3].",
        ),
        ('animals (<ref type="bibr">1,</ref> <ref type="bibr">2</ref>).', "animals (1, 2)."),
        ('Smith ( <ref type="bibr">2019</ref> ) says', "Smith (2019) says"),
        ('<ref type="bibr">(Smith 2019)</ref>shows', "(Smith 2019) shows"),
        ('and<ref type="figure">4</ref> depict', "and 4 depict"),
        ('Fig. S<ref type="figure">2</ref>b', "Fig. S2b"),
        ('text (<ref type="foot">1</ref>) on', "text on"),
        ("CO<hi>2</hi> and H<hi>2</hi>SO", "CO2 and H2SO"),
    ],
)
def test_citations_stay_text_and_superscripts_neither_stay_nor_fuse(marked: str, text: str) -> None:
    assert only(f"<p>{marked}</p>").text == text


def test_text_is_nfc_without_soft_hyphens_and_with_single_spaces() -> None:
    assert only("<p>cafe\u0301  non\u00adlinear\n bays</p>").text == "café nonlinear bays"


def test_each_box_of_a_sentence_spans_its_share_of_the_characters() -> None:
    paragraph = only('<p><s coords="3,10,20,30,5;3,10,30,10,5">abcdefgh</s><s coords="4,1,2,3,4">ij</s></p>')
    assert [(s.start, s.end, *s.box) for s in paragraph.spans] == [
        (0, 6, 3, 10.0, 20.0, 40.0, 25.0),
        (6, 8, 3, 10.0, 30.0, 20.0, 35.0),
        (9, 11, 4, 1.0, 2.0, 4.0, 6.0),
    ]


def test_a_paragraph_s_own_boxes_serve_where_no_sentences_are_marked() -> None:
    assert [(s.start, s.end, s.box.page) for s in only('<p coords="7,1,1,5,1;8,1,1,5,1">abcd</p>').spans] == [
        (0, 2, 7),
        (2, 4, 8),
    ]


@pytest.mark.parametrize(
    "coords",
    [
        *("", "1,2,3,4", "1,143,87,436,66,324,27,8,64", "x,1,2,3,4", "0,1,2,3,4", "1,nan,2,3,4", "1,1,2,0,4"),
        *("1,1e20,1,1,1", "1,1e308,1,1e308,1", f"{10**24},1,2,3,4"),
    ],
)
def test_a_box_that_is_not_sound_is_dropped_and_the_text_kept(coords: str) -> None:
    paragraph = only(f'<p><s coords="{coords};2,1,1,9,9">Kept.</s></p>')
    assert paragraph.text == "Kept."
    assert [span.box.page for span in paragraph.spans] == [2]


def test_a_division_inside_a_division_is_a_section_of_its_own() -> None:
    sections = parse_tei(tei("<div><head>A</head><p>One.</p><div><head>B</head><p>Two.</p></div></div>")).sections
    assert [(section.title, section.paragraphs[0].text) for section in sections] == [("A", "One."), ("B", "Two.")]


def test_repeated_namespace_declarations_do_not_hide_elements() -> None:
    assert parse_tei(
        tei('<div xmlns="http://www.tei-c.org/ns/1.0"><p xmlns="http://www.tei-c.org/ns/1.0">Seen.</p></div>')
    ).sections


def test_a_paragraph_with_a_monstrous_sentence_is_left_out() -> None:
    long = "word " * (MAX_SENTENCE // 5 + 1)
    section = parse_tei(tei(f"<div><p>One.</p><p><s>{long}</s></p><p>Two.</p></div>")).sections[0]
    assert [(p.text, p.after_break) for p in section.paragraphs] == [("One.", False), ("Two.", True)]


@pytest.mark.parametrize(
    "content",
    ['<ref type="bibr">7</ref>x ' * 20_000, " " * 5_000_000 + "x", "( " * 2_000_000, " )" * 2_000_000 + "x"],
    ids=["references", "spaces", "openings", "closings"],
)
def test_a_hostile_paragraph_takes_no_more_time_than_its_length(content: str) -> None:
    assert only(f"<p>{content}</p>").text


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (b"", "damaged"),
        (b"PK\x03\x04 not XML", "damaged"),
        (SENTENCES[: len(SENTENCES) // 2], "damaged"),
        (SENTENCES.replace("\u00b0".encode(), b"\xb0"), "damaged"),
        (b"<html><body><p>Log in</p></body></html>", "not_tei"),
        (b"<TEI><text><body><p>No namespace.</p></body></text></TEI>", "not_tei"),
        (b'<!DOCTYPE TEI SYSTEM "http://example.invalid/x.dtd">' + tei("<p>x</p>"), "doctype"),
        (b'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + tei("<p>&x;</p>"), "doctype"),
        (
            ('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE TEI>' + tei("<p>x</p>").decode()).encode("utf-16"),
            "doctype",
        ),
        (tei("<div>" * 300 + "<p>deep</p>" + "</div>" * 300), "too_deep"),
        (tei("<p>x</p>" + "<a/>" * 300_000), "too_large"),
        (tei("<a/>" * 1_000_000), "too_large"),
        (tei(f"<p>{'x' * (64 << 20)}</p>"), "too_large"),
        (tei(""), "no_text"),
        (tei("<div><head>Title</head><p> </p><formula>x</formula></div>"), "no_text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_a_readable_tei_is_refused_with_its_code(document: bytes, code: str) -> None:
    assert code_of(document) == code


def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert parse_tei(b"\xef\xbb\xbf" + SENTENCES).sections == parse_tei(SENTENCES).sections


def test_nothing_recognised_says_what_to_do() -> None:
    with pytest.raises(UnreadableFile, match=re.escape("No text recognised.")) as failure:
        parse_tei(tei(""))
    assert "OCR" in failure.value.hint
