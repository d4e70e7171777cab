"""What the mining tests share: an analyzer without a model, and papers written in the test."""

from collections.abc import Callable, Sequence

import pytest

from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.records import Box, Paper, Paragraph, Section, Sentence, Span


@pytest.fixture(scope="session")
def analyzer() -> SentenceAnalyzer:
    return SentenceAnalyzer.rules()


@pytest.fixture(scope="session")
def make_paper() -> Callable[..., Paper]:
    """`make_paper([["One. | Two.", "Next paragraph."], ["Next section."]])`; `|` stands between sentences.

    A paragraph that begins with `---` comes after a break; `page` puts every paragraph in one box of that page.
    """

    def paragraph(text: str, page: int | None) -> Paragraph:
        after_break, text = text.startswith("---"), text.removeprefix("---")
        prose, sentences = "", []
        for sentence in filter(None, map(str.strip, text.split("|"))):
            prose += " " * bool(prose)
            sentences.append(Sentence(len(prose), len(prose) + len(sentence)))
            prose += sentence
        spans = (Span(0, len(prose), Box(page, 0, 0, 100, 10)),) if page else ()
        return Paragraph(prose, tuple(sentences), spans, after_break)

    def make(sections: Sequence[Sequence[str]], *, md5: str = "0" * 32, page: int | None = None) -> Paper:
        made = tuple(Section("A title", tuple(paragraph(text, page) for text in texts)) for texts in sections)
        return Paper(md5=md5, sha256=md5 * 2, sections=made)

    return make
