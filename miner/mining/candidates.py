"""From candidates to pairs: the filters, the duplicates, and the account of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from miner.mining.casing import FirstLetter
from miner.mining.filters import surface_problem
from miner.mining.identity import duplicate_key, pair_key
from miner.mining.language import Linguist, Reading
from miner.mining.patterns import Matcher
from miner.mining.prose import Prose
from miner.mining.settings import MiningSettings
from miner.records import Drop, Flag, Funnel, Label, Pair, Strategy


class Candidate(NamedTuple):
    """Two sentences of a paper, by number, that may become a pair; `rest` is where the hypothesis' own words start."""

    strategy: Strategy
    premise: int
    hypothesis: int
    rest: int = 0
    label: Label | None = None
    phrase: str | None = None
    flags: tuple[Flag, ...] = ()


class Dropped(NamedTuple):
    """A candidate that became no pair; `premise` is "" where the sentence has none before it."""

    drop: Drop
    premise: str
    hypothesis: str


class Tally:
    """Counts candidates and what becomes of them; `on_dropped` is given each that became no pair."""

    def __init__(self, on_dropped: Callable[[Dropped], None] | None = None) -> None:
        self._on_dropped = on_dropped
        self.candidates: Counter[Strategy] = Counter()
        self.kept: Counter[Strategy] = Counter()
        self.dropped: Counter[Drop] = Counter()

    def drop(self, strategy: Strategy, reason: str, sentences: Callable[[], tuple[str, str]]) -> None:
        """`sentences`: premise and hypothesis, asked for only where somebody wants them."""
        drop = Drop(strategy, reason)
        self.dropped[drop] += 1
        if self._on_dropped is not None:
            self._on_dropped(Dropped(drop, *sentences()))

    def funnel(self) -> Funnel:
        return Funnel(dict(self.candidates), dict(self.kept), dict(self.dropped))


@dataclass(frozen=True, slots=True)
class _Texts:
    premise: str
    original: str
    hypothesis: str


class Settler:
    """Decides the candidates of one paper, in the order given, and makes pairs of those that pass."""

    def __init__(
        self,
        md5: str,
        prose: Prose,
        settings: MiningSettings,
        matcher: Matcher,
        linguist: Linguist,
        on_dropped: Callable[[Dropped], None] | None = None,
    ) -> None:
        self.tally = Tally(on_dropped)
        self.prose = prose
        self.matcher = matcher
        self._md5 = md5
        self._settings = settings
        self._linguist = linguist
        self._letters = FirstLetter(settings.casing, prose.text)
        self._surface: dict[tuple[str, bool], str | None] = {}
        self._readings: dict[str, Reading] = {}
        self._keys: set[str] = set()
        self._seen: set[bytes] = set()

    def settle(self, candidates: Sequence[Candidate]) -> list[Pair | None]:
        """For each candidate its pair, or None when it was dropped and counted."""
        texts = [self._texts(candidate) for candidate in candidates]
        problems = [self._surface_problem(found) for found in texts]
        self._read([found for found, problem in zip(texts, problems, strict=True) if problem is None])
        return [
            self._decide(candidate, found, problem)
            for candidate, found, problem in zip(candidates, texts, problems, strict=True)
        ]

    def _texts(self, candidate: Candidate) -> _Texts:
        original = self.prose.sentence(candidate.hypothesis)
        return _Texts(self.prose.sentence(candidate.premise), original, original[candidate.rest :])

    def _surface_problem(self, texts: _Texts) -> str | None:
        whole = texts.hypothesis == texts.original
        problem = self._sentence_problem(texts.premise, whole=True) or self._sentence_problem(
            texts.hypothesis, whole=whole
        )
        if problem is None and not whole and "second_phrase" in self._settings.filters:
            again = texts.hypothesis[:1].upper() + texts.hypothesis[1:]
            return "second_phrase" if self.matcher.starts(again) else None
        return problem

    def _sentence_problem(self, text: str, *, whole: bool) -> str | None:
        if (text, whole) not in self._surface:
            settings = self._settings
            self._surface[text, whole] = surface_problem(
                text, settings.filters, min_words=settings.min_words, max_words=settings.max_words, whole=whole
            )
        return self._surface[text, whole]

    def _read(self, passed: Iterable[_Texts]) -> None:
        if self._settings.filters.isdisjoint(("no_verb", "not_english")):
            return
        new = dict.fromkeys(text for found in passed for text in (found.premise, found.hypothesis))
        unread = [text for text in new if text not in self._readings]
        self._readings.update(zip(unread, self._linguist.read(unread), strict=True))

    def _decide(self, candidate: Candidate, texts: _Texts, problem: str | None) -> Pair | None:
        key = pair_key(self._md5, texts.premise, texts.original, candidate.strategy)
        problem = problem or self._language_problem(texts) or self._repetition(texts, key)
        if problem is not None:
            self.tally.drop(candidate.strategy, problem, lambda: (texts.premise, texts.original))
            return None
        self.tally.kept[candidate.strategy] += 1
        self._keys.add(key)
        return self._pair(candidate, texts, key)

    def _language_problem(self, texts: _Texts) -> str | None:
        on = self._settings.filters
        for text in (texts.premise, texts.hypothesis):
            if "not_english" in on and not self._readings[text].english:
                return "not_english"
            if "no_verb" in on and not self._readings[text].has_verb:
                return "no_verb"
        return None

    def _repetition(self, texts: _Texts, key: str) -> str | None:
        """The same two sentences are one pair, letter for letter whatever the filters say: keys must be unique."""
        if key in self._keys:
            return "duplicate"
        if "duplicate" in self._settings.filters:
            repeated = duplicate_key(texts.premise, texts.original)
            if repeated in self._seen or texts.premise == texts.original:
                return "duplicate"
            self._seen.add(repeated)
        return None

    def _pair(self, candidate: Candidate, texts: _Texts, key: str) -> Pair:
        flags = candidate.flags
        if self.matcher.starts(texts.premise) and (link := self.matcher.find(texts.premise)) and link.trap is None:
            flags = (*flags, Flag.PREMISE_HAS_PHRASE)
        page = self.prose.page(candidate.hypothesis)
        return Pair(
            key=key,
            premise=texts.premise,
            hypothesis=self._letters.apply(texts.hypothesis, after_phrase=candidate.rest > 0),
            hypothesis_original=texts.original,
            strategy=candidate.strategy,
            distant_label=candidate.label,
            phrase=candidate.phrase,
            premise_at=self.prose.place(candidate.premise),
            hypothesis_at=self.prose.place(candidate.hypothesis),
            page=page if page is not None else self.prose.page(candidate.premise),
            flags=flags,
        )
