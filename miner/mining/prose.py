"""A paper's sentences in reading order, numbered from 0."""

from __future__ import annotations

from bisect import bisect_right

from miner.records import Paper, Paragraph, Place


class Prose:
    """All sentences of a paper; those of one paragraph, and of one section, stand next to each other."""

    def __init__(self, paper: Paper) -> None:
        self.paragraphs: list[tuple[int, int, Paragraph]] = []
        """(section, paragraph in the section, the paragraph), for those that hold sentences."""
        self.firsts: list[int] = []
        """The number of each paragraph's first sentence."""
        count = 0
        for section_number, section in enumerate(paper.sections):
            for number, paragraph in enumerate(section.paragraphs):
                if paragraph.sentences:
                    self.paragraphs.append((section_number, number, paragraph))
                    self.firsts.append(count)
                    count += len(paragraph.sentences)
        self._count = count

    def __len__(self) -> int:
        return self._count

    def paragraph_of(self, index: int) -> int:
        """Which of `paragraphs` holds the sentence."""
        return bisect_right(self.firsts, index) - 1

    def place(self, index: int) -> Place:
        """Where the sentence stands in the paper."""
        number = self.paragraph_of(index)
        section, paragraph, _ = self.paragraphs[number]
        return Place(section, paragraph, index - self.firsts[number])

    def sentence(self, index: int) -> str:
        """The sentence, with single spaces."""
        number = self.paragraph_of(index)
        return " ".join(self.paragraphs[number][2].sentence(index - self.firsts[number]).split())

    def page(self, index: int) -> int | None:
        """The page on which the sentence begins; None when not known."""
        number = self.paragraph_of(index)
        paragraph = self.paragraphs[number][2]
        if not paragraph.spans:
            return None
        boxes = paragraph.boxes(paragraph.sentences[index - self.firsts[number]])
        return boxes[0].page if boxes else None

    def text(self) -> str:
        """All of the prose, a paragraph a line."""
        return "\n".join(paragraph.text for _, _, paragraph in self.paragraphs)
