"""Finds a paper's title among the blocks of equal type on its first page."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from math import log2

from miner.parsing.embedded.lines import most_frequent
from miner.parsing.embedded.metadata.letters import letters, likeness
from miner.parsing.embedded.metadata.names import is_name, names_in
from miner.parsing.embedded.metadata.rows import Row

_LABELS = re.compile(
    r"(?:(?:original|research|review|regular|full[- ]length|short|brief|technical|data|survey|mini|"
    r"systematic|invited|rapid|"
    r"clinical|scientific|special|open|feature|featured|case|field|study|meeting|conference|working|"
    r"position|perspective|software|methods?|methodology|"
    r"comprehensive|narrative|academic|peer[- ]reviewed?)[\s:-]*)*"
    r"(?:articles?|papers?|reports?|reviews?|communications?|letters?|notes?|editorial|commentary|"
    r"perspectives?|opinion|viewpoint|protocol|"
    r"contributions?|research|study|survey|descriptor|methodology|leitthema|übersicht\w*|correspondence|"
    r"access|news|insights?|highlights|"
    r"database|hypothesis|clinical trial|brief|book|preprint|manuscript|proceedings|series|tutorial|"
    r"abstract|introduction|contents|background|summary|"
    r"keywords|references|outline|table of contents|article in press|public access|hhs public access|"
    r"nih public access|accepted manuscript|author manuscript|uncorrected proof|just accepted)"
    r"(?:\s*(?:articles?|papers?|reports?|reviews?|open access))*",
    re.I,
)
_IMPRINT = re.compile(
    r"arxiv:|\bdoi\b|10\.\d{4,}/|https?:|www\.|@|\bissn\b|©|\bvol(?:ume|\.)\s*\d|\bcopyright\b|"
    r"\ball rights reserved\b|\bet al\b\.?|"
    r"\b(?:19|20)\d\d\W{1,3}\d+\W{0,2}[:(]\s?\w|\bpp?\.\s?\d|\breceived\b.*\d{4}|\baccepted\b.*\d{4}|"
    r"\bdownloaded\b|\bavailable (?:online|at)\b|homepage|\blicen[sc]ed?\s+under|"
    r"europe pmc|funders group|author manuscript|accepted manuscript|open access to|see discussions|"
    r"author profiles|view (?:article|metadata)|crossmark|check for updates",
    re.I,
)
_JOURNAL = re.compile(
    r"^(?:the\s+)?(?:[\w&,.-]+\s+){0,5}(?:journal|transactions|letters|annals|archives|bulletin|"
    r"proceedings)\b(?:\s+(?:of|on|in|for)\b.{0,90})?$|"
    r"^(?:international|european|american|british|african|asian|indian|chinese|iranian|"
    r"canadian)\s+journal\b|^frontiers\s+in\s|^lecture\s+notes\b",
    re.I,
)
_MAX_ROWS, _MAX_LETTERS = 9, 400
_OPEN_END = re.compile(r"(?::|\s[–—-]|\b(?:of|the|and|in|for|with|a|an|to|on|by|from|between))$")
_WORD = re.compile(r"[^\W\d_]{2}")
_SINGLE = re.compile(r"(?<!\S)\w(?!\S)")
_ILLEGIBLE = re.compile(r"[^\w\s–—‐:,.'’()/?“”\"&;!+-]")
_TOP, _MIN_WORDS = 0.09, 5  # of the page; of a title
_MAX_BLOCKS = 12
_REACH, _ROWS_BELOW = 7, 40  # rows below a title in which names may begin, or those of its block are
_MIN_LIKENESS = 0.8  # of two titles that are one
_MIN_EQUAL, _MIN_CONTAINED = 8, 20  # letters of a title that may be equal to another's start, or a part of it
_MIN_NAMES = 0.6  # of the pieces of a row of names are names
_FEW_WORDS = 4  # of a block that is a single name
_MAX_STOPPED = 6  # words of a title that ends with a full stop; more are a sentence
_WIDE_SCRIPTS, _MIN_WIDE = 0x2E7F, 0.3  # Chinese, Japanese, Korean begin behind it; share of such letters
_LETTERS_IN_WORD = 3  # of a wide script, about

# Type and place of a block's rows: sizes times that of the body or the other row, steps times the type size.
_PLAIN_SIZE, _PLAIN_TOP = 1.05, 0.3  # smaller and not bold is plain: such rows are only asked in this part of the page
_LARGER = 1.08  # a row above in so much larger type is the title of which this is the subtitle
_BELOW_TITLE = 1.6  # step to a subtitle at most
_LARGE = 1.25  # a title in so large type may change between bold and plain
_MAX_STEP = 2.0  # between the rows of a block
_SAME_SIZE = 0.06  # by which sizes of its rows differ
_IN_ITALIC = 1.4  # step within a block to a row in another weight but in italics
_OTHER_WEIGHT, _CHANGED_WEIGHT = 1.5, 0.9  # step to a row of the block all in another weight; difference in bold
_BESIDE = 0.3  # a row without anything above it that is this much lower stands in another column
_BELOW_NAMES = 1.35  # step to a row of names, which is no part of the title
_MIN_EXTENSION, _MAX_EXTENSION, _EXTENSION_SIZE = 0.5, 2.2, 0.5  # steps and size of a row that completes the title
_TITLE_LIKE, _OTHER_BLOCK = 1.1, 1.8  # size of a row, and step to it, that is another title

# Scores. With these the titles of all 43 PDFs that have publishers' XML are read right (BENCHMARKS.md).
_PER_DOUBLING = 5.0  # of the body size
_MAX_BY_SIZE = 4.5  # a masthead may be larger than the title
_MIN_SIZE = 0.5  # body sizes, as which smaller type counts
_AT_TOP, _TO_BOTTOM = 1.0, 3.0  # at the top of the page; how much less at its bottom
_IN_BOLD = 0.8
_LEAST = 0.1  # of size, place and weight alone
_NAMES_BELOW = 4.0
_LEAST_BEFORE_NAMES, _LEAST_IN_ALL = -3, -2
_MASTHEAD = 3.0
_SUBTITLE = 1.5
_FEW_WORDS_SCORES = {0: 8.0, 1: 4.5, 2: 1.8, 3: 0.5}  # by the number of words
_ILLEGIBLE_SCORE, _MAX_ILLEGIBLE = 8.0, 0.15  # with more of such characters
_TOO_LONG = 6.0
_LABEL_SCORE = 6.0
_SPACED_SCORE, _MAX_SINGLE = 4.0, 0.4  # with more words of one letter: "R E S EAR CH"
_IMPRINT_SCORE = 5.0
_JOURNAL_SCORE = 4.0
_CUT = 1.5  # begins or ends amid a sentence
_SENTENCE = 1.0
_NAME_SCORE = 5.0


@dataclass(slots=True)
class TitleBlock:
    """Rows of one type that may be the title, its text, and how much speaks for it."""

    text: str
    rows: list[Row] = field(default_factory=list)
    score: float = 0.0

    @property
    def size(self) -> float:
        return self.rows[0].size


def body_size(rows: Sequence[Row]) -> float:
    return most_frequent((row.size, len(row.text)) for row in rows)


def find_titles(rows: Sequence[Row], words: Container[str]) -> list[TitleBlock]:
    """The blocks that may be the title by their type and place, the likeliest first.

    `words`: the document's words in lower case, to tell which hyphens at line ends belong to a word.
    """
    body = body_size(rows)
    bottom = max((row.y1 for row in rows), default=1.0)
    used: set[int] = set()
    blocks = []
    following: dict[int, list[Row]] = {}
    for at, row in enumerate(rows):
        is_plain = row.size < _PLAIN_SIZE * body and not row.is_bold
        if at in used or (is_plain and row.y0 > _PLAIN_TOP * bottom) or not _WORD.search(row.text):
            continue
        chain = _chain(rows, at, body)
        used.update(chain)
        score = _score_by_type(row, body, bottom)
        if score < _LEAST:
            continue
        block = TitleBlock(join_rows([rows[i] for i in chain], words), [rows[i] for i in chain], score)
        block.score += _score_by_text(block)
        if row.y0 < _TOP * bottom and len(_WORD.findall(block.text)) < _MIN_WORDS:
            block.score -= _MASTHEAD
        if at and _is_above(rows[at - 1], row):
            block.score -= _SUBTITLE
        blocks.append(block)
        below = range(at + 1, min(len(rows), chain[-1] + _ROWS_BELOW))
        following[id(block)] = [rows[index] for index in below if index not in chain][:_REACH]
    likely = (block for block in blocks if block.score > _LEAST_BEFORE_NAMES)
    blocks = sorted(likely, key=lambda block: -block.score)[:_MAX_BLOCKS]
    for block in blocks:
        block.score += _score_by_names(block, following[id(block)], body)
    return sorted((block for block in blocks if block.score > _LEAST_IN_ALL), key=lambda block: -block.score)


def _is_above(title: Row, subtitle: Row) -> bool:
    """Whether the first row stands right above the other in larger type."""
    is_larger = title.size > _LARGER * subtitle.size and len(_WORD.findall(title.text)) > 1 and not is_label(title.text)
    is_near = 0 < subtitle.baseline - title.baseline < _BELOW_TITLE * title.size
    return is_larger and is_near and title.x0 < subtitle.x1 and subtitle.x0 < title.x1


def _chain(rows: Sequence[Row], start: int, body: float) -> list[int]:
    """The row and those below it in the same type."""
    chain, last = [start], rows[start]
    is_large = last.size >= _LARGE * body
    for at in range(start + 1, min(len(rows), start + _ROWS_BELOW)):
        row = rows[at]
        step = row.baseline - last.baseline
        if step > _MAX_STEP * last.size:
            break
        if abs(row.size - last.size) > _SAME_SIZE * last.size:
            continue
        is_same_weight = row.is_bold == last.is_bold or (row.is_italic and step < _IN_ITALIC * last.size)
        if not is_large and not is_same_weight:
            continue
        if is_large and abs(row.bold - last.bold) > _CHANGED_WEIGHT and step > _OTHER_WEIGHT * last.size:
            continue
        if min(row.x1, last.x1) < max(row.x0, last.x0) and step > _BESIDE * last.size:
            continue  # beside it, in another column
        if _IMPRINT.search(row.text) or len(chain) >= _MAX_ROWS:
            break
        if step > _BELOW_NAMES * last.size and _is_row_of_names(row):
            break
        if _LABELS.fullmatch(last.text):
            break
        chain.append(at)
        last = row
    return chain


def extend(block: TitleBlock, rows: Sequence[Row]) -> None:
    """Add the rows below to a title that cannot end where its type does: behind a colon or "of"."""
    if not _OPEN_END.search(block.text):
        return
    last = block.rows[-1]
    for row in rows:
        step = row.baseline - last.baseline
        if (
            _MIN_EXTENSION * last.size < step < _MAX_EXTENSION * block.size
            and row.x1 > last.x0
            and row.x0 < last.x1
            and row.size > _EXTENSION_SIZE * block.size
        ):
            if not _is_row_of_names(row) and not _has_names(row) and not _IMPRINT.search(row.text):
                block.text += f" {row.text}"
                block.rows.append(row)
            return


def _is_row_of_names(row: Row) -> bool:
    pieces = names_in(row.marked)
    return bool(pieces) and all(map(is_name, pieces))


def join_rows(rows: Sequence[Row], words: Container[str]) -> str:
    """The rows' text; a hyphen at a row's end stays where the document writes the word with one."""
    text = ""
    was_broken = False
    for row in rows:
        more = row.text
        if was_broken:
            left, right = text.rsplit(" ", 1)[-1].lower(), more.split(" ", 1)[0].lower().strip(".,:;?!()")
            left = left.lstrip("(“\"‘'[")
            is_compound = f"{left}-{right}" in words or (
                f"{left}{right}" not in words and left in words and right in words and min(len(left), len(right)) > 2
            )
            text += f"-{more}" if is_compound else more
        elif text.endswith(("-", "‐", "–")) and text[-2:-1].isalpha():
            text += more
        else:
            text = f"{text} {more}" if text else more
        was_broken = row.hyphen
    return text.strip(" *†‡∗§¶")


def _score_by_type(row: Row, body: float, bottom: float) -> float:
    score = min(_MAX_BY_SIZE, _PER_DOUBLING * log2(max(_MIN_SIZE, row.size / max(1.0, body))))
    score += _AT_TOP - _TO_BOTTOM * row.y0 / bottom
    return score + (_IN_BOLD if row.is_bold else 0.0)


def _score_by_text(block: TitleBlock) -> float:
    """What speaks against a title: labels, imprints, names of journals, single words, letters that are none."""
    text, rows = block.text, block.rows
    score = 0.0
    words = re.findall(r"[^\W\d_]{2,}", text)
    count = len(words) if len(words) > 1 or not _is_wide_script(text) else len(text) // _LETTERS_IN_WORD
    score -= _FEW_WORDS_SCORES.get(count, 0.0)
    score -= _ILLEGIBLE_SCORE if len(_ILLEGIBLE.findall(text)) > _MAX_ILLEGIBLE * len(text) else 0.0
    score -= _TOO_LONG if len(text) > _MAX_LETTERS or len(rows) >= _MAX_ROWS else 0.0
    score -= _LABEL_SCORE if is_label(text) else 0.0
    score -= _SPACED_SCORE if len(_SINGLE.findall(text)) > _MAX_SINGLE * len(text.split()) else 0.0
    score -= _IMPRINT_SCORE if _IMPRINT.search(text) else 0.0
    score -= _JOURNAL_SCORE if _JOURNAL.match(text) else 0.0
    score -= _CUT if text[:1].islower() or text.endswith((",", ";", " and", " the", " of")) else 0.0
    score -= _SENTENCE if text.endswith(".") and len(words) > _MAX_STOPPED else 0.0
    return score


def _score_by_names(block: TitleBlock, following: Sequence[Row], body: float) -> float:
    """Names below speak for a title; a block that is of names itself is none."""
    score = 0.0
    pieces = names_in(" ".join(row.marked for row in block.rows))
    if pieces and sum(map(is_name, pieces)) > _MIN_NAMES * len(pieces):
        score -= _NAME_SCORE if len(pieces) > 1 or len(block.text.split()) <= _FEW_WORDS else 0.0
    last = block.rows[-1]
    for row in following:
        if row.size <= block.size and (_is_row_of_names(row) or _has_names(row)):
            return score + _NAMES_BELOW
        is_title_like = row.size > _TITLE_LIKE * body and len(_WORD.findall(row.text)) > 2 and not is_label(row.text)
        if is_title_like and row.baseline - last.baseline > _OTHER_BLOCK * row.size:
            break  # the names are those of another title
        last = row
    return score


def _has_names(row: Row) -> bool:
    pieces = names_in(row.marked)
    return len(pieces) > 2 and sum(map(is_name, pieces)) >= _MIN_NAMES * len(pieces)


def bare_title(text: str) -> str:
    """The title without the kind of article in front of it, and without a version behind it.

    >>> bare_title("Data Descriptor: Viruses of men [version 1; referees: 2 approved]")
    'Viruses of men'
    """
    text = re.sub(r"\s*\[version\s\d[^\[\]]{0,120}\]$", "", text)
    kind, colon, rest = text.partition(":")
    if colon and " " in kind and _LABELS.fullmatch(kind.strip()) and len(rest.split()) > 2:
        return rest.strip()
    return text


def _is_wide_script(text: str) -> bool:
    """Whether the text is written without spaces, as Chinese is."""
    return sum(ord(letter) > _WIDE_SCRIPTS for letter in text) > _MIN_WIDE * len(text)


_UNTITLED = re.compile(
    r"untitled|microsoft|powerpoint|\.(?:docx?|pdf|tex|dvi|indd|qxd|eps|ai|rtf)\b|^(?:title|doi|arxiv|paper|"
    r"article|print|layout)\W*\w*$|template|"
    r"\d\s?\.\.\s?\d|^[\w.-]*\d[\w.-]*$|^[A-Z]{2,6}[-_]\d",
    re.I,
)


def is_label(text: str) -> bool:
    """Whether the text is a kind of article or the heading of a part, such as "Original Research"."""
    return _LABELS.fullmatch(text.strip(" .:*")) is not None


def may_be_title(stated: str) -> bool:
    """Whether a title that the file states of itself has the form of one: no name of a file or of a program."""
    has_words = len(re.findall(r"[^\W\d_]{2,}", stated)) >= 2 or _is_wide_script(stated)
    return has_words and not _UNTITLED.search(stated) and not _LABELS.fullmatch(stated) and not _IMPRINT.search(stated)


def agree(stated: str, printed: str) -> bool:
    """Whether the two are one title, perhaps cut short or with a subtitle in one of them.

    >>> agree("A Study of Tides (Extended)", "A STUDY OF TIDES"), agree("A Study of Tides", "A Study of Winds")
    (True, False)
    """
    one, other = sorted((letters(stated), letters(printed)), key=len)
    if len(one) < _MIN_EQUAL:
        return bool(one) and one == other
    return (
        other.startswith(one)
        or (len(one) > _MIN_CONTAINED and one in other)
        or likeness(stated, printed) > _MIN_LIKENESS
    )
