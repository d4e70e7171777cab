"""Filters that drop broken sentences. Each has a name: drops are counted by it, settings turn it off by it.

The filters that judge a sentence by its text alone are here. `pair_builder` applies the others: `second_phrase`,
`duplicate` (by the keys of `identity`), and `not_english` and `no_verb` (decided by `sentence_analysis`). SciNLI
(section 3.3) cleaned its sentences by hand; these rules replace that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from miner.mining.linking_phrases import list_label, word_set
from miner.mining.verbs import contains_verb
from miner.records import FORMULA, UNREADABLE

# Opening and closing brackets, and what may close none: "a)", "12)", "iv)", but not "when)".
_BRACKET = re.compile(
    r"(?P<mark>(?:^|(?<=[\s:;,.]))(?:[A-Za-z]|\d{1,2}|[ivx]{2,4})[)\]](?!\w))|(?P<face>(?<=\s)[:;=]-?[()](?=\s|$))"
    r"|(?P<open>[(\[])|[)\]]"
)
# "… in Fig. | 2 and Fig. 6, our method", "3. identification of": the sentence began before its number.
# But "3) LSTM: …" is an item of a list.
_LOST_NUMBER_START = re.compile(
    r"\d{1,3}[a-z]?(?:\s*[,;·=](?!\s*\d)|\s*\)(?!\s*\d|\s[^\W\d_a-z])|\.\s+[a-z]"
    r"|\s+(?:(?:and|or)\b(?!\s\d)|(?:shows?|reveals?|presents|illustrates|is|are|was|were|we|the)\b))"
)
# "mRNA", "p53", "p-Cymene", "cis-OPDA", "k-means", "x is", "von Neumann" and "d’Alembert" begin a sentence as they are.
_LOWER_CASE_NAME = re.compile(
    r"\w*[A-ZΑ-Ω\d]|[a-z][-‐‑][^\W_]|(?!non|anti|pre|post|sub|mid)[a-z]{2,5}[-‐‑][A-Z]"
    r"|[b-z]\s(?:is|are|was|denotes|represents)\b"
    r"|(?:von|van|de|der|den|di|da|du|la|le|el|ter|ten|dos)(?:\s(?:der|den|de|la))?\s[A-Z]|(?:d|l|o|al)[’'-][A-Z]"
)
# "… takes the form [formula] Note that it is small."
_SENTENCE_AFTER_FORMULA = re.compile(r"\[formula\] [A-Z][a-z]{2,},? (?:[a-z]|\[formula\])")
# "… no greater than ρ, i.e., σ We then generate", "… tillage practices These results are"
_SENTENCE_OPENINGS = word_set("We They These Those This There It Then Here However Therefore Thus Hence Moreover")
_GLUED_SENTENCE = re.compile(
    rf" (?<=[^\W\d_] )(?<! as )(?<! in )(?<! or )(?<! and )(?:{'|'.join(sorted(_SENTENCE_OPENINGS))}) [a-z]+ "
)
_MAX_HEADING_LENGTH = 8  # words; what is glued on after a heading is another filter's
# "[formula] is small": the formula begins the clause; elsewhere the beginning is what could not be read.
_FORMULA_CLAUSE = re.compile(
    r"\[formula\](?:,|\s(?:is|are|was|were|has|have|can|may|will|must|should|denotes?|represents?|holds?|contains?|means"
    r"|defines?|describes?|gives?|implies|follows|satisfies|corresponds?|and|for|in)\b)"
)
# What may stand after the stop: "[3, 4]", "(Smith, 2010)", "(Fig. 3)", "12,13", "12)", a note's mark, a proof's end.
_FINAL_PUNCTUATION = re.compile(
    r"[.!?…。！？][\"'”’»)\]]*"
    r"(?:(?:,?\s*[\[(]\s?\d[\da-z,;\s–-]*[\])])+|(?:[,\s]*\[(?:CITE|REF)\])+|\s?\([^()]{3,200}\b(?:1[89]|20)\d\d[a-z]?\)"
    r"|\s\((?:[Ss]ee\s)?(?:[Ff]ig|[Tt]ab|[Ee]q|[Ss]ec|[Ss]upp|[Aa]pp)[^()]{1,60}\)|(?<=[^\W\d]{4}\.)\d{1,3}(?:,\s?\d{1,3})*\)"
    r"|(?:(?<=[^\W\d]\.)|(?<=%\.)|(?<=[.!?][\"”’)\]])|(?<=[\"”’)\]][.!?]))\s?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|\s?[*†‡§¶⁰¹²³⁴-⁹]{1,3}|\s?[□■◻◼▢☐∎⃞])?$"
)
# A stop is missing in print after these: "in winter [3, 4]", "of moss (Smith, 2010)", "in all plots (Fig. 3)".
_BRACKETS_END = re.compile(r"[^\W\d_]{3}[)\]]?\s(?:(?:\[\d[\d,;\s–-]*\],?\s?)+|\([^()]*[^\W\d_]{2}[^()]*\))$")
# An author's slip: "((n = 2)", "[9-11]).", "(P < .05 (Fig. 2).", "in Figure 3C), which"; in a sentence cut off, other
# brackets are left over.
_DOUBLED_OPEN = re.compile(r"[(\[]\s?[(\[]")
_SPARE_CLOSE = re.compile(r"[)\]][,;]?\s?[)\]]|\b\d{1,4}[A-Za-z]?[)\]]")
_SPARE_OPEN_DISTANCE = 60  # characters to the end of the sentence
_MATH_WORD = re.compile(
    r"\W*(?:\[formula\]|[b-hj-zB-HJ-Z]|[^\W\d_a-zA-Z\u00c0-\u024f]|[a-zA-Z]?[\d.,]*[=<>≤≥≈∼±×÷∈∉⊂⊆∪∩∀∃∑∏∫√∞∂∇→←↔⇒⇔∝≠≡∥^_\\|{}+*/~]\S*"
    r"|\S*[=∈∑∏∫√∂∇≤≥≠≡⊂⊆⊗⊕^\\{}]\S*)\W*",
    re.IGNORECASE,
)
_NAME = re.compile(r"\W?[^\W\d_][,.;:?]?")  # "v", "∆W,"
_OPERATOR = re.compile(r"[-+−–*/·=<>≤≥≈→∈∨∧∪∩⊂⊆⊨⊢]|\|=|:=")
_MAX_PLAIN_LENGTH = 4000  # characters; a sentence is shorter
_MAX_MATH_WORD_LENGTH = 100  # characters; the time of `_MATH_WORD` is quadratic
# Statistics in brackets, a measured value, and a comparison with a number or an operation of two letters.
_STATISTIC = re.compile(
    r"\s?\((?:[^()=<>≤≥]|\([^()]{0,60}\)){0,100}[=<>≤≥]\s?[-−–]?\.?\d(?:[^()]|\([^()]{0,60}\)){0,400}\)"
)
_MEASUREMENT = re.compile(r"(?<=\d)\s?±\s?(?=[\d.])|(?<!\S)[~≈](?=\d)|(?<=\d)\s[a-zA-ZΩμ](?=[\s,.;)]|$)")
_COMPARISON = re.compile(r"(?<=\w)\s?([=<>≤≥≈×])\s?(?=[-−–]?\.?\d|\w\b)")
_PLAIN_WORD = re.compile(r"[A-Za-z][a-z’'-]+[,.;:!?)\]\"”]*|\{?[A-Za-z]{3,}[,.;}]{1,2}")  # "{quiet, quite}" is not one
_BRACKETED_CITATION = re.compile(r"\([^()\d]*\d[^()]*\)|\[[^\[\]]*\]")
_IN_BRACKETS = re.compile(r"\(([^()]{1,500})\)\.?")
_CITATION_WORDS = re.compile(
    r"\b(?:[A-Z]\w*|et|al|and|see|also|cf|e|g|i|in|for|an?|the|review|overview|details?|more|reviewed|by|from|of)\b|\d+"
)
_ORDINARY_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBERED_HEADING = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}\.|[IVX]{2,4}\.)\s+[A-Z]")
_KNOWN_HEADING = re.compile(
    r"(?:Abstract|Introduction|Background|Related Works?|Materials|Methods?|Methodology|Results|Discussion|Conclusions?"
    r"|Objectives?|Experiments|Evaluation|Acknowledge?ments?|Limitations|Purpose|Aims?|Findings|Significance)"
    r"(?:\s(?:and|&)\s[A-Z]?[a-z]+)?:?\s+(?=[A-Z][a-z]*\s[a-z])"
)
# "Results: We found …", "Lemma 2. Moss …", "2. The moss …": what an abstract's part, a paragraph, a statement, or a
# list's item opens with.
_RUN_IN_LABEL = re.compile(
    r"(?=[A-Z])(?i:abstract|introduction|background|objectives?|aims?|purpose|goals?|motivation|context|rationale"
    r"|(?:materials? (?:and|&) )?methods?|methodology|(?:study )?design|settings?|participants|patients|interventions?"
    r"|(?:main )?results?|(?:main )?findings|discussion|conclusions?|interpretation|significance|implications"
    r"|limitations?|contributions?|summary)\s?(?::|\s[–—-])\s+(?=[A-Z]\S*\s)"
    r"|(?:Theorem|Lemma|Proposition|Corollary|Definition|Remark|Claim|Example|Assumption|Conjecture)\s\d{1,3}(?:\.\d{1,2})*"
    r"\s\([^()]{1,60}\)\s+(?=[A-Z]\S*\s[a-z])"
    r"|[A-Z][a-z]+\s(?:\d{1,3}(?:\.\d{1,2})*[a-z]?|[IVX]{2,4})\.\s+(?:\([^()]{1,60}\)\.?\s)?(?=[A-Z]\S*\s)"
    r"|\d{1,2}\.?\s+(?=(?:The|This|These|We|Our|It|There|In|To|For|If|When|As|On|At|By|An?|Each|All|Both|Some)\s\w)"
)
# "Statistical analysis The data were": a word that opens a clause, capital, right after a word.
_CLAUSE_AFTER_HEADING = re.compile(
    r"(?P<heading>(?:[^\s.,:;!?()\[\]\"“”‘’'–—/-]+\s){1,8})"
    r"(?:The|This|These|Those|We|Our|It|There|In|For|To|As|When|Since|Although|While|However|Thus|Therefore|Moreover|An|If|Here|Each|By)\s"
    r"(?:[a-z]+)\s"
)
_HEADING_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s")


def surface_problem(
    text: str,
    enabled: Collection[str],
    *,
    min_words: int,
    max_words: int,
    whole: bool = True,
    before_break: bool = False,
) -> str | None:
    """The name of the first enabled filter that drops the sentence by its text alone; None when it passes all.

    `enabled` holds names of filters. `whole`: the text starts where the paper's sentence starts, so its beginning is
    checked too; after a removed linking phrase it is not. `before_break`: a formula, list or table follows it.

    >>> from miner.mining.drop_reasons import FILTERS
    >>> surface_problem("We measured the boiling point.", FILTERS, min_words=4, max_words=120) is None
    True
    >>> surface_problem("and measured the boiling point.", FILTERS, min_words=4, max_words=120)
    'fragment'
    >>> surface_problem("We measured the boiling (see", FILTERS, min_words=4, max_words=120)
    'no_final_punctuation'
    """
    sentence = _Sentence(text, text.split(), min_words, max_words, before_break)
    for name, drops in _SURFACE_FILTERS.items():
        if name in enabled and (whole or name not in _BEGINNING_FILTERS) and drops(sentence):
            return name
    return None


def without_heading(text: str) -> str:
    """The sentence without the label or heading of its section, or the number of its item, in front.

    >>> without_heading("Results: We found moss in all plots.")
    'We found moss in all plots.'
    >>> without_heading("2.1 Study area The moss grew in all plots.")
    'The moss grew in all plots.'
    """
    if label := _RUN_IN_LABEL.match(text):
        return text[label.end() :]
    if (rest := text.removeprefix(list_label(text))) != text and rest[:1].isupper():
        return rest
    number = _HEADING_NUMBER.match(text)
    start = number.end() if number else 0
    clause = _CLAUSE_AFTER_HEADING.match(text, start)
    if clause is None or not text[start].isupper():
        return text
    words = clause["heading"].split()
    is_title = len(words) > 1 and all(word[0].isupper() or len(word) < 4 for word in words)
    return text[clause.end("heading") :] if is_title or not contains_verb(words) else text


class _Sentence(NamedTuple):
    """A sentence, its words, the limits of their number, and whether a formula, list or table follows."""

    text: str
    words: list[str]
    min_words: int
    max_words: int
    before_break: bool


def _has_alphanumeric(word: str) -> bool:
    return word.isalnum() or any(map(str.isalnum, word))


def _has_open_end(sentence: _Sentence) -> bool:
    if FORMULA in sentence.text and _SENTENCE_AFTER_FORMULA.search(sentence.text):
        return True
    may_be_glued = not _SENTENCE_OPENINGS.isdisjoint(sentence.words[_MAX_HEADING_LENGTH + 1 :])
    if may_be_glued and _GLUED_SENTENCE.search(sentence.text) and not _has_heading(sentence):
        return True
    return sentence.text.endswith((":", "：", FORMULA, FORMULA.upper())) or (
        sentence.before_break and _is_unfinished(sentence)
    )


def _is_unfinished(sentence: _Sentence) -> bool:
    return sentence.text[-1:] not in ".?!" and not _FINAL_PUNCTUATION.search(sentence.text)


def _lacks_final_punctuation(sentence: _Sentence) -> bool:
    return _is_unfinished(sentence) and not _BRACKETS_END.search(sentence.text)


def _is_unreadable(sentence: _Sentence) -> bool:
    return UNREADABLE in sentence.text


def _is_too_short(sentence: _Sentence) -> bool:
    words, limit = sentence.words, sentence.min_words
    if sum(map(_has_alphanumeric, words[: 2 * limit])) >= limit:
        return False  # nearly always
    return sum(map(_has_alphanumeric, words)) < limit


def _is_too_long(sentence: _Sentence) -> bool:
    words, limit = sentence.words, sentence.max_words
    return len(words) > limit and sum(map(_has_alphanumeric, words)) > limit


def _is_fragment(sentence: _Sentence) -> bool:
    text = sentence.text
    if text.startswith(FORMULA):
        return _FORMULA_CLAUSE.match(text) is None
    if _LOST_NUMBER_START.match(text):
        return True
    first = text.lstrip("\"'“‘«([")[:1]
    if first.isupper() or first.isdigit():
        return False
    if not first.isalpha():
        return first not in "¿¡§#$€£~<>≤≥±" if first else True
    # "α-synuclein" begins a sentence as it is; so do scripts without case.
    return first.islower() and first.isascii() and _LOWER_CASE_NAME.match(text.lstrip("\"'“‘«([")) is None


def _is_unbalanced(sentence: _Sentence) -> bool:
    """Whether a bracket is not closed. All kinds count alike: [0, 1) is balanced. "a)" may close a bracket or none."""
    text = sentence.text
    if text.count("(") + text.count("[") == text.count(")") + text.count("]"):
        return False
    fewest = most = 0  # open brackets, as each "a)" closes one or none
    last_open = lacking = 0
    for bracket in _BRACKET.finditer(text):
        if bracket["open"]:
            fewest, most = fewest + 1, most + 1
            last_open = bracket.start() if fewest == 1 else last_open
        elif not bracket["face"]:
            fewest, most = max(fewest - 1, 0), most - (bracket["mark"] is None)
        if most < 0:
            lacking, most = lacking + 1, 0
    return (fewest > 0 or lacking > 0) and not _is_slip(text, fewest, lacking, last_open)


def _is_slip(text: str, spare: int, lacking: int, opened_at: int) -> bool:
    """Whether one bracket too many or too few is the author's, or that of a passage in brackets: the sentence is whole.

    `spare`, `lacking`: the brackets that nothing closes or opens. `opened_at`: where the outermost spare one may be.
    """
    if spare + lacking > 1:
        return False
    if lacking:
        return text.endswith((".)", "?)", "!)")) or _SPARE_CLOSE.search(text) is not None
    is_far = opened_at < len(text) - _SPARE_OPEN_DISTANCE
    return is_far or text.endswith((").", "].")) or _DOUBLED_OPEN.search(text) is not None


def _is_math(sentence: _Sentence) -> bool:
    """Whether a quarter of the words is maths, also when maths that prose is full of counts little.

    Of several formulas that could not be read each counts twice.
    Statistics in brackets, "(p < 0.05)", and units do not count then, "b = 2" and "α ∨ β" count once, and letters that
    are all names, as in "paths from v to u", count half.
    """
    formulas = sentence.text.count(FORMULA)
    lost = formulas if formulas > 1 else 0
    if (sum(_math_words(sentence.words)) + lost) * 4 < len(sentence.words):
        return False
    if len(sentence.text) > _MAX_PLAIN_LENGTH:
        return True
    plain = _MEASUREMENT.sub("", _STATISTIC.sub("", sentence.text))
    words = _COMPARISON.sub(r"\1", plain).split()
    math = _math_words(words)
    if _are_names(words, math):
        return sum(math) * 2 >= len(words)
    saved = sum(map(_is_operation, words, words[1:], words[2:])) * 2
    return (sum(math) + lost - saved) * 4 >= len(words) - saved


def _is_operation(first: str, operator: str, second: str) -> bool:
    return (
        _OPERATOR.fullmatch(operator) is not None
        and _NAME.fullmatch(first) is not None
        and _NAME.fullmatch(second) is not None
    )


def _math_words(words: Sequence[str]) -> list[bool]:
    return [_PLAIN_WORD.fullmatch(word) is None and _is_math_word(word) for word in words]


def _are_names(words: Sequence[str], math: Sequence[bool]) -> bool:
    """Whether all that is maths are single letters between plain words."""
    if any(first and second for first, second in pairwise(math)):
        return False
    return all(_NAME.fullmatch(word) for word, is_math in zip(words, math, strict=True) if is_math)


def _is_math_word(word: str) -> bool:
    """Whether the word is a formula, a symbol or a single letter; so is every word too long to check."""
    return len(word) > _MAX_MATH_WORD_LENGTH or _MATH_WORD.fullmatch(word) is not None


def _is_citation(sentence: _Sentence) -> bool:
    if len(sentence.words) >= 40 or _opens_with_prose(sentence.words):
        return False
    text = sentence.text
    if (inside := _IN_BRACKETS.fullmatch(text)) and contains_verb(inside[1].split()):
        return False
    remaining_text = _CITATION_WORDS.sub(" ", _BRACKETED_CITATION.sub(" ", text))
    return _ORDINARY_WORD.search(remaining_text) is None


def _opens_with_prose(words: Sequence[str]) -> bool:
    """Whether a word before the first bracket is certainly none of a citation; nearly all sentences have one."""
    for word in words:
        if "(" in word or "[" in word:
            return False
        if word.islower() and word.isalpha() and len(word) > 1 and not _CITATION_WORDS.fullmatch(word):
            return True
    return False


def _has_heading(sentence: _Sentence) -> bool:
    text = sentence.text
    if _NUMBERED_HEADING.match(text) or _KNOWN_HEADING.match(text):
        return True
    clause = _CLAUSE_AFTER_HEADING.match(text)
    if clause is None or not text.startswith("As ", clause.end("heading")):
        return clause is not None
    return not contains_verb(clause["heading"].split())  # "These lakes hold As in winter": arsenic


_SURFACE_FILTERS: Mapping[str, Callable[[_Sentence], bool]] = {
    "fragment": _is_fragment,
    "open_end": _has_open_end,
    "no_final_punctuation": _lacks_final_punctuation,
    "unreadable": _is_unreadable,
    "brackets": _is_unbalanced,
    "too_short": _is_too_short,
    "too_long": _is_too_long,
    "math": _is_math,
    "citation_only": _is_citation,
    "heading_glued": _has_heading,
}
_BEGINNING_FILTERS = frozenset({"fragment", "heading_glued"})  # they check how the paper's sentence begins
