"""Splitting text into sentences: one pass over the stops, each decided by the words around it."""

from __future__ import annotations

import re
from dataclasses import replace

from miner.parsing.sentences.abbreviations import EITHER
from miner.parsing.sentences.parameters import Parameters
from miner.records import Paper, Sentence

_STOP = re.compile(
    r"""(?P<stop>[.?!…]+)(?P<close>[")'\]}’”»]*)(?P<note>\d{1,3}(?:[,–-]\d{1,3})*)?\s+(?P<open>["'(\[{“‘«]*)""",
    re.VERBOSE,
)
_WORD = re.compile(r"[^\W\d_]+")
_INNER = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*$")


class Splitter:
    """Finds sentences by learnt parameters and rules of scientific prose; safe to use from several threads."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._abbreviations = parameters.abbreviations - EITHER
        self._starters = parameters.starters

    @classmethod
    def bundled(cls) -> Splitter:
        """A splitter by the parameters shipped with the program."""
        return cls(Parameters.bundled())

    def split(self, text: str) -> list[Sentence]:
        """The sentences in order: without surrounding white space, and together all of the text but white space."""
        found = []
        end = len(text.rstrip())
        start = len(text) - len(text.lstrip())
        for match in _STOP.finditer(text, start, end):
            stop = match.end("note") if match["note"] else match.end("close")
            if self._ends(text, start, match):
                found.append(Sentence(start, stop))
                start = match.start("open")
        if start < end:
            found.append(Sentence(start, end))
        return found

    def _ends(self, text: str, start: int, match: re.Match[str]) -> bool:
        first = text[match.end() : match.end() + 1]
        if first.islower():
            return False
        if match["stop"] != "." or match["close"]:
            return True
        dot = match.start()
        word = text[max(text.rfind(" ", start, dot) + 1, start) : dot].lstrip("([{\"'“‘").lower()
        if word in self._abbreviations:
            return False
        following = _WORD.match(text, match.end())
        if word in EITHER or (len(word) == 1 and word.isalpha()):
            return following is not None and following[0].lower() in self._starters
        return True


def split_paper(paper: Paper, splitter: Splitter) -> Paper:
    """The paper with the sentences of its paragraphs."""
    sections = tuple(
        replace(
            section,
            paragraphs=tuple(
                replace(paragraph, sentences=tuple(splitter.split(paragraph.text))) for paragraph in section.paragraphs
            ),
        )
        for section in paper.sections
    )
    return replace(paper, sections=sections)
