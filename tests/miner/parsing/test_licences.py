"""Licences, as publishers state them: the phrases are those of real papers' first and last pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from miner.errors import UnreadableFile
from miner.parsing.embedded import parse_pdf
from miner.parsing.json_lines import JsonLine, parse_json_line
from miner.parsing.licences import ARXIV, find_licence, find_paper_licence, is_redistributable, strictest

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"

# ruff: noqa: E501
PAPERS = [
    ("This is an open access article distributed under the Creative Commons Attribution License, which permits", "CC-BY"),
    ("Open Access. Thisarticleisdistributedunder the terms of the Creative Commons Attribution 4.0 International", "CC-BY-4.0"),
    ("© 2016 by the authors; licensee MDPI, Basel, Switzerland. This article is an open access article distributed "
     "under the terms and conditions of the Creative Commons Attribution (CC-BY) license "
     "(http://creativecommons.org/licenses/by/ 4.0/).", "CC-BY-4.0"),
    ("Creative Commons CC-BY-NC-ND: This article is distributed under the terms of the Creative", "CC-BY-NC-ND"),
    ("This is an Open Access article distributed under the terms of the Creative Commons Attribution-NonCommercial-"
     "NoDerivatives License 4.0 (http://creativecommons.org/licenses/by-nc-nd/4.0/)", "CC-BY-NC-ND-4.0"),
    ("This is an open access article under the CC BY-SA license.", "CC-BY-SA"),
    ("This work is licensed under a Creative Commons Attribution-NonCommercial 4.0 International License.", "CC-BY-NC-4.0"),
    ("This is an open access article under the terms of the Creative Commons Attribution-NonCommercial-ShareAlike "
     "License", "CC-BY-NC-SA"),
    ("© 2025 Copyright for this paper by its authors. Use permitted under Creative Commons License Attribution 4.0 "
     "International (CC BY 4.0).", "CC-BY-4.0"),
    ("© The Author(s) 2015. Open Access This article is distributed under the terms of the Creative Commons "
     "Attribution 4.0 International License (http://creativecommons.org/licenses/by/4.0/), which permits unrestricted "
     "use. The Creative Commons Public Domain Dedication waiver "
     "(http://creativecommons.org/publicdomain/zero/1.0/) applies to the data made available in this article.", "CC-BY-4.0"),
]  # fmt: skip
OTHERS = [
    "We release the data set under a CC BY-NC 4.0 license.",
    "The pictures are from Flickr (CC BY 2.0) and were cropped by us.",
    "Figure 2: a map of the sites. Image by NASA, CC BY-SA 3.0.",
    "Our code and models are licensed under CC BY 4.0.",
    "In this paper, we use the corpus of Smith et al., whose data are available under CC BY-SA 4.0.",
    "arXiv:1706.03762v5 [cs.CL] 6 Dec 2017",
    "The use of this data is for academic research within this paper, adhering to the CC BY-SA license.",
    "All rights reserved. © 2014 Elsevier.",
    "Creative Commons licences have changed how people publish.",
]


@pytest.mark.parametrize(("text", "licence"), PAPERS)
def test_a_papers_own_statement_is_read(text: str, licence: str) -> None:
    assert find_paper_licence([text]) == licence


@pytest.mark.parametrize("text", OTHERS)
def test_a_licence_of_something_else_is_not_the_papers(text: str) -> None:
    assert find_paper_licence([text]) == ""


def test_a_statement_broken_over_lines_is_read() -> None:
    lines = [
        "This article is an open access article distributed under the terms of the Creative Com-",
        "mons Attribution",
    ]
    assert (
        find_paper_licence([*lines, "(CC BY) license (https://creativecommons.org/licenses/by/4.0/)."]) == "CC-BY-4.0"
    )


def test_arxivs_licence_is_stricter_than_any_other() -> None:
    assert strictest(["CC-BY-NC-ND-4.0", ARXIV]) == ARXIV
    assert strictest(["CC-BY-4.0", "CC-BY-NC-SA-4.0"]) == "CC-BY-NC-SA-4.0"


def test_a_line_of_json_may_state_a_licence_in_any_form() -> None:
    def licence(fields: str) -> str:
        start = '{"title": "Waves", "sections": [{"title": "A", "paragraphs": ["They rise."]}]'
        line = start + fields + "}"
        return parse_json_line(JsonLine(1, line.encode())).licence

    found = [licence(fields) for fields in ("", ', "licence": "CC BY 4.0"', ', "license": "ACM"', ', "license": 3')]
    assert found == ["", "CC-BY-4.0", "ACM", ""]


def test_what_may_not_be_changed_or_is_unknown_is_not_redistributable() -> None:
    allowed = ["CC-BY", "CC-BY-4.0", "CC-BY-SA-3.0", "CC-BY-NC-4.0", "CC-BY-NC-SA", "CC0-1.0", "public-domain"]
    assert all(map(is_redistributable, allowed))
    assert not any(map(is_redistributable, ["", ARXIV, "CC-BY-ND-4.0", "CC-BY-NC-ND", "CC-BYE", "ACM"]))


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="the shared papers are not on this machine")
def test_what_is_read_from_publishers_pdfs_agrees_with_their_xml() -> None:
    agree = differ = unread = 0
    for path in sorted((SHARED / "jats").glob("*.jats.xml")):
        stated = _stated(path)
        try:
            read = parse_pdf(path.with_name(path.name.replace(".jats.xml", ".pdf")).read_bytes()).licence
        except UnreadableFile:
            continue
        if not stated or not read:
            unread += bool(stated)
        elif read in (stated, _without_version(stated)):
            agree += 1
        else:
            differ += 1
    assert differ == 0
    assert agree >= 9 * unread


def _stated(path: Path) -> str:
    tree = etree.parse(path, etree.XMLParser(recover=True, no_network=True, load_dtd=False))
    for element in tree.iter("license"):
        addresses = [value for part in element.iter() for name, value in part.attrib.items() if name.endswith("href")]
        text = " ".join([*addresses, *map(str, element.itertext())])
        if licence := find_licence(text):
            return licence
    return ""


def _without_version(licence: str) -> str:
    return re.sub(r"-[\d.]+$", "", licence)
