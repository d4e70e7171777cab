"""Papers as JSON lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from miner.parsing.json_lines import JsonLine, parse_json_line, read_json_lines
from miner.parsing.text import tidy
from miner.records import SectionKind

GOOD = {
    "title": " Wave  run-up ",
    "year": "2019",
    "domain": "coastal",
    "doi": "10.5555/wave",
    "authors": ["A. Reader", 7],
    "sections": [
        {"title": "Abstract", "paragraphs": ["Waves run up."]},
        {"title": "1 Introduction", "paragraphs": ["One\ntwo.", "", " Three. "]},
        {"title": "Acknowledgements", "paragraphs": ["We thank the sea."]},
        {"title": None, "paragraphs": ["cafe\u0301"]},
    ],
}


def line(content: object, number: int = 3) -> JsonLine:
    return JsonLine(number, content if isinstance(content, bytes) else json.dumps(content).encode())


def test_a_line_becomes_a_paper_with_only_the_prose_that_counts() -> None:
    paper = parse_json_line(line(GOOD))
    assert (paper.title, paper.year, paper.domain, paper.doi, paper.authors) == (
        "Wave run-up",
        2019,
        "coastal",
        "10.5555/wave",
        ("A. Reader",),
    )
    assert [(s.title, s.kind, [p.text for p in s.paragraphs]) for s in paper.sections] == [
        ("Abstract", SectionKind.ABSTRACT, ["Waves run up."]),
        ("1 Introduction", SectionKind.BODY, ["One two.", "Three."]),
        ("", SectionKind.BODY, ["café"]),
    ]


def test_identity_is_the_content_not_the_domain_or_the_line() -> None:
    assert parse_json_line(line(GOOD | {"domain": "x"}, 9)).md5 == parse_json_line(line(GOOD)).md5
    assert parse_json_line(line(GOOD | {"year": 2020})).md5 != parse_json_line(line(GOOD)).md5


def test_formulas_are_marked_and_a_displayed_one_is_a_break() -> None:
    texts = [
        "Waves of height [FORMULA] , if ( [FORMULA] ) holds, run up.",
        "The run-up is",
        "[FORMULA] .",
        "where [FORMULA] is small. It follows that [FORMULA] We then measured it.",
        "Here [FORMULA] Hs was small.",
    ]
    plain = GOOD | {"sections": [{"title": "Run-up", "paragraphs": texts}]}
    [section] = parse_json_line(line(plain)).sections
    assert [(paragraph.text, paragraph.after_break) for paragraph in section.paragraphs] == [
        ("Waves of height [formula], if ([formula]) holds, run up.", False),
        ("The run-up is", False),
        ("where [formula] is small. It follows that [formula]", True),
        ("We then measured it.", True),
        ("Here [formula] Hs was small.", False),
    ]


FUSED = [
    "Waves run up beaches1. They overtop dikes2,3 and erode dunes4–6, as shown for gravel.7,8However, sand is finer.9",
    "Sand moves with currents10, with wind (by saltation)11 and with ice. Dunes grow12.Type2 dunes do not grow. "
    "Waves on beaches, dikes and dunes, gravel and finer sand. As currents grow, saltation does.",
]


def test_fused_citations_are_put_in_brackets() -> None:
    [section] = parse_json_line(line(GOOD | {"sections": [{"paragraphs": FUSED}]})).sections
    assert [paragraph.text for paragraph in section.paragraphs] == [
        "Waves run up beaches [1]. They overtop dikes [2,3] and erode dunes [4–6], as shown for gravel [7,8]. "
        "However, sand is finer [9].",
        "Sand moves with currents [10], with wind (by saltation) [11] and with ice. Dunes grow [12]."
        "Type2 dunes do not grow. Waves on beaches, dikes and dunes, gravel and finer sand. As currents grow, "
        "saltation does.",
    ]


@pytest.mark.parametrize(
    "texts",
    [
        FUSED[:1],  # too few
        ["The genes wavea3, waveb7, wavec2, waved9, wavee1, wavef6 and waveg4 were found."],  # after no words
        ["The waves " + " ".join(f"{word}{n}" for word in ("wave", "dune", "sand") for n in range(1, 8))],  # numbered
        [*FUSED, "It was shown [1]. It was [2]. " * 8],  # citations stand in brackets
    ],
)
def test_other_digits_after_words_stay(texts: list[str]) -> None:
    [section] = parse_json_line(line(GOOD | {"sections": [{"paragraphs": texts}]})).sections
    assert [paragraph.text for paragraph in section.paragraphs] == [text.strip() for text in texts]


def test_marks_do_not_change_the_identity() -> None:
    paper = parse_json_line(line(GOOD | {"sections": [{"paragraphs": ["Waves of [FORMULA] run up."]}]}))
    assert paper.md5 == "61c15887a471955dc734830ae987ee4c"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not JSON"),
        (b'{"title": "cut"\n', r"not JSON \(Expecting ',' delimiter at character 17\)$"),
        (b'{"title": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b"3", "not a JSON object"),
        ({"title": "x"}, "no list of sections"),
        ({"sections": [3]}, "without a list of paragraphs"),
        ({"sections": [{"paragraphs": "text"}]}, "without a list of paragraphs"),
        ({"sections": [{"paragraphs": [1]}]}, "not text"),
        ({"sections": []}, "no prose"),
        ({"sections": [{"paragraphs": ["[FORMULA] [FORMULA]"]}]}, "no prose"),
        ({"sections": [{"title": "References", "paragraphs": ["[1] A."]}]}, "no prose"),
        (GOOD | {"year": 19}, "not a year"),
        (GOOD | {"year": "soon"}, "not a year"),
        (GOOD | {"year": "9" * 5_000}, "year '9{20}' is not a year"),
        (b'{"year": ' + b"9" * 5_000 + b"}", "not JSON"),
    ],
)
def test_a_bad_line_says_its_number_and_what_is_wrong(content: object, reason: str) -> None:
    with pytest.raises(UnreadableFile, match=f"^line 3: .*{reason}") as caught:
        parse_json_line(line(content))
    assert caught.value.code == "bad_line"


def test_lines_are_numbered_and_blank_ones_skipped(tmp_path: Path) -> None:
    content = b"\n{}\n  \n[]"
    (tmp_path / "plain.jsonl").write_bytes(content)
    (tmp_path / "zipped.jsonl").write_bytes(gzip.compress(content))
    for name in ("plain.jsonl", "zipped.jsonl"):
        assert [(found.number, found.content.strip()) for found in read_json_lines(tmp_path / name)] == [
            (2, b"{}"),
            (4, b"[]"),
        ]


def test_a_paper_about_pdfs_is_read_and_a_pdf_is_not(tmp_path: Path) -> None:
    about, pdf = tmp_path / "about.jsonl", tmp_path / "pdf.jsonl"
    about.write_text('{"title": "How %PDF-1.4 came about"}')
    pdf.write_bytes(b"\n%PDF-1.4 and so on")
    assert len(list(read_json_lines(about))) == 1
    with pytest.raises(UnreadableFile, match="is a PDF"):
        list(read_json_lines(pdf))


def test_a_broken_off_gzip_gives_its_lines_and_then_says_so(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(json.dumps({"n": n * 12345.678}).encode() + b"\n" for n in range(5000)))
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    lines = []
    with pytest.raises(UnreadableFile, match=r"breaks off .* after line 2,\d\d\d"):
        lines.extend(read_json_lines(tmp_path / "cut.jsonl.gz"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("plain", "plain"),
        (" two  spaces\u00a0here\n", "two spaces here"),
        ("a\u0000b\ufeffc\u200bd\ud800e", "abcde"),
        ("e\u0301", "é"),
        ("", ""),
    ],
)
def test_tidy(given: str, kept: str) -> None:
    assert tidy(given) == kept
