"""Splitting text into sentences: one pass over the stops, each decided by the words around it."""

from __future__ import annotations

import re
from dataclasses import replace

from miner.parsing.sentences.abbreviations import EITHER, LEADING, NUMBERED
from miner.parsing.sentences.parameters import Parameters
from miner.records import Paper, Sentence

VERSION = "1"  # raise it when the rules or the bundled parameters change: stored papers are then split again

# A stop, what closes after it, perhaps a citation, and white space; or no white space where it was lost between words.
_STOP = re.compile(
    r"""
    (?P<stop>[.?!…]{1,9}+)
    (?P<close>["')\]}’”»]{0,9}+)
    (?:
        (?P<note>
            (?<=[^\W\d_][.?!)\]’”»"]|[)\]][.?!])\d{1,3}(?:[,–-]\d{1,3})*(?=\s)        # "care.3 However"
          | \s?\[(?:\d+(?:[,;–-]\s?\d+)*|CITE|REF)\](?:[,–-]?\s?\[(?:\d+|CITE)\])*    # "shown. [12] However"
            (?:\.|(?=\s+[^\W\d_a-z]))
        )?
        \s++(?!\[[\d,;\s–-]+\]\.?\Z)                                               # no citation that ends the text
      | (?P<lost>(?<=[a-z)\]][.?!])(?=[A-Z][A-Za-z]*\d?[ ,]))                        # "shown.However, "
    )
    (?P<open>["'(\[{“‘«]*)
    | [。！？]+[」』）”’]*\s*
    """,
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"[^\W_]+(?:[.’'][^\W_]+)*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_LABEL = re.compile(r"\(?(?:[A-Za-z]|\d{1,3}|[ivxIVX]{1,4})(?:[-–,]\s?[A-Za-z0-9])?\)?$")  # "1" "A" "(b" "iv)" "C-K"
_CLOSED_LABEL = re.compile(r"[:;,]\s\w{1,2}\)$")  # "; 2)"
_ITEM = re.compile(r"(?:[a-z]|[ivx]{1,4})(?:[-–,]\s?[a-z])?[:)]\s|[a-z]\.\s[A-Z]")  # "a) " "ii) " "b-c: " "a. T"
_NAME = re.compile(r"[^\W\d_]{0,3}?(?:[A-Z0-9]|-[A-Z])|[α-ω]")  # "p53", "mRNA", "p-Values", "β-catenin"
_DOTTED = re.compile(r"[A-Za-z](?:\.[A-Za-z])+$")
_CODE = re.compile(r"[A-Z]{0,4}-?\d|[A-Z]{2,}(?![a-z])|[A-Z][.,;)]")  # "5", "S3", "AY263385", "III", "A."
_UNIT = re.compile(r"(?:\d\s?|°\s?|\w\w[-–/])\w$")  # "24 h", "95°C", "oligonucleotide MRE-s"
_SHORT = re.compile(r"[A-Z][a-z]{1,2}$")  # "Fr. 3"
_MARKS = frozenset("*§†‡•►▪■●¿¡–—-$")  # may stand before a sentence


class Splitter:
    """Finds sentences by learnt parameters and rules of scientific prose; safe to use from several threads."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.name = f"{VERSION} {parameters.digest}"  # for provenance: the rules and the words
        self._starters = parameters.starters
        self._abbreviations = parameters.abbreviations | LEADING | NUMBERED | EITHER

    @classmethod
    def bundled(cls) -> Splitter:
        """A splitter by the parameters shipped with the program."""
        return cls(Parameters.bundled())

    def split(self, text: str) -> list[Sentence]:
        """The sentences in order: without surrounding white space, and together all of the text but white space."""
        found = []
        end = len(text.rstrip())
        start = end - len(text[:end].lstrip())
        for match in _STOP.finditer(text, start, end):
            if match["stop"] is None:  # full-width: white space is not written
                found.append(Sentence(start, match.start() + len(match[0].rstrip())))
                start = match.end()
            elif self._ends(text, start, match):
                found.append(Sentence(start, match.end("note" if match["note"] else "close")))
                start = match.start("open")
        if start < end:
            found.append(Sentence(start, end))
        return found

    def _ends(self, text: str, start: int, match: re.Match[str]) -> bool:
        """Whether the sentence that began at `start` ends at this stop."""
        dot, after = match.start(), match.end()
        first = text[after : after + 1]
        word = text[max(text.rfind(" ", max(start, dot - 80), dot) + 1, start, dot - 80) : dot]
        lost = match["lost"] is not None
        if first.isupper() and len(word) > 3 and word.isalpha() and word.lower() not in self._abbreviations:
            return not lost or word.islower()  # nearly all stops are decided here
        if lost:
            return word[-1:] in (")", "]")
        if dot - start < 6 and _LABEL.match(text, start, dot):
            return False
        if _CLOSED_LABEL.search(text, max(dot - 5, 0), dot) and _unopened(text[max(dot - 300, start) : dot]):
            return False
        note, stop = match["note"], match["stop"]
        if note and note[-1] == ".":
            return not first.islower()
        if not word or len(stop) > 1 or stop == "…":
            return first.isupper() and (stop == "." or self._starts(text, match))
        return self._ends_with(word, text, match, first)

    def _ends_with(self, word: str, text: str, match: re.Match[str], first: str) -> bool:
        """Whether a stop after this word, whatever is glued to it, is a full one."""
        dot, after = match.start(), match.end()
        found = _LAST_WORD.search(word)
        last = found[0] if found else ""
        unit = len(last) == 1 and _UNIT.search(text, max(dot - 5, 0), dot) is not None
        plain = not last or unit or self._plain(last, first)
        if first.islower():
            return plain and bool(match["open"] or _NAME.match(text, after) or _ITEM.match(text, after))
        if not first.isalnum():
            return plain and first in _MARKS
        return plain or match["stop"] != "." or self._may_end(last, text, match)

    def _plain(self, last: str, first: str) -> bool:
        """Whether the word before the stop is an ordinary one: no abbreviation, no initial."""
        if len(last) == 1:
            return (last.isdigit() and last != "0") or (last.islower() and not first.isdigit())
        if first.isdigit() and _SHORT.match(last):
            return False
        return last.lower() not in self._abbreviations and not _DOTTED.match(last)

    def _may_end(self, last: str, text: str, match: re.Match[str]) -> bool:
        """Whether a sentence ends with this abbreviation or initial, as what follows has it."""
        if last.isupper() and last.isalpha() and len(last) > 1 and not text[match.end()].isdigit():
            return True  # "APP. The" is no appendix
        if last.lower() in LEADING or (match["note"] and _SHORT.match(last)):  # "Fig.3"
            return False
        if last.lower() in NUMBERED:
            return not match["note"] and not _CODE.match(text, match.end())
        return not match["open"] and self._starts(text, match)

    def _starts(self, text: str, match: re.Match[str]) -> bool:
        """Whether what follows the stop is a word that opens sentences."""
        word = _FIRST_WORD.match(text, match.end())
        return word is not None and word[0].lower() in self._starters and text[word.end() : word.end() + 1] != "."


def _unopened(text: str) -> bool:
    return text.count("(") < text.count(")")


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
    return replace(paper, sections=sections, splitter=splitter.name)
