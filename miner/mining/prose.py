"""The sentences of a paper in reading order, numbered from 0."""

from __future__ import annotations

from bisect import bisect_right

from miner.records import Paper, PaperPosition, Paragraph


class Prose:
    """All sentences of a paper; those of a paragraph, and of a section, have consecutive numbers."""

    def __init__(self, paper: Paper) -> None:
        self.paragraphs: list[tuple[int, int, Paragraph]] = []
        """(index of the section, index of the paragraph in the section, the paragraph), of those with sentences."""
        self.first_sentences: list[int] = []
        """The number of each paragraph's first sentence."""
        count = 0
        for section_number, section in enumerate(paper.sections):
            for number, paragraph in enumerate(section.paragraphs):
                if paragraph.sentences:
                    self.paragraphs.append((section_number, number, paragraph))
                    self.first_sentences.append(count)
                    count += len(paragraph.sentences)
        self._count = count

    def __len__(self) -> int:
        return self._count

    def paragraph_of(self, index: int) -> int:
        """Index in `paragraphs` of the one that holds the sentence."""
        return bisect_right(self.first_sentences, index) - 1

    def place(self, index: int) -> PaperPosition:
        """Where the sentence stands in the paper."""
        number = self.paragraph_of(index)
        section, paragraph, _ = self.paragraphs[number]
        return PaperPosition(section, paragraph, index - self.first_sentences[number])

    def sentence(self, index: int) -> str:
        """The sentence, with single spaces."""
        number = self.paragraph_of(index)
        return " ".join(self.paragraphs[number][2].sentence(index - self.first_sentences[number]).split())

    def before_break(self, index: int) -> bool:
        """Whether a formula, list or table follows the sentence, which is then the last of its paragraph."""
        number = self.paragraph_of(index)
        if index + 1 - self.first_sentences[number] < len(self.paragraphs[number][2].sentences):
            return False
        section = self.paragraphs[number][0]
        following = self.paragraphs[number + 1 : number + 2]
        return bool(following) and following[0][0] == section and following[0][2].after_break

    def page(self, index: int) -> int | None:
        """The page on which the sentence begins; None when not known."""
        number = self.paragraph_of(index)
        paragraph = self.paragraphs[number][2]
        if not paragraph.spans:
            return None
        boxes = paragraph.boxes(paragraph.sentences[index - self.first_sentences[number]])
        return boxes[0].page if boxes else None

    def text(self) -> str:
        """All of the prose, one paragraph per line."""
        return "\n".join(paragraph.text for _, _, paragraph in self.paragraphs)
