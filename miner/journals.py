"""Groups spellings of the same journal, which differ in case, punctuation, small words and abbreviations.

Names are compared by their words: "The Plant Cell" is "PLANT CELL", and "Soils & Water" is "Soils and Water".
"J. Exp. Bot." is "Journal of Experimental Botany" only where a project has both, and nothing else that it could be.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from miner.letters import plain_letters

_WORD = re.compile(r"[^\W_]+")
_SMALL_WORDS = frozenset(("a", "an", "and", "for", "in", "of", "on", "the"))  # abbreviations leave them out
_ONE_LETTER = frozenset(("journal", "quarterly", "royal", "zeitschrift"))  # what ISO 4 abbreviates to its first letter
_MIN_CUT = 2  # letters: no word is abbreviated by one (ISO 4); "Cell" and "Cells" are two journals
_MAX_COMPARED = 300  # names of as many words with the same first letters

Words = tuple[str, ...]


def journal_words(name: str) -> Words:
    """The words that tell the journal: equal for two spellings of it; abbreviations stay.

    >>> journal_words("The Journal of Soils & Water")
    ('journal', 'soils', 'water')
    """
    words = _WORD.findall(plain_letters(name))
    return tuple(word for word in words if word not in _SMALL_WORDS) or tuple(words)


def journal_stem(name: str) -> str:
    """What the spellings and abbreviations of a journal have in common; "" for no name. Some journals share one.

    It needs no other name, so that papers can be drawn by it whatever papers come later.

    >>> journal_stem("J. Exp. Bot.") == journal_stem("Journal of Experimental Botany"), journal_stem("Cells")
    (True, 'cells')
    """
    words = journal_words(name)
    if len(words) < 2:
        return "".join(words) or name.strip().casefold()
    return " ".join(word[:1] if word in _ONE_LETTER else word[:2] for word in words)


def group_journals(papers: Mapping[str, int]) -> dict[str, str]:
    """The spelling to show for each name: the spelling of its journal with the most papers.

    papers: how many each name has.
    """
    words = {name: journal_words(name) or (name.strip(),) for name in papers}
    in_full = _in_full(set(words.values()))
    spellings: defaultdict[Words, list[str]] = defaultdict(list)
    for name in papers:
        spellings[in_full[words[name]]].append(name)
    shown = {full: min(names, key=lambda name: (-papers[name], name)) for full, names in spellings.items()}
    return {name: shown[in_full[words[name]]] for name in papers}


def _in_full(names: set[Words]) -> dict[Words, Words]:
    """The full name of each abbreviation that has only one, and each other name as it is."""
    alike: defaultdict[Words, list[Words]] = defaultdict(list)
    for words in names:
        alike[tuple(word[:1] for word in words)].append(words)
    found = {words: words for words in names}
    for several in alike.values():
        if len(several) > _MAX_COMPARED:
            continue
        several.sort(key=lambda words: (-sum(map(len, words)), words))  # what a name abbreviates comes before it
        for number, words in enumerate(several):
            full = {found[longer] for longer in several[:number] if _is_abbreviation(words, longer)}
            if len(full) == 1:
                found[words] = full.pop()
    return found


def _is_abbreviation(words: Words, longer: Words) -> bool:
    """Whether each word of a longer name begins with its abbreviation, or is the same. Single words have none."""
    return len(words) > 1 and all(
        full == word or (full.startswith(word) and len(full) - len(word) >= _MIN_CUT)
        for word, full in zip(words, longer, strict=True)
    )
