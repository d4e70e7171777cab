"""Looks up titles among tens of thousands: equal ones, and similar ones by the rare words that they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from miner.references.likeness import is_similar, is_telling

_RAREST = 4  # words of a title by which others are found
_MOST_COMPARED = 200


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
        """Titles that may be this one, ascending: of those that share one of its rarest words."""
        if not is_telling(title):
            return []
        words = sorted(set(title.split()), key=lambda word: (len(self._by_word.get(word, ())), word))
        known = [word for word in words if word in self._by_word][:_RAREST]
        candidates = {number for word in known for number in self._by_word[word][:_MOST_COMPARED]}
        return sorted(number for number in candidates if is_similar(title, self._titles[number]))
