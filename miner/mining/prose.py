"""The sentences of a paper in reading order, numbered from 0."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from miner.records import Paper, PaperPosition, Paragraph


class PlacedParagraph(NamedTuple):
    """A paragraph with sentences; `section`, and `number` in it: indices in the paper."""

    section: int
    number: int
    paragraph: Paragraph


class Prose:
    """All sentences of a paper. The sentences of a paragraph, and of a section, have consecutive numbers."""

    def __init__(self, paper: Paper) -> None:
        self.paragraphs: list[PlacedParagraph] = []
        self.first_sentences: list[int] = []
        """The number of each paragraph's first sentence."""
        count = 0
        for section_number, section in enumerate(paper.sections):
            for number, paragraph in enumerate(section.paragraphs):
                if paragraph.sentences:
                    self.paragraphs.append(PlacedParagraph(section_number, number, paragraph))
                    self.first_sentences.append(count)
                    count += len(paragraph.sentences)
        self._count = count

    def __len__(self) -> int:
        return self._count

    def paragraph_of(self, index: int) -> int:
        """The index in `paragraphs` of the paragraph with this sentence."""
        return bisect_right(self.first_sentences, index) - 1

    def place(self, index: int) -> PaperPosition:
        """Where the sentence stands in the paper."""
        number = self.paragraph_of(index)
        placed = self.paragraphs[number]
        return PaperPosition(placed.section, placed.number, index - self.first_sentences[number])

    def sentence(self, index: int) -> str:
        """The sentence, with single spaces."""
        number = self.paragraph_of(index)
        return " ".join(self.paragraphs[number].paragraph.sentence(index - self.first_sentences[number]).split())

    def before_break(self, index: int) -> bool:
        """Whether a formula, list or table follows the sentence, which is then the last of its paragraph."""
        number = self.paragraph_of(index)
        placed = self.paragraphs[number]
        if index + 1 - self.first_sentences[number] < len(placed.paragraph.sentences):
            return False
        following = self.paragraphs[number + 1] if number + 1 < len(self.paragraphs) else None
        return following is not None and following.section == placed.section and following.paragraph.after_break

    def page(self, index: int) -> int | None:
        """The page on which the sentence begins; None when not known."""
        number = self.paragraph_of(index)
        paragraph = self.paragraphs[number].paragraph
        if not paragraph.spans:
            return None
        boxes = paragraph.boxes(paragraph.sentences[index - self.first_sentences[number]])
        return boxes[0].page if boxes else None

    def text(self) -> str:
        """All of the prose, one paragraph per line."""
        return "\n".join(placed.paragraph.text for placed in self.paragraphs)
