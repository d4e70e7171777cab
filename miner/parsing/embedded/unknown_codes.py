"""Finds which letters the codes of a font stand for when nothing says it: by the words that only these letters make.

Long words have forms that few words share, such as "ABCDDBCD" ("possesses"). They tell the first letters, which narrow
down the other words. Capitals are found by the words they begin, signs by their places beside words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from miner.parsing.words import known_words

_SMALL = "abcdefghijklmnopqrstuvwxyz"
_MIN_LENGTH = 7  # of a word whose form tells something
_MAX_WORDS = 4_000  # different ones that are compared
_MAX_OF_FORM = 4_000  # known words of one form; a form that more have tells nothing
_MIN_SPACE, _MIN_SPACE_SHARE = 1.2, 0.1  # times PDFium's spaces, and share of the text, of a code for the space
_MIN_TELLING = 4  # letters of a word that tells whether the letters found make words, or what its unknown code is
_MIN_REST = 3  # letters of a word behind a capital
_MIN_SIGN_MARGIN, _MAX_IN_WORD = 3, 0.1  # times the places of other signs; share of places within or before words
_MIN_YEARS = 3  # by which the digits are found
_MAX_CANDIDATES = 40
_MIN_VOTES, _MIN_SHARE = 2, 0.7
_MAX_WEIGHT = 10  # of a word that is repeated: more often a listed one than a name, or a word with a sign behind it
_ROUNDS = 6
_MIN_SIGNS = 5
_MORE_STARTS, _CAPITAL_STARTS = 0.25, 0.75  # shares of a letter's places that begin words
_MIN_KNOWN = 0.6  # of the words of four letters or more that the letters make known
_MIN_SOLVED = 12  # letters
_MIN_BLOCK, _MIN_BLOCK_SHARE = 8, 0.8  # letters that keep the order of the alphabet, and share of all found
_BREAK = re.compile(r"[ \n\r]+")
_LAST_WORD, _FIRST_WORD, _MAX_PART = re.compile(r"[A-Za-z]{3,}$"), re.compile(r"[A-Za-z]{3,}"), 20

Letters = dict[str, str]


def letters_of(text: str) -> Letters:
    """The letters and signs of most codes in the text of a font; nothing if they make no words.

    `text`: codes, with spaces and line ends where PDFium puts them; a code may stand for the space as well.
    """
    space = _space(text)
    tokens = Counter(_BREAK.split(text.replace(space, " ") if space else text))
    tokens.pop("", None)
    letters = _small_letters(tokens)
    letters = _with_completed(tokens, letters)
    if len(letters) < _MIN_SOLVED or not _makes_words(tokens, letters):
        return {}
    letters |= _capitals(tokens, letters)
    letters |= _rest_of_alphabet(letters, _SMALL, text)
    letters |= _rest_of_alphabet(letters, _SMALL.upper(), text)
    if space:
        letters[space] = " "
    return letters | _signs(text, letters) | _digits(text, letters)


def _space(text: str) -> str:
    """The code that stands for the space: the most frequent one, unless PDFium puts spaces enough."""
    counts = Counter(text)
    spaces = counts.pop(" ", 0) + counts.pop("\n", 0)
    code, count = counts.most_common(1)[0]
    return code if count > _MIN_SPACE * spaces and count > _MIN_SPACE_SHARE * len(text) else ""


@cache
def _by_form() -> Mapping[str, tuple[str, ...]]:
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(known_words()):
        forms[_form(word)].append(word)
    return {form: tuple(words) for form, words in forms.items()}


def _form(word: str) -> str:
    """The word with its first letter as "a", the next other one as "b" and so on."""
    names: dict[str, str] = {}
    return "".join(names.setdefault(letter, chr(ord("a") + len(names))) for letter in word)


def _small_letters(tokens: Counter[str]) -> Letters:
    words = [word for word, _ in tokens.most_common(_MAX_WORDS) if len(word) >= _MIN_LENGTH]
    candidates = {word: some for word in words if 0 < len(some := _by_form().get(_form(word), ())) <= _MAX_OF_FORM}
    letters: Letters = {}
    for _ in range(_ROUNDS):
        votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for word, some in candidates.items():
            fitting = _fitting(word, some, letters)
            if 0 < len(fitting) <= _MAX_CANDIDATES:
                for at, code in enumerate(word):
                    possible = {other[at] for other in fitting}
                    if len(possible) == 1:
                        votes[code][possible.pop()] += min(tokens[word], _MAX_WEIGHT)
        found = _clear(votes)
        if found == letters:
            break
        letters = found
    return letters


def _fitting(word: str, candidates: Iterable[str], letters: Letters) -> list[str]:
    known = [(at, letters[code]) for at, code in enumerate(word) if code in letters]
    return [other for other in candidates if all(other[at] == letter for at, letter in known)]


def _clear(votes: Mapping[str, Counter[str]]) -> Letters:
    """The letter of each code that most votes are for; each letter belongs to one code only."""
    best: dict[str, tuple[int, str]] = {}
    for code, counts in sorted(votes.items()):
        [(letter, count)] = counts.most_common(1)
        if count >= max(_MIN_VOTES, _MIN_SHARE * counts.total()) and count > best.get(letter, (0, ""))[0]:
            best[letter] = count, code
    return {code: letter for letter, (_, code) in best.items()}


def _makes_words(tokens: Counter[str], letters: Letters) -> bool:
    read = Counter[str]()
    for word, count in tokens.items():
        if len(word) >= _MIN_TELLING and all(code in letters for code in word):
            read["".join(map(letters.__getitem__, word))] += count
    return sum(count for word, count in read.items() if word in known_words()) > _MIN_KNOWN * read.total()


def _with_completed(tokens: Counter[str], letters: Letters) -> Letters:
    """The letters, with those of codes that complete words in which they are the only unknown one.

    Where a letter is that of another code already, the one that begins most of its words is the capital.
    """
    starts, all_places = Counter[str](), Counter[str]()
    for word, count in tokens.items():
        starts[word[0]] += count
        for code in word:
            all_places[code] += count
    for _ in range(_ROUNDS):
        votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for word in tokens:
            unknown = {code for code in word if code not in letters}
            if len(unknown) == 1 and len(word) >= _MIN_TELLING:
                code = unknown.pop()
                frame = "".join(letters.get(other, "\0") for other in word)
                fitting = [letter for letter in _SMALL if frame.replace("\0", letter).casefold() in known_words()]
                if len(fitting) == 1:
                    votes[code][fitting[0]] += 1
        owners = {letter: code for code, letter in letters.items()}
        found: Letters = {}
        for code, counts in sorted(votes.items()):
            [(letter, count)] = counts.most_common(1)
            if count < _MIN_VOTES or count < _MIN_SHARE * counts.total():
                continue
            if owner := owners.get(letter):
                if starts[owner] / all_places[owner] > starts[code] / all_places[code] + _MORE_STARTS:
                    found |= {owner: letter.upper(), code: letter}
            elif not owner:
                found[code] = letter if starts[code] < _CAPITAL_STARTS * all_places[code] else letter.upper()
        if not found:
            break
        letters = letters | found
    return letters


def _capitals(tokens: Counter[str], letters: Letters) -> Letters:
    """The capitals: codes before small letters that make words with one letter only."""
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word in tokens:
        rest = "".join(letters.get(code, "") for code in word[1:])
        if word[0] not in letters and len(rest) == len(word) - 1 >= _MIN_REST:
            possible = [letter for letter in _SMALL if letter + rest in known_words()]
            if len(possible) == 1:
                votes[word[0]][possible[0].upper()] += 1
    return _clear(votes)


def _rest_of_alphabet(letters: Letters, alphabet: str, text: str) -> Letters:
    """The letters not found yet of an alphabet that the codes follow one by one."""
    shifts = Counter(ord(letter) - ord(code) for code, letter in letters.items() if letter in alphabet)
    shift, count = shifts.most_common(1)[0] if shifts else (0, 0)
    if count < _MIN_BLOCK or count < _MIN_BLOCK_SHARE * shifts.total():
        return {}
    codes = {chr(ord(letter) - shift): letter for letter in alphabet}
    return {code: letter for code, letter in codes.items() if code in text}


def _signs(text: str, letters: Letters) -> Letters:
    """Full stop, comma and hyphen, where a code stands in hardly any other place than theirs."""
    read = "".join(letters.get(code, code if code in " \n" else "\0") for code in text)
    places: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for at in range(1, len(text) - 2):
        if read[at] == "\0":
            places[text[at]][_place(read, at)] += 1
    found: Letters = {}
    for sign, usual in (".", "stop"), (",", "comma"), ("-", "within"):
        telling = {code: counts[usual] for code, counts in places.items() if _stands(counts, usual)}
        if telling:
            found[max(sorted(telling), key=telling.__getitem__)] = sign
    return found


def _stands(counts: Counter[str], usual: str) -> bool:
    likely = counts[usual] + counts["end"] + counts["digits"]
    others = counts["stop"] + counts["comma"] + counts["within"] - counts[usual]
    is_frequent = counts[usual] >= _MIN_SIGNS and counts[usual] > _MIN_SIGN_MARGIN * others
    is_apart = counts["in word"] + counts["before"] < _MAX_IN_WORD * counts.total()
    return is_frequent and is_apart and 2 * likely > counts.total()


def _place(read: str, at: int) -> str:
    """What kind of place this is, by the letters before and behind."""
    before, behind, following = read[at - 1], read[at + 1], read[at + 2]
    if before.isalpha() and behind.isspace():
        return "stop" if following.isupper() else "comma" if following.islower() else "end"
    if before.isalpha() and behind.isalpha():
        parts = _LAST_WORD.search(read, max(0, at - _MAX_PART), at), _FIRST_WORD.match(read, at + 1)
        return "within" if all(part and part[0].casefold() in known_words() for part in parts) else "in word"
    if before.isspace() and behind.isalpha():
        return "before"
    return "digits" if before == "\0" == behind else "other"


def _digits(text: str, letters: Letters) -> Letters:
    """Ten codes in sequence that stand in years of this century and the last."""
    years = Counter(
        re.findall(
            r"(?<=[\s])([^\s]{4})(?=[\s])",
            "".join(code if code not in letters else letters[code] if letters[code] == " " else "\n" for code in text),
        )
    )
    shifts = Counter[int]()
    for year, count in years.items():
        numbers = list(map(ord, year))
        if numbers[1] - numbers[0] in (-2, 8) and max(numbers) - min(numbers) < 10:
            shifts[numbers[0] - (2 if numbers[1] < numbers[0] else 1)] += count
    first, count = shifts.most_common(1)[0] if shifts else (0, 0)
    digits = {chr(first + digit): str(digit) for digit in range(10)}
    return digits if count >= _MIN_YEARS and not digits.keys() & letters.keys() else {}
