"""Looks up titles among tens of thousands: equal ones, and similar ones by the rare words that they share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from miner.references.likeness import is_similar, is_telling

_RAREST = 6  # words of a title by which others are found
_MOST_COMPARED = 1_000


class TitleIndex:
    """Normal titles (`likeness.normal_title`), numbered from 0 in their order."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._titles = list(titles)
        self._by_title: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, title in enumerate(self._titles):
            if title:
                self._by_title[title].append(number)
                for word in set(title.split()):
                    self._by_word[word].append(number)

    def equal(self, title: str) -> list[int]:
        return self._by_title.get(title, []) if title else []

    def similar(self, title: str) -> list[int]:
        """Titles that may be this one, ascending: of those that share half of its rarest words."""
        if not is_telling(title):
            return []
        known = [word for word in set(title.split()) if word in self._by_word]
        known.sort(key=lambda word: (len(self._by_word[word]), word))
        shared = Counter(number for word in known[:_RAREST] for number in self._by_word[word][:_MOST_COMPARED])
        enough = (min(len(known), _RAREST) + 1) // 2
        candidates = sorted(number for number, words in shared.items() if words >= enough)
        return [number for number in candidates if is_similar(title, self._titles[number])]
