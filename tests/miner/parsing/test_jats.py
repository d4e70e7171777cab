"""Publishers' XML: which of its text is prose, as what, and what it says of the paper."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.parsing.formats import FileKind, xml_kind
from miner.parsing.jats import parse_jats
from miner.records import Paper

SHARED = Path(__file__).parents[4] / "shared" / "data"

FRONT = """<front><journal-meta><journal-title-group><journal-title>Shore Letters</journal-title></journal-title-group>
</journal-meta><article-meta><article-id pub-id-type="doi">10.1234/shore.7</article-id><title-group>
<article-title>Sand on <italic>Zostera</italic> meadows<xref ref-type="fn" rid="f1">*</xref></article-title>
<subtitle>A survey</subtitle></title-group><contrib-group><contrib contrib-type="author"><name><surname>Lovelace
</surname><given-names>Ada B.</given-names></name><xref ref-type="aff" rid="a1">1</xref></contrib><contrib
contrib-type="author"><collab>Shore Group</collab></contrib><contrib contrib-type="editor"><name><surname>No</surname>
</name></contrib></contrib-group><pub-date pub-type="pmc-release"><year>2011</year></pub-date><pub-date
pub-type="ppub"><year>2014</year></pub-date><pub-date pub-type="epub"><year>2013</year></pub-date><permissions><license
xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://creativecommons.org/licenses/by-nc/4.0/"><license-p>See
the licence.</license-p></license></permissions><abstract><sec><title>Background</title><p>Sand moves.</p></sec><sec>
<title>Funding</title><p>Paid by us.</p></sec></abstract>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
<kwd-group><kwd>sand</kwd><kwd><italic>sea grass</italic></kwd></kwd-group></article-meta></front>"""
DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) v1.2 20190208//EN" "JATS-archivearticle1.dtd">'


def jats(body: str, *, front: str = FRONT, back: str = "", doctype: str = DOCTYPE) -> bytes:
    root = f'<article xml:lang="en">{front}<body>{body}</body><back>{back}</back></article>'
    return f'<?xml version="1.0" encoding="UTF-8"?>{doctype}{root}'.encode()


def body_texts(body: str) -> list[str]:
    return [one.text for section in parse_jats(jats(body, front="<front/>")).sections for one in section.paragraphs]


def test_metadata_come_from_the_front() -> None:
    paper = parse_jats(jats("<p>x</p>"))
    assert (paper.title, paper.authors) == ("Sand on Zostera meadows: A survey", ("Ada B. Lovelace", "Shore Group"))
    assert (paper.year, paper.doi, paper.journal) == (2013, "10.1234/shore.7", "Shore Letters")
    assert (paper.licence, paper.keywords, paper.language) == ("CC-BY-NC-4.0", ("sand", "sea grass"), "en")
    assert {source.source for source in paper.sources} == {"publisher's XML"}


def test_sections_have_their_path_and_only_prose_that_counts() -> None:
    back = (
        "<ack><p>Thanks.</p></ack><sec><title>Conflicts of interest</title><p>None.</p></sec>"
        "<app-group><app><title>Appendix A</title><p>More sand.</p></app></app-group><ref-list><ref/></ref-list>"
    )
    body = (
        "<sec><title><bold>Methods</bold></title><p>We dug.</p><sec><title>Sites</title><p>Two.</p></sec>"
        "<sec><title>Ethics statement</title><p>Fine.</p></sec></sec><p><bold>Funding</bold></p><p>Paid.</p>"
    )
    found = [
        (section.title, section.kind.value, [one.text for one in section.paragraphs])
        for section in parse_jats(jats(body, back=back)).sections
    ]
    assert found == [
        ("Abstract / Background", "abstract", ["Sand moves."]),
        ("Methods", "body", ["We dug."]),
        ("Methods / Sites", "body", ["Two."]),
        ("Appendix A", "annex", ["More sand."]),
    ]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("<p>In <italic>E. coli</italic> H<sub>2</sub>O, 10<sup>6</sup> m.</p>", ["In E. coli H2O, 10^6 m."]),
        ("<p>It grew.<sup><xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref></sup> So</p>", ["It grew. So"]),
        ("<p>It grew<xref ref-type='bibr'><sup>12</sup></xref>.</p>", ["It grew."]),
        ("<p>Grew <xref ref-type='bibr'>1</xref>–<xref ref-type='bibr'>3</xref> and sank.</p>", ["Grew and sank."]),
        ("<p>Grew [<xref ref-type='bibr'>1</xref>, <xref ref-type='bibr'>2</xref>].</p>", ["Grew [1, 2]."]),
        ("<p>Grew (<xref ref-type='bibr'>Lee 2001</xref>).</p>", ["Grew (Lee 2001)."]),
        ("<p>See ref. <xref ref-type='bibr'>7</xref>.</p>", ["See ref. 7."]),
        ("<p>A note<xref ref-type='fn'>a</xref><fn><p>Odd.</p></fn> is left out.</p>", ["A note is left out."]),
        ("<p>With <inline-formula><math><mi>p</mi><mo>=</mo><mn>1</mn></math></inline-formula>.</p>", ["With p = 1."]),
        ("<p>Let <inline-formula><tex-math>\\frac{a}{b}</tex-math></inline-formula> be.</p>", ["Let [formula] be."]),
        ("<p>a&nbsp;b&mdash;c &unknown1; d</p>", ["a b—c [formula] d"]),
        ("<p>The 18 <sup>th</sup> CO <sub>2</sub> count.</p>", ["The 18th CO2 count."]),
        ("<p>In Table 3<xref ref-type='fig'>(Tab. 3)</xref> it fell.</p>", ["In Table 3 it fell."]),
    ],
)  # fmt: skip
def test_text_reads_as_it_is_printed(body: str, texts: list[str]) -> None:
    assert body_texts(body) == texts


def test_text_does_not_go_on_across_formulas_lists_and_headings() -> None:
    body = (
        "<p>One.</p><p>Two is <disp-formula><math/></disp-formula> where it ends.<list><list-item><p>no</p></list-item>"
        "</list></p><p>Three.</p><fig><caption><p>no</p></caption></fig><p>Four.</p><p><bold>Five.</bold> Six.</p>"
    )
    paragraphs = parse_jats(jats(body, front="<front/>")).sections[0].paragraphs
    assert [(one.text, one.after_break) for one in paragraphs] == [
        ("One.", False),
        ("Two is", False),
        ("where it ends.", True),
        ("Three.", True),
        ("Four.", False),
        ("Six.", True),
    ]


def test_nesting_as_deep_as_is_read_is_read() -> None:
    for name in ("sup", "xref", "italic"):
        assert body_texts(f"<p>{f'<{name}>' * 240}x{f'</{name}>' * 240} y.</p>")[0].endswith("y.")


def test_biomed_centrals_own_xml_is_read() -> None:
    xml = (
        b"<!DOCTYPE art SYSTEM 'article.dtd'><art><fm><bibl><title><p>Old <it>lions</it> of the north</p></title><aug>"
        b"<au><snm>Byron</snm><fnm>Ada</fnm></au></aug><source>BMC X</source><pubdate>2014</pubdate><xrefbib><pubid "
        b"idtype='doi'>10.1186/1</pubid></xrefbib></bibl><abs><sec><st><p>Abstract</p></st><p>Lions.</p></sec></abs>"
        b"</fm><bdy><sec><st><p>Background</p></st><p>Lions\n<abbrgrp>\n<abbr>1</abbr>\n<abbr>2</abbr></abbrgrp>.</p>"
        b"</sec></bdy></art>"
    )
    paper = parse_jats(xml)
    assert (paper.title, paper.authors, paper.year, paper.doi) == (
        "Old lions of the north",
        ("Ada Byron",),
        2014,
        "10.1186/1",
    )
    assert [(one.title, one.paragraphs[0].text) for one in paper.sections] == [
        ("Abstract", "Lions."),
        ("Background", "Lions [1,2]."),
    ]


BOMB = "<!DOCTYPE article [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>"


@pytest.mark.parametrize(
    ("xml", "code", "words"),
    [
        (jats("<p>&b;</p>", doctype=BOMB), "doctype", "entities of its own"),
        (
            jats("<p>&b;</p>", doctype=BOMB).decode().replace("UTF-8", "UTF-16").encode("utf-16"),
            "doctype",
            "of its own",
        ),
        (
            jats("<p>&x;</p>", doctype="<!DOCTYPE article [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"),
            "doctype",
            "safety",
        ),
        (jats("<p>x</p>")[:-30], "damaged", "cut short"),
        (jats("<sec>" * 300 + "</sec>" * 300), "too_deep", "256 levels"),
        (b"<html><body/></html>", "not_jats", "<html>"),
        (b"<articles><article><front/></article><article><front/></article></articles>", "not_jats", "2 articles"),
        (b'<article article-type="retraction"><front/></article>', "no_text", "a retraction without text"),
    ],
)
def test_bad_xml_is_refused_in_a_sentence(xml: bytes, code: str, words: str) -> None:
    with pytest.raises(UnreadableFile, match=re.escape(words)) as refused:
        parse_jats(xml)
    assert refused.value.code == code


def test_the_root_tells_what_xml_it_is() -> None:
    tei = b'<?xml version="1.0"?>\n<!-- TEI or JATS? --><TEI xmlns="http://www.tei-c.org/ns/1.0">'
    nlm = b'\xef\xbb\xbf<?xml version="1.0"?><!DOCTYPE article PUBLIC "x" "y"><?pi?><article xmlns:a="b"><front>'
    assert [xml_kind(start) for start in (tei, nlm, b"<art><ui/>", b"<article><para/>", b"<svg/>", b"")] == [
        FileKind.TEI,
        FileKind.JATS,
        FileKind.JATS,
        None,
        None,
        None,
    ]


def test_mutated_xml_is_read_or_refused() -> None:
    source = jats("<sec><title>A</title><p>One <sup>2</sup>.<xref ref-type='bibr'>3</xref> Two.</p></sec>")
    draw = random.Random(7)
    pieces = (b"<p>", b"</p>", b"&amp;", b"&#0;", b"\0", b"<xref>", b"]]>", b"<!--", b"\xff", b"<sup/>", b"9" * 50)
    for _ in range(400):
        xml = bytearray(source)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(xml))
            xml[at : at + draw.choice((0, 1, 5, 60))] = draw.choice(pieces)
        with suppress(UnreadableFile):
            assert isinstance(parse_jats(bytes(xml)), Paper)


@pytest.mark.skipif(not (SHARED / "jats").is_dir(), reason="the shared corpora are not here")
def test_every_shared_article_is_read() -> None:
    papers = [parse_jats(path.read_bytes()) for path in sorted((SHARED / "jats").glob("*.jats.xml"))[::6]]
    assert all(paper.title and paper.authors and paper.year and paper.journal for paper in papers)
    assert all(sum(len(section.paragraphs) for section in paper.sections) > 5 for paper in papers)
