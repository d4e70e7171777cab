"""What holds for every real paper, on a sample of them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from miner.parsing.embedded import parse_pdf
from miner.parsing.embedded.sentence_search import find_sentence
from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper
from tests.miner.parsing.embedded.test_sentence_search import Document

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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:40])
def test_sentences_are_found_on_the_pages_where_they_were_read(path: Path) -> None:
    """By their letters alone, without the boxes of the lines that they were put together from."""
    splitter, document = SentenceSplitter(SplitterParameters.bundled()), Document(path.read_bytes())
    paper = split_paper(parse_pdf(path.read_bytes()), splitter)
    paragraphs = [paragraph for section in paper.sections for paragraph in section.paragraphs]
    sentences = [(paragraph, sentence) for paragraph in paragraphs for sentence in paragraph.sentences][::7]
    lost = []
    for paragraph, sentence in sentences:
        text, given = paragraph.text[sentence.start : sentence.end], paragraph.boxes(sentence)
        found = find_sentence(document, (box.page for box in given), text, near=given)
        pages = {box.page for box in given}
        if found is None or {box.page for box in found.boxes} != pages:
            lost.append(text)
            continue
        near = [
            any(
                box.page == other.page
                and other.y0 - 8 <= (box.y0 + box.y1) / 2 <= other.y1 + 8
                and other.x0 - 30 <= (box.x0 + box.x1) / 2 <= other.x1 + 30
                for other in given
            )
            for box in found.boxes
        ]
        if not all(near):
            lost.append(text)
    assert len(lost) <= 0.03 * len(sentences), lost
