"""Recognises the pages that a repository, network or publisher put in front of a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.metadata.letters import letters, likeness
from miner.parsing.embedded.metadata.rows import read_rows
from miner.parsing.embedded.metadata.title import bare_title, find_titles

_PHRASES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"see discussions, stats|author profiles? for this publication|researchgate",
        r"view (?:article|journal|metadata|the article|export)|article online|view online",
        r"downloaded (?:from|by|on|at|via)|this pdf was downloaded|download date",
        r"(?:accepted|author(?:'s|’s)?|submitted|post-?print|final) (?:accepted )?(?:manuscript|version)|"
        r"post-?print|pre-?print|provisional pdf|peer[- ]reviewed version",
        r"version of record|published version|publisher(?:'s|’s)? (?:version|pdf|copy)|document version|"
        r"original publication|final version",
        r"repository|eprints?|institutional|digital commons|scholarworks|open archive|archive ouverte|"
        r"hal id|hal is|pure portal|research portal|archived at|deposited",
        r"(?:to )?cite this (?:version|article|paper)|citation for|please cite|recommended citation|"
        r"suggested citation|how to cite|bibliographic",
        r"terms (?:of|and) (?:use|conditions)|take\s?-?down|general rights|copyright (?:and|of|owner|holder|"
        r"for)|rights (?:are )?retained|legal requirements|reuse",
        r"article in press|in press|just accepted|uncorrected proof|corrected proof|"
        r"accepted for publication|unedited|early (?:view|version)",
        r"europe pmc|funders group|author manuscript|white rose|jstor|hathi|semantic scholar|core\.ac\.uk|"
        r"ssrn|citeseer",
        r"\d+ (?:publications?|citations?|reads?)\b|citations? \d+|reads? \d+|some of the authors of this|"
        r"link to publication|you may also like|related content|"
        r"recent citations|users? may download|for additional information|follow this and additional works|"
        r"part of the .{1,60} commons|sign up|subscribe|email alert",
    )
)
_PROSE_START = re.compile(r"\W*(?:\d\.?\s)?(?:abstract|introduction|background|key\s?words)\b", re.I)
_TITLE_SIZE = 15.0  # points; a title may begin a line with "Introduction"
_PROSE_LINE = 60  # characters
_MAX_LENGTH = 4_500  # characters of a cover
_MIN_TITLE = 12  # letters
_MAX_COVERS, _MAX_EMPTY = 3, 8  # pages; further ones without text
_TITLES, _NEXT_TITLES = 6, 3  # blocks that may be the title of the cover; of the page behind it
_MIN_SCORE = 1.5  # of the latter
_MIN_LIKENESS = 0.85  # of the two titles
_MIN_PHRASES, _MIN_PROSE = 4, 15  # phrases of a cover without the title; lines of prose, which such a cover has not


def first_page(pages: Sequence[Sequence[TextLine]]) -> int:
    """The index of the paper's own first page: the first with text, or the one behind a cover."""
    filled = [
        index for index, lines in enumerate(pages[: _MAX_COVERS + _MAX_EMPTY]) if any(line.text for line in lines)
    ]
    for index, following in pairwise(filled[: _MAX_COVERS + 1]):
        if not _is_cover(pages[index], pages[following]):
            return index
    return filled[min(_MAX_COVERS, len(filled) - 1)] if filled else 0


def _is_cover(lines: Sequence[TextLine], following: Sequence[TextLine]) -> bool:
    """Whether a page is a cover: it says where the paper is from, and the title comes again on the next page."""
    if sum(len(line.text) for line in lines) > _MAX_LENGTH or _has_prose_start(lines):
        return False
    text = " ".join(line.text for line in lines)
    if not (said := sum(1 for phrase in _PHRASES if phrase.search(text))):
        return False
    titles = [
        block.text for block in find_titles(read_rows(lines), ())[:_TITLES] if len(letters(block.text)) >= _MIN_TITLE
    ]
    others = [block.text for block in find_titles(read_rows(following), ())[:_NEXT_TITLES] if block.score > _MIN_SCORE]
    if any(_are_alike(title, other) for title in titles for other in others):
        return True
    prose = sum(len(line.text) > _PROSE_LINE for line in lines)
    return said >= _MIN_PHRASES and prose < _MIN_PROSE and _has_prose_start(following)


def _are_alike(title: str, other: str) -> bool:
    one, two = letters(bare_title(title)), letters(bare_title(other))
    return one.startswith(two) or two.startswith(one) or likeness(title, other) > _MIN_LIKENESS


def _has_prose_start(lines: Sequence[TextLine]) -> bool:
    return any(line.size < _TITLE_SIZE and _PROSE_START.match(line.text) for line in lines)
