"""Making pairs of candidates: filters, duplicates, and counts of what is kept and dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from miner.mining.casing import FirstLetter
from miner.mining.filters import surface_problem
from miner.mining.identity import duplicate_key, pair_key
from miner.mining.patterns import Matcher
from miner.mining.prose import Prose
from miner.mining.sentence_analysis import SentenceAnalyzer, SentenceProperties
from miner.mining.settings import MiningSettings
from miner.records import Drop, Flag, Funnel, Label, Pair, Strategy


class PairCandidate(NamedTuple):
    """Two sentences of a paper, by index, that may become a pair.

    `rest`: where the hypothesis starts in its sentence, in characters: after a linking phrase.
    """

    strategy: Strategy
    premise: int
    hypothesis: int
    rest: int = 0
    label: Label | None = None
    phrase: str | None = None
    flags: tuple[Flag, ...] = ()


class DroppedCandidate(NamedTuple):
    """A candidate that did not become a pair; `premise` is "" where no sentence precedes the hypothesis."""

    drop: Drop
    premise: str
    hypothesis: str


class CandidateCounts:
    """Counts candidates, kept and dropped ones; `on_dropped` receives each dropped one."""

    def __init__(self, on_dropped: Callable[[DroppedCandidate], None] | None = None) -> None:
        self._on_dropped = on_dropped
        self.candidates: Counter[Strategy] = Counter()
        self.kept: Counter[Strategy] = Counter()
        self.dropped: Counter[Drop] = Counter()

    def drop(self, strategy: Strategy, reason: str, sentences: Callable[[], tuple[str, str]]) -> None:
        """`sentences` returns premise and hypothesis; it is only called where `on_dropped` was given."""
        drop = Drop(strategy, reason)
        self.dropped[drop] += 1
        if self._on_dropped is not None:
            self._on_dropped(DroppedCandidate(drop, *sentences()))

    def funnel(self) -> Funnel:
        return Funnel(dict(self.candidates), dict(self.kept), dict(self.dropped))


@dataclass(frozen=True, slots=True)
class _Texts:
    premise: str
    original: str
    hypothesis: str


class PairBuilder:
    """Makes pairs of the candidates of one paper that pass the filters, in the order given."""

    def __init__(
        self,
        md5: str,
        prose: Prose,
        settings: MiningSettings,
        matcher: Matcher,
        analyzer: SentenceAnalyzer,
        on_dropped: Callable[[DroppedCandidate], None] | None = None,
    ) -> None:
        self.counts = CandidateCounts(on_dropped)
        self.prose = prose
        self.matcher = matcher
        self._md5 = md5
        self._settings = settings
        self._analyzer = analyzer
        self._letters = FirstLetter(settings.casing, prose.text)
        self._surface: dict[tuple[str, bool], str | None] = {}
        self._properties: dict[str, SentenceProperties] = {}
        self._keys: set[str] = set()
        self._seen: set[bytes] = set()

    def build(self, candidates: Sequence[PairCandidate]) -> list[Pair | None]:
        """For each candidate its pair, or None where it was dropped; both are counted."""
        texts = [self._texts(candidate) for candidate in candidates]
        problems = [self._surface_problem(found) for found in texts]
        self._analyze([found for found, problem in zip(texts, problems, strict=True) if problem is None])
        return [
            self._build(candidate, found, problem)
            for candidate, found, problem in zip(candidates, texts, problems, strict=True)
        ]

    def _texts(self, candidate: PairCandidate) -> _Texts:
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

    def _analyze(self, passed: Iterable[_Texts]) -> None:
        if self._settings.filters.isdisjoint(("no_verb", "not_english")):
            return
        new = dict.fromkeys(text for found in passed for text in (found.premise, found.hypothesis))
        unknown = [text for text in new if text not in self._properties]
        self._properties.update(zip(unknown, self._analyzer.analyze(unknown), strict=True))

    def _build(self, candidate: PairCandidate, texts: _Texts, problem: str | None) -> Pair | None:
        key = pair_key(self._md5, texts.premise, texts.original, candidate.strategy)
        problem = problem or self._language_problem(texts) or self._repetition(texts, key)
        if problem is not None:
            self.counts.drop(candidate.strategy, problem, lambda: (texts.premise, texts.original))
            return None
        self.counts.kept[candidate.strategy] += 1
        self._keys.add(key)
        return self._pair(candidate, texts, key)

    def _language_problem(self, texts: _Texts) -> str | None:
        on = self._settings.filters
        for text in (texts.premise, texts.hypothesis):
            if "not_english" in on and not self._properties[text].english:
                return "not_english"
            if "no_verb" in on and not self._properties[text].has_verb:
                return "no_verb"
        return None

    def _repetition(self, texts: _Texts, key: str) -> str | None:
        """Whether an earlier pair has these sentences: letter for letter always, since keys must be unique."""
        if key in self._keys:
            return "duplicate"
        if "duplicate" in self._settings.filters:
            repeated = duplicate_key(texts.premise, texts.original)
            if repeated in self._seen or texts.premise == texts.original:
                return "duplicate"
            self._seen.add(repeated)
        return None

    def _pair(self, candidate: PairCandidate, texts: _Texts, key: str) -> Pair:
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
