"""What a reader would take for the paper's prose comes out, and nothing else."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from miner.parsing import embedded
from miner.parsing.embedded import parse_pdf
from miner.records import Paper, Paragraph, SectionKind
from tests import hostile_files
from tests.miner.parsing.pdf_factory import (
    BOATS,
    FERRY,
    HEIGHT,
    LEADING,
    LEFT,
    RIGHT,
    STORE,
    WIDTH,
    Sheet,
    prose,
    two_column_paper,
)


def paragraphs(paper: Paper) -> list[Paragraph]:
    return [paragraph for section in paper.sections for paragraph in section.paragraphs]


def texts(sheet: Sheet) -> list[str]:
    return [paragraph.text for paragraph in paragraphs(parse_pdf(sheet.bytes()))]


@pytest.fixture(scope="module")
def paper() -> Paper:
    return parse_pdf(two_column_paper())


def test_sections_carry_their_headings_and_kinds(paper: Paper) -> None:
    assert [(section.title, section.kind) for section in paper.sections] == [
        ("Abstract", SectionKind.ABSTRACT),
        ("1 Introduction", SectionKind.BODY),
        ("2 Methods", SectionKind.BODY),
        ("Appendix A. More ferries", SectionKind.ANNEX),
    ]


def test_a_paragraph_goes_on_over_a_figure_a_column_and_a_page(paper: Paper) -> None:
    introduction, methods = paper.sections[1], paper.sections[2]
    assert " ".join(p.text for p in introduction.paragraphs) == " ".join(FERRY + STORE)
    assert methods.paragraphs[0].text.startswith(" ".join(BOATS))


def test_only_prose_that_counts_comes_out(paper: Paper) -> None:
    whole = " ".join(paragraph.text for paragraph in paragraphs(paper))
    for left_out in (
        "page 1",
        "Figure 1",
        "no boats",
        "dredged",
        "L = 3x",
        "thank the crew",
        "On harbours",
        "Journal of",
    ):
        assert left_out not in whole


def test_a_display_formula_breaks_the_paragraph_and_says_so(paper: Paper) -> None:
    before, after = paper.sections[2].paragraphs[-2:]
    assert before.text.endswith("given by the simple relation")
    assert after.text == "where all the terms are known from earlier work here."
    assert (before.after_break, after.after_break) == (False, True)


def test_metadata_is_read_and_identity_hashes_the_file(paper: Paper) -> None:
    content = two_column_paper()
    assert paper.md5 == hashlib.md5(content).hexdigest()
    assert paper.sha256 == hashlib.sha256(content).hexdigest()
    assert paper.title == "Ferries and stores of a northern island"
    assert paper.authors == ("Ann Tide", "Bo Strand")
    assert (paper.year, paper.doi, paper.pages, paper.parser) == (2019, "10.1234/sounds.55", 3, "embedded")


def test_a_damaged_value_of_the_document_information_counts_as_missing() -> None:
    sheet = Sheet("The ferry crosses the sound", "Ann Tide")
    prose(sheet)
    half_a_pair = b"(\\376\\377\\330\\000)"
    content = sheet.bytes()
    assert parse_pdf(content).title == "The ferry crosses the sound"
    damaged = content.replace(b"(The ferry crosses the sound)", half_a_pair.ljust(29))
    assert len(damaged) == len(content)
    assert parse_pdf(damaged).title == ""


def test_the_package_lists_all_its_files() -> None:
    files = {path.name for path in Path(embedded.__file__).parent.glob("*.py")}
    assert set(re.findall(r"\w+\.py", embedded.__doc__ or "")) == files - {"__init__.py"}


@pytest.mark.parametrize(("large", "title"), [("Harbour Ferries", "Harbour Ferries"), ("Ferry Letters", "")])
def test_two_words_are_the_title_where_nothing_else_is_large(large: str, title: str) -> None:
    longer = "Stores of a northern island"
    sheet = Sheet()
    sheet.line(150, 40, large, 17, "Times-Bold")
    sheet.line(150, 60, "Ann Tide and Bo Strand" if title else longer, 10 if title else 15)
    prose(sheet, y=sheet.heading(LEFT, 80, "1 Introduction"))
    assert parse_pdf(sheet.bytes()).title == (title or longer)


def test_the_same_bytes_give_the_same_paper(paper: Paper) -> None:
    assert parse_pdf(two_column_paper()) == paper


def test_spans_say_where_each_line_stands(paper: Paper) -> None:
    for paragraph in paragraphs(paper):
        assert paragraph.spans[0].start == 0
        assert paragraph.spans[-1].end == len(paragraph.text)
        for span in paragraph.spans:
            assert 0 < span.box.x0 < span.box.x1 < WIDTH
            assert 0 < span.box.y0 < span.box.y1 < HEIGHT
    introduction = paper.sections[1].paragraphs
    lines = [p.text[span.start : span.end] for p in introduction for span in p.spans]
    assert lines == FERRY + STORE
    over_a_page = paper.sections[2].paragraphs[0].spans
    assert [span.box.page for span in over_a_page[:5]] == [1, 1, 2, 2, 2]
    assert over_a_page[0].box.x0 == pytest.approx(RIGHT, abs=1)
    assert over_a_page[2].box.x0 == pytest.approx(LEFT, abs=1)
    assert over_a_page[2].box.y0 < 100 < over_a_page[2].box.y1


def test_a_hyphen_at_a_lines_end_goes_unless_the_paper_writes_the_word_with_it() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT,
        y,
        [
            "A well-known pier needs no repair and a long-term lease",
            "is good for anyone who keeps a small boat in the har-",
            "bour. Such a person is a well-known guest with a long-",
            "term plan. The Baltic-North-",
            "Sea canal is a case.",
        ],
    )
    whole = " ".join(texts(sheet))
    assert "in the harbour. Such" in whole
    assert "with a long-term plan" in whole
    assert "The Baltic-North-Sea canal" in whole


def test_a_compound_broken_at_a_hyphen_keeps_it_and_a_broken_word_does_not() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT,
        y,
        [
            "The mean of a service is small and a square root-",
            "mean-square error is given for every ser-",
            "vice-related quantity of the harbour and its boats.",
        ],
    )
    whole = " ".join(texts(sheet))
    assert "square root-mean-square error" in whole
    assert "every service-related quantity" in whole


@pytest.mark.parametrize(
    ("left", "right", "whole"),
    [
        ("non", "human", "non-human"),
        ("point-of", "care", "point-of-care"),
        ("threat", "focused", "threat-focused"),
        ("har", "bour", "harbour"),
        ("under", "stand", "understand"),
        ("Git", "Hub", "GitHub"),
        ("Onto", "Portal", "Onto-Portal"),
    ],
)
def test_a_hyphen_at_a_lines_end_stays_in_compounds_of_known_words(left: str, right: str, whole: str) -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(LEFT, y, ["Every human needs care under threat and has to stand it,", "says GitHub."])
    y = sheet.lines(
        LEFT, y + 40, [*FERRY[:2], f"of it and of all that goes with it, such as the {left}-", f"{right} of it all."]
    )
    sheet.lines(
        LEFT, y + 20, ["The words of a line that was broken in two, as in har-", "bour, are none of the paper."]
    )
    assert f"such as the {whole} of it all." in " ".join(texts(sheet))


def test_spans_stay_right_after_a_hyphen_is_taken_away() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT, y, ["No boat leaves before the crew has looked over the har-", "bour and its many rocks once more."]
    )
    last = paragraphs(parse_pdf(sheet.bytes()))[-1]
    assert [last.text[span.start : span.end].strip() for span in last.spans][-2:] == [
        "No boat leaves before the crew has looked over the har",
        "bour and its many rocks once more.",
    ]


def test_raised_citation_numbers_go_and_exponents_stay() -> None:
    sheet = Sheet()
    y = prose(sheet)
    roman = "Times-Roman"
    sheet.pieces(
        LEFT,
        y,
        [("The pier was built with care.", 10, 0, roman), ("3,4", 6, 4, roman), (" However, it has an", 10, 0, roman)],
    )
    sheet.pieces(
        LEFT,
        y + LEADING,
        [("area of 12 km", 10, 0, roman), ("2", 6, 4, roman), (" and is far too small for ships.", 10, 0, roman)],
    )
    whole = " ".join(texts(sheet))
    assert "built with care. However, it has an area of 12 km2 and is" in whole


def test_no_space_is_left_where_a_raised_number_stood_before_a_stop() -> None:
    sheet = Sheet()
    y = prose(sheet)
    roman = "Times-Roman"
    sheet.pieces(
        LEFT,
        y,
        [
            ("To build it is difficult", 10, 0, roman),
            ("16, 17)", 6, 4, roman),
            (". Hence, sand and stone", 10, 0, roman),
            ("8", 6, 4, roman),
            (" are used.", 10, 0, roman),
        ],
    )
    assert "To build it is difficult. Hence, sand and stone are used." in " ".join(texts(sheet))


def test_a_raised_letter_after_a_stop_is_a_note_and_one_after_a_word_is_not() -> None:
    sheet = Sheet()
    y = prose(sheet)
    roman = "Times-Roman"
    sheet.pieces(LEFT, y, [("All slugs went with the baits.", 10, 0, roman), ("a", 6, 4, roman)])
    sheet.pieces(LEFT, y + LEADING, [("The sum exp", 10, 0, roman), ("x", 6, 4, roman), (" is large.", 10, 0, roman)])
    assert "went with the baits. The sum expx is large." in " ".join(texts(sheet))


def test_an_arrow_without_a_code_before_a_cross_reference_goes() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(LEFT, y, ["The boats of the harbour are all known (. Fig. 1) to us.", *FERRY])
    assert "are all known (Fig. 1) to us." in " ".join(texts(sheet))


def test_run_in_headings_are_cut_off() -> None:
    sheet = Sheet()
    y = prose(sheet) + 8
    sheet.pieces(
        LEFT, y, [("Boats of wood.", 10, 0, "Times-Bold"), (" They are tarred in spring and", 10, 0, "Times-Roman")]
    )
    sheet.lines(LEFT, y + LEADING, ["again in autumn, which keeps the water out of them."])
    assert texts(sheet)[-1] == "They are tarred in spring and again in autumn, which keeps the water out of them."


def test_text_that_stands_on_its_side_goes() -> None:
    sheet = Sheet()
    sheet.sideways(30, 500, "arXiv:1901.00001v1 [cs.CL] 1 Jan 2019")
    prose(sheet)
    content = sheet.bytes()
    paper = parse_pdf(content)
    assert "arXiv" not in " ".join(p.text for p in paragraphs(paper))
    assert paper.year == 2019


def test_an_axis_label_drawn_after_a_paragraph_leaves_its_last_line_alone() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "The gain lasts through the summer (Fig. 1).")
    sheet.sideways(LEFT + 8, y + 120, "Change of sand volume (per metre)", 6)
    sheet.lines(LEFT, y + 140, BOATS)
    whole = " ".join(texts(sheet))
    assert "through the summer (Fig. 1). Small boats" in whole
    assert "sand volume" not in whole


def test_a_justified_line_of_few_long_words_is_prose() -> None:
    sheet = Sheet()
    y = sheet.lines(LEFT, 100, FERRY)
    sheet.lines(LEFT, y, ["Some foundations such as the one behind the harbours"])
    end = LEFT + 210
    for x, word in ((LEFT, "panpsychic"), (LEFT + 83, "epistemological"), (end - 35, "quandary")):
        sheet.line(x, y + LEADING, word)
    sheet.lines(LEFT, y + 2 * LEADING, ["fill a line of their own in every issue of this paper."])
    assert "the harbours panpsychic epistemological quandary fill a line" in " ".join(texts(sheet))


def test_a_table_named_in_brackets_at_the_top_of_a_column_is_no_caption() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "Most of the boats are of wood and not long (Figure 3;")
    y = sheet.lines(RIGHT, 100, ["Table 1). All the others have a hull of steel or of glass", *BOATS])
    assert "(Figure 3; Table 1). All the others have" in " ".join(texts(sheet))


def test_sections_of_the_supplement_are_an_annex() -> None:
    sheet = Sheet()
    y = sheet.heading(LEFT, 80, "1 Introduction")
    y = prose(sheet, y=y)
    y = sheet.heading(LEFT, y, "References")
    y = sheet.lines(LEFT, y, [f"[{n}] A. Author. On harbours. J. Sea {n}, 2001." for n in range(1, 9)])
    sheet.next_page()
    y = sheet.heading(LEFT, 80, "S1 More ferries")
    y = sheet.lines(LEFT, y, FERRY)
    y = sheet.heading(LEFT, y, "S1.2 More stores")
    sheet.lines(LEFT, y, STORE)
    assert [section.kind for section in parse_pdf(sheet.bytes()).sections] == [
        SectionKind.BODY,
        SectionKind.ANNEX,
        SectionKind.ANNEX,
    ]


def test_a_section_about_data_sharing_is_body_and_a_statement_on_it_is_not() -> None:
    sheet = Sheet()
    y = sheet.heading(LEFT, 80, "C. Data Sharing")
    y = sheet.lines(LEFT, y, FERRY)
    y = sheet.heading(LEFT, y, "Data sharing statement")
    sheet.lines(LEFT, y, STORE)
    assert [section.title for section in parse_pdf(sheet.bytes()).sections] == ["C. Data Sharing"]


def test_line_numbers_in_the_margin_go() -> None:
    sheet = Sheet()
    for number, text in enumerate(FERRY + STORE, 1):
        sheet.line(LEFT - 25, 100 + 24 * number, str(number), 8)
        sheet.line(LEFT, 100 + 24 * number, text)
    assert " ".join(texts(sheet)) == " ".join(FERRY + STORE)


def test_columns_written_row_by_row_are_read_one_after_the_other() -> None:
    sheet = Sheet()
    rows = list(zip(FERRY + STORE + BOATS, BOATS + FERRY + STORE, strict=True))
    for number, (left, right) in enumerate(rows):
        sheet.line(LEFT, 100 + LEADING * number, left)
        sheet.line(RIGHT, 100 + LEADING * number, right)
    assert " ".join(texts(sheet)) == " ".join([left for left, _ in rows] + [right for _, right in rows])


def test_a_left_column_that_comes_last_in_the_file_is_read_first_where_its_sentence_goes_on() -> None:
    sheet = Sheet()
    sheet.lines(RIGHT, 100, STORE[3:] + BOATS)
    sheet.lines(LEFT, 100, FERRY + STORE[:3])
    assert " ".join(texts(sheet)) == " ".join(FERRY + STORE + BOATS)


def test_columns_of_whole_sentences_are_read_as_in_the_file() -> None:
    sheet = Sheet()
    sheet.lines(RIGHT, 100, STORE + BOATS)
    sheet.lines(LEFT, 100, FERRY)
    assert " ".join(texts(sheet)) == " ".join(STORE + BOATS + FERRY)


def test_an_abstract_that_comes_last_in_the_file_is_read_first() -> None:
    sheet = Sheet()
    y = sheet.heading(LEFT, 250, "1 Introduction")
    y = sheet.lines(LEFT, y, FERRY)
    sheet.lines(LEFT, y, STORE)
    y = sheet.heading(LEFT, 100, "Abstract")
    sheet.lines(LEFT, y, BOATS)
    paper = parse_pdf(sheet.bytes())
    assert [section.title for section in paper.sections] == ["Abstract", "1 Introduction"]
    assert paper.sections[0].paragraphs[0].text == " ".join(BOATS)


def test_a_table_of_contents_is_no_prose() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT, y, [f"S1.{n} Of ferries and of what they carry . . . . . . . . . . . . . . . . {n}" for n in range(1, 5)]
    )
    assert "what they carry" not in " ".join(texts(sheet))


def test_a_reference_list_needs_no_heading() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT, y + 30, [f"{n}. Author, A. B. & Writer, C. On harbours. Nature {n}, 1-9 (2001)." for n in range(1, 15)]
    )
    assert "Nature" not in " ".join(texts(sheet))


def test_a_table_headed_references_does_not_end_the_paper() -> None:
    sheet = Sheet()
    y = prose(sheet)
    y = sheet.heading(LEFT, y, "References")
    y = sheet.lines(LEFT, y, BOATS * 4)
    sheet.heading(LEFT, y, "3 Results")
    sheet.next_page()
    sheet.lines(LEFT, 100, FERRY * 4)
    assert " ".join(texts(sheet)).count("crosses the sound") == 5


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (hostile_files.german_pdf, "Die Fähre überquert den Sund viermal am Tag."),
        (hostile_files.chinese_pdf, "渡船每天横渡海峡四次。然而，风力过大时它会停在港内。"),
        (hostile_files.hebrew_pdf, "המעבורת חוצה את המיצר ארבע פעמים ביום."),
    ],
)
def test_other_languages_and_scripts_are_read(make: object, words: str, tmp_path: object) -> None:
    paper = parse_pdf(make(tmp_path).read_bytes())  # type: ignore[operator]
    assert words in paragraphs(paper)[0].text
