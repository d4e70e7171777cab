"""What holds for every real paper, on a sample of them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from miner.parsing.embedded import parse_pdf

SHARED = Path(__file__).parents[5] / "shared"
FILES = sorted((SHARED / "data" / "corpus").glob("*.pdf"))[::9]

pytestmark = pytest.mark.skipif(not FILES, reason=f"no real papers at {SHARED}/data/corpus")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:40])
def test_text_is_clean_and_spans_run_through_it(path: Path) -> None:
    paper = parse_pdf(path.read_bytes())
    assert paper.sections
    for section in paper.sections:
        assert section.paragraphs
        for paragraph in section.paragraphs:
            assert paragraph.text == unicodedata.normalize("NFC", paragraph.text).strip()
            assert not re.search(r"[\x00-\x1f\x7f-\x9f\ufffd\ufffe\u00ad]|  ", paragraph.text)
            at = 0
            for span in paragraph.spans:
                assert at <= span.start < span.end
                assert not paragraph.text[at : span.start].strip("- ")
                assert 1 <= span.box.page <= (paper.pages or 0)
                at = span.end
            assert at == len(paragraph.text)
