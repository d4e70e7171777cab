"""Splits text into sentences: each full stop is decided by the words around it."""

from __future__ import annotations

import re
from dataclasses import replace

from miner.parsing.language import with_language
from miner.parsing.sentences.abbreviations import EITHER, LEADING, NAME_TITLES, NUMBERED, TITLES
from miner.parsing.sentences.parameters import SplitterParameters
from miner.parsing.sentences.stops import STOP
from miner.records import Paper, Sentence
from miner.versions import SPLITTER_VERSION

_LAST_WORD = re.compile(r"[^\W_]+(?:[.’'][^\W_]+)*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
# "1" "A" "(b" "iv)" "C-K"
_ENUMERATION_LABEL = re.compile(r"\(?(?:[A-Za-z]|\d{1,3}|[ivxIVX]{1,4})(?:[-–,]\s?[A-Za-z0-9])?\)?$")
_INLINE_LABEL = re.compile(r"(?<!\d)[:;,]\s\w{1,2}\)$")  # "; 2)", but not "16, 17)"
_BRACKETED_LABEL = re.compile(r"[:;]\s\([0-9a-z]{1,3}\)$")  # "; (2)"
_INLINE_LETTER = re.compile(r"[:;]\s[a-h]$")  # "; b. Nets of hemp"
_NAMED_LABEL = re.compile(r"[A-Z][a-z]+ (?:\d{1,3}(?:\.\d{1,2})*[a-z]?|[IVX]{1,4}|[A-Z])$")  # "Step 1"
_LIST_ITEM = re.compile(r"(?:[a-z]|[ivx]{1,4})(?:[-–,]\s?[a-z])?[:)]\s|[a-z]\.\s[A-Z]")  # "a) " "ii) " "b-c: " "a. T"
_MIXED_CASE_NAME = re.compile(r"[^\W\d_]{0,3}?(?:[A-Z0-9]|-[A-Z])|[α-ω]")  # "p53", "mRNA", "p-Values", "β-catenin"
_DOTTED_ABBREVIATION = re.compile(r"[A-Za-z](?:\.[A-Za-z])+$")
_CODE = re.compile(r"[A-Z]{0,4}-?\d|[A-Z]{2,}(?![a-z])|[A-Z][.,;)]")  # "5", "S3", "AY263385", "III", "A."
_UNIT_LETTER = re.compile(r"(?:\d\s?|°\s?|\w\w[-–/])\w$")  # "24 h", "95°C", "oligonucleotide MRE-s"
_SHORT_WORD = re.compile(r"[A-Z][a-z]{1,2}$")  # "Fr. 3"
_VERSUS = re.compile(r"[A-Z][\w’'.-]* v$")  # "Roe v. Wade"
_NO_NAME = re.compile(r"(?:The|This|These|We|It|However|Thus|Therefore)\b")  # after "Dr."
_PRONOUN = re.compile(r"(?:He|I) [a-z]")
_CLOSING_BRACKET = re.compile(r"[^().?!]{1,60}+\)")
_END_OF_PROOF = frozenset("□∎◻◽▢☐")
_SENTENCE_MARKS = frozenset("*§†‡•►▪■●¿¡–—-$")  # may stand before a sentence


class SentenceSplitter:
    """Finds sentences by learnt parameters and by rules for scientific prose. Thread-safe.

    >>> text = "We follow Smith et al. (2010). See Fig. 3 for details."
    >>> [text[start:end] for start, end in SentenceSplitter.bundled().split(text)]
    ['We follow Smith et al. (2010).', 'See Fig. 3 for details.']
    """

    def __init__(self, parameters: SplitterParameters) -> None:
        self.parameters = parameters
        self.name = f"{SPLITTER_VERSION} {parameters.digest}"  # for provenance: rules and words
        self._starters = parameters.starters
        self._abbreviations = parameters.abbreviations | LEADING | NUMBERED | EITHER

    @classmethod
    def bundled(cls) -> SentenceSplitter:
        """A splitter with the parameters shipped with the program."""
        return cls(SplitterParameters.bundled())

    def split(self, text: str) -> list[Sentence]:
        """The sentences in order, without white space around them. Together they cover all text but white space."""
        sentences = []
        end = len(text.rstrip())
        start = end - len(text[:end].lstrip())
        for match in STOP.finditer(text, start, end):
            if match["certain"] is not None:
                sentences.append(Sentence(start, match.start() + len(match[0].rstrip())))
                start = match.end()
            elif self._ends_sentence(text, start, match) and not _is_in_brackets(text, start, match):
                last = "note" if match["note"] else "close" if match["lost"] is None else "lost"
                sentences.append(Sentence(start, match.end(last)))
                start = match.start("open")
        if start < end:
            sentences.append(Sentence(start, end))
        return sentences

    def _ends_sentence(self, text: str, start: int, match: re.Match[str]) -> bool:
        """Whether the sentence that began at `start` ends at this stop."""
        dot, next_start = match.start(), match.end()
        next_character = text[next_start : next_start + 1]
        word = text[max(text.rfind(" ", max(start, dot - 80), dot) + 1, start, dot - 80) : dot]
        note, lost = match.group("note", "lost")
        if note and (ends := _ends_before_note(text, start, match)) is not None:
            return ends
        if lost is not None:
            return self._ends_without_space(word, text, match)
        if next_character.isupper() and len(word) > 3 and word.isalpha() and word.lower() not in self._abbreviations:
            return True  # nearly all stops are decided here
        if _ends_label(text, start, dot):
            return False
        if not word or match["more"] or text[dot] == "…":
            one_dot = text[dot] == "." and not match["more"]
            return next_character.isupper() and (one_dot or self._starts_sentence(text, match))
        return self._ends_after_word(word, text, match, next_character)

    def _ends_without_space(self, word: str, text: str, match: re.Match[str]) -> bool:
        """Whether the sentence ends at a stop that no white space follows."""
        if word[-1:] in (")", "]"):
            return True
        letters = word.replace("-", "")
        if len(word) < 4 or not word.islower() or not letters.isalpha() or word in self._abbreviations:
            return False
        return (letters == word and not match["lost"]) or self._starts_sentence(text, match)

    def _ends_after_word(self, word: str, text: str, match: re.Match[str], next_character: str) -> bool:
        """Whether a single stop after this word ends the sentence."""
        dot, next_start = match.start(), match.end()
        last_match = _LAST_WORD.search(word)
        last = last_match[0] if last_match else ""
        unit = len(last) == 1 and _UNIT_LETTER.search(text, max(dot - 5, 0), dot) is not None
        ordinary = not last or unit or self._is_ordinary_word(last, next_character)
        if last == "v" and _VERSUS.search(text, max(dot - 30, 0), dot):
            ordinary = False
        if next_character.islower():
            return ordinary and bool(
                match["open"] or _MIXED_CASE_NAME.match(text, next_start) or _LIST_ITEM.match(text, next_start)
            )
        if not next_character.isalnum():
            return ordinary and next_character in _SENTENCE_MARKS
        return ordinary or text[dot] != "." or self._ends_after_abbreviation(last, text, match)

    def _is_ordinary_word(self, last: str, next_character: str) -> bool:
        """Whether the word before the stop is no abbreviation and no initial."""
        if len(last) == 1:
            return (last.isdigit() and last != "0") or (last.islower() and not next_character.isdigit())
        if next_character.isdigit() and _SHORT_WORD.match(last):
            return False
        return last.lower() not in self._abbreviations and not _DOTTED_ABBREVIATION.match(last)

    def _ends_after_abbreviation(self, last: str, text: str, match: re.Match[str]) -> bool:
        """Whether the sentence ends with this abbreviation or initial, by the words that follow."""
        if last.isupper() and last.isalpha() and len(last) > 1 and not text[match.end()].isdigit():
            return True  # "APP. The" is no appendix
        if last.lower() in LEADING or (match["note"] and _SHORT_WORD.match(last)):  # "Fig.3"
            return last in NAME_TITLES and _NO_NAME.match(text, match.end()) is not None
        if last.lower() in NUMBERED and last not in TITLES:
            return not match["note"] and not _CODE.match(text, match.end())
        if _DOTTED_ABBREVIATION.match(last) and _PRONOUN.match(text, match.end()):
            return True  # starters are words that are no names elsewhere, unlike "He"
        return not match["open"] and self._starts_sentence(text, match)

    def _starts_sentence(self, text: str, match: re.Match[str]) -> bool:
        """Whether the word after the stop is one that often starts sentences."""
        word = _FIRST_WORD.match(text, match.end())
        return word is not None and word[0].lower() in self._starters and text[word.end() : word.end() + 1] != "."


def _ends_label(text: str, start: int, dot: int) -> bool:
    """Whether the stop belongs to a label: one that the sentence starts with, or one such as "; 2)" inside it."""
    if dot - start < 6 and _ENUMERATION_LABEL.match(text, start, dot):
        return True
    if dot - start < 24 and _NAMED_LABEL.match(text, start, dot):
        return True
    before = max(dot - 6, start)
    if _INLINE_LABEL.search(text, before, dot):
        return _opened_brackets(text, max(dot - 300, start), dot) < 0
    return (_BRACKETED_LABEL.search(text, before, dot) or _INLINE_LETTER.search(text, before, dot)) is not None


def _is_in_brackets(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the stop is within brackets that close soon after it: "(StataCorp. Texas, USA)"."""
    end = match.end("close")
    opened = text.rfind("(", start, end)
    return opened > text.rfind(")", start, end) and _CLOSING_BRACKET.match(text, end) is not None


def _ends_before_note(text: str, start: int, match: re.Match[str]) -> bool | None:
    """Whether the sentence ends, by the note after its stop; None where that does not tell."""
    note, goes_on = match["note"].lstrip(), text[match.end() : match.end() + 1].islower()
    if note[-1] == "." or note in _END_OF_PROOF:
        return not goes_on
    if note[-1] == ")" and note[0] != "(":  # "(Sec.4) The" has no note
        dot = match.start()
        if goes_on or _opened_brackets(text, max(dot - 300, start), dot) > 0:
            return False
    return None


def _opened_brackets(text: str, start: int, end: int) -> int:
    return text.count("(", start, end) - text.count(")", start, end)


def split_paper(paper: Paper, splitter: SentenceSplitter) -> Paper:
    """The paper with its paragraphs split into sentences, and with the language of its prose."""
    sections = tuple(
        replace(
            section,
            paragraphs=tuple(
                replace(paragraph, sentences=tuple(splitter.split(paragraph.text))) for paragraph in section.paragraphs
            ),
        )
        for section in paper.sections
    )
    return with_language(replace(paper, sections=sections, splitter=splitter.name))
