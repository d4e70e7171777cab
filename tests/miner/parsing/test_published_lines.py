"""Lines of S2ORC and peS2o as they are published."""

from __future__ import annotations

import json
from typing import Any

import pytest

from miner.errors import UnreadableFile
from miner.parsing.json_lines import JsonLine, parse_json_line
from miner.records import Paper

TEXT = (
    "\nSand on meadows\nAda Byron, Shore College\nWe dug. It moved.\n\nIntroduction\n"
    "Sand moves.1,2 So E = m moves [3].\nFunding\nPaid by us.\nResults\nNothing moved."
)


def parsed(fields: dict[str, Any]) -> Paper:
    return parse_json_line(JsonLine(1, json.dumps(fields).encode()))


def spans(*texts: str, **attributes: str) -> list[dict[str, Any]]:
    return [
        {
            "start": TEXT.index(text),
            "end": TEXT.index(text) + len(text),
            **({"attributes": attributes} if attributes else {}),
        }
        for text in texts
    ]


def prose(paper: Paper) -> list[tuple[str, list[str]]]:
    return [(section.title, [one.text for one in section.paragraphs]) for section in paper.sections]


ANNOTATIONS = {
    "title": spans("Sand on meadows"),
    "author": spans("Ada Byron, Shore College"),
    "authorfirstname": spans("Ada"),
    "authorlastname": spans("Byron"),
    "abstract": spans("We dug. It moved."),
    "sectionheader": [*spans("Introduction", n="1"), *spans("Funding", "Results")],
    "paragraph": spans("Sand moves.1,2 So E = m moves [3].", "Paid by us.", "Nothing moved."),
    "bibref": spans("1,2", "3"),
    "formula": spans("E = m"),
    "table": None,
}


@pytest.mark.parametrize("name", ["content", "body"])
def test_annotated_text_of_s2orc(name: str) -> None:
    annotations = {key: value and json.dumps(value) for key, value in ANNOTATIONS.items()}
    if name == "body":
        annotations = ANNOTATIONS
    paper = parsed(
        {
            "corpusid": 17,
            "externalids": {"doi": "10.1/x"},
            "openaccessinfo": {"license": "CCBYNC"},
            name: {"text": TEXT, "annotations": annotations},
        }
    )
    assert (paper.title, paper.authors, paper.doi) == ("Sand on meadows", ("Ada Byron",), "10.1/x")
    assert (paper.licence, paper.sources[0].source) == ("CC-BY-NC", "S2ORC 17")
    assert prose(paper) == [
        ("Abstract", ["We dug. It moved."]),
        ("1 Introduction", ["Sand moves. So [formula] moves [3]."]),
        ("Results", ["Nothing moved."]),
    ]


def test_paragraphs_of_s2orc_2020_and_cord19() -> None:
    paper = parsed(
        {
            "paper_id": "77",
            "metadata": {
                "title": "Sand",
                "authors": [{"first": "Ada", "middle": ["B."], "last": "Byron", "suffix": ""}],
            },
            "abstract": [{"text": "We dug.", "section": "Abstract"}],
            "body_text": [
                {"text": "Sand moves EQUATION now.", "eq_spans": [{"start": 11, "end": 19}], "section": "Methods"},
                {"text": "Paid.", "section": "Acknowledgements"},
            ],
        }
    )
    assert (paper.title, paper.authors) == ("Sand", ("Ada B. Byron",))
    assert prose(paper) == [("Abstract", ["We dug."]), ("Methods", ["Sand moves [formula] now."])]


def test_documents_of_pes2o() -> None:
    text = "Sand on meadows\nWe dug.\n\nINTRODUCTION\n\nSand moves. It does.\n\n2.1 Sites and years\nThere were two."
    paper = parsed(
        {"id": "5", "source": "s2orc/train", "version": "v2", "created": "2014-03-01T00:00:00", "text": text}
    )
    assert (paper.title, paper.year, paper.sources[0].source) == ("Sand on meadows", 2014, "peS2o 5")
    assert prose(paper) == [
        ("Abstract", ["We dug."]),
        ("INTRODUCTION", ["Sand moves. It does."]),
        ("2.1 Sites and years", ["There were two."]),
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"content": {"text": "x", "annotations": {"paragraph": "[{"}}},
        {"content": {"text": "x", "annotations": {"paragraph": [{"start": 0, "end": 9}, 3, {"start": "a"}]}}},
        {"body_text": [3]},
        {"id": 1, "source": "s2ag", "text": ""},
    ],
)
def test_broken_lines_say_what_is_wrong(fields: dict[str, Any]) -> None:
    with pytest.raises(UnreadableFile, match="line 1: ") as refused:
        parsed(fields)
    assert refused.value.code == "bad_line"


def test_every_part_of_a_sections_path_counts() -> None:
    titles = ("Declarations / Funding statement", "Methods / Ethics statement", "Taxa / Bos / Notes", "Results / Sand")
    sections = [{"title": title, "paragraphs": ["Text."]} for title in titles]
    assert [title for title, _ in prose(parsed({"sections": sections}))] == ["Taxa / Bos / Notes", "Results / Sand"]
