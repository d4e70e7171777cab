"""Builds pairs from candidates: filters, duplicates, and counts of what is kept and dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from miner.mining.casing import FirstLetterCasing
from miner.mining.identity import duplicate_key, pair_key
from miner.mining.linking_phrases import PhraseMatcher
from miner.mining.prose import Prose
from miner.mining.sentence_analysis import SentenceAnalyzer, SentenceProperties
from miner.mining.sentence_filters import surface_problem, without_heading
from miner.mining.settings import MiningSettings
from miner.records import DropReason, Funnel, Label, Pair, PairFlag, Strategy


class PairCandidate(NamedTuple):
    """Two sentences of a paper, by index in its `Prose`, that may become a pair.

    `rest`: where the hypothesis starts in its sentence, in characters (after the linking phrase); 0 without a phrase.
    """

    strategy: Strategy
    premise: int
    hypothesis: int
    rest: int = 0
    label: Label | None = None
    phrase: str | None = None
    flags: tuple[PairFlag, ...] = ()


class DroppedCandidate(NamedTuple):
    """A candidate that did not become a pair; `premise` is "" where no sentence precedes the hypothesis."""

    drop: DropReason
    premise: str
    hypothesis: str


class CandidateCounts:
    """Counts of all candidates, kept and dropped. `on_dropped` is called for each dropped candidate."""

    def __init__(self, on_dropped: Callable[[DroppedCandidate], None] | None = None) -> None:
        self._on_dropped = on_dropped
        self.candidates: Counter[Strategy] = Counter()
        self.kept: Counter[Strategy] = Counter()
        self.dropped: Counter[DropReason] = Counter()

    def drop(self, strategy: Strategy, reason: str, sentences: Callable[[], tuple[str, str]]) -> None:
        """Count a dropped candidate. `sentences` returns premise and hypothesis; it is called only for `on_dropped`."""
        drop = DropReason(strategy, reason)
        self.dropped[drop] += 1
        if self._on_dropped is not None:
            self._on_dropped(DroppedCandidate(drop, *sentences()))

    def funnel(self) -> Funnel:
        return Funnel(dict(self.candidates), dict(self.kept), dict(self.dropped))


@dataclass(frozen=True, slots=True)
class _PairTexts:
    """Premise, and hypothesis as the paper has it (`original`) and without its linking phrase.

    `before_break`: whether premise and hypothesis are unfinished, and a formula, list or table follows them.
    """

    premise: str
    original: str
    hypothesis: str
    before_break: tuple[bool, bool]


class PairBuilder:
    """Builds the pairs of one paper from candidates that pass the filters."""

    def __init__(
        self,
        md5: str,
        prose: Prose,
        settings: MiningSettings,
        matcher: PhraseMatcher,
        analyzer: SentenceAnalyzer,
        on_dropped: Callable[[DroppedCandidate], None] | None = None,
    ) -> None:
        self.counts = CandidateCounts(on_dropped)
        self.prose = prose
        self.matcher = matcher
        self._md5 = md5
        self.settings = settings
        self._analyzer = analyzer
        self._first_letter = FirstLetterCasing(settings.casing, prose.text)
        self._sentences: dict[int, str] = {}
        self._surface_problems: dict[tuple[str, bool, bool], str | None] = {}
        self._properties: dict[str, SentenceProperties] = {}
        self._keys: set[str] = set()
        self._duplicate_keys: set[bytes] = set()

    def build(self, candidates: Sequence[PairCandidate]) -> list[Pair | None]:
        """For each candidate, in order, its pair, or None where it was dropped. Both are counted."""
        return [self._build(*analyzed) for analyzed in self._analyzed(candidates)]

    def problem_or_pair(self, candidate: PairCandidate) -> str | Pair:
        """The name of the filter that drops a candidate, else its pair; not counted, nor compared with other pairs."""
        [(_, texts, problem)] = self._analyzed([candidate])
        return problem or self._language_problem(texts) or self._pair(candidate, texts, self._key(candidate, texts))

    def key(self, candidate: PairCandidate) -> str:
        """The key of the pair that the candidate would become."""
        return self._key(candidate, self._texts(candidate))

    def _key(self, candidate: PairCandidate, texts: _PairTexts) -> str:
        return pair_key(self._md5, texts.premise, texts.original, candidate.strategy)

    def _analyzed(self, candidates: Sequence[PairCandidate]) -> list[tuple[PairCandidate, _PairTexts, str | None]]:
        """Each candidate with its texts and the filter that drops their surface; the other sentences are analyzed."""
        all_texts = [self._texts(candidate) for candidate in candidates]
        problems = [self._surface_problem(texts) for texts in all_texts]
        self._analyze([texts for texts, problem in zip(all_texts, problems, strict=True) if problem is None])
        return list(zip(candidates, all_texts, problems, strict=True))

    def _texts(self, candidate: PairCandidate) -> _PairTexts:
        premise = self.sentence(candidate.premise)
        original = (self.prose if candidate.rest else self).sentence(candidate.hypothesis)
        before_break = (
            self._before_break(premise, candidate.premise),
            self._before_break(original, candidate.hypothesis),
        )
        return _PairTexts(premise, original, original[candidate.rest :], before_break)

    def sentence(self, index: int) -> str:
        """The sentence as pairs have it: without a heading such as "Results:" in front."""
        if index not in self._sentences:
            sentence = self.prose.sentence(index)
            whole = "heading_glued" not in self.settings.filters
            self._sentences[index] = sentence if whole else without_heading(sentence)
        return self._sentences[index]

    def hypothesis(self, candidate: PairCandidate) -> str:
        """The candidate's hypothesis, without its linking phrase."""
        return self._texts(candidate).hypothesis

    def _before_break(self, sentence: str, index: int) -> bool:
        return sentence[-1:] not in ".?!" and self.prose.before_break(index)

    def _surface_problem(self, texts: _PairTexts) -> str | None:
        whole = texts.hypothesis == texts.original
        premise_before_break, hypothesis_before_break = texts.before_break
        problem = self._sentence_problem(
            texts.premise, whole=True, before_break=premise_before_break
        ) or self._sentence_problem(texts.hypothesis, whole=whole, before_break=hypothesis_before_break)
        if problem is None and not whole and "second_phrase" in self.settings.filters:
            rest_capitalized = texts.hypothesis[:1].upper() + texts.hypothesis[1:]
            second = self.matcher.find(rest_capitalized)
            return "second_phrase" if second is not None and second.trap is None else None
        return problem

    def _sentence_problem(self, text: str, *, whole: bool, before_break: bool) -> str | None:
        key = (text, whole, before_break)
        if key not in self._surface_problems:
            settings = self.settings
            self._surface_problems[key] = surface_problem(
                text,
                settings.filters,
                min_words=settings.min_words,
                max_words=settings.max_words,
                whole=whole,
                before_break=before_break,
            )
        return self._surface_problems[key]

    def _analyze(self, all_texts: Iterable[_PairTexts]) -> None:
        if self.settings.filters.isdisjoint(("no_verb", "not_english")):
            return
        sentences = dict.fromkeys(text for texts in all_texts for text in (texts.premise, texts.hypothesis))
        new_sentences = [text for text in sentences if text not in self._properties]
        self._properties.update(zip(new_sentences, self._analyzer.analyze(new_sentences), strict=True))

    def _build(self, candidate: PairCandidate, texts: _PairTexts, problem: str | None) -> Pair | None:
        key = self._key(candidate, texts)
        problem = problem or self._language_problem(texts) or self._repetition(texts, key)
        if problem is not None:
            self.counts.drop(candidate.strategy, problem, lambda: (texts.premise, texts.original))
            return None
        self.counts.kept[candidate.strategy] += 1
        self._keys.add(key)
        return self._pair(candidate, texts, key)

    def _language_problem(self, texts: _PairTexts) -> str | None:
        enabled = self.settings.filters
        for text in (texts.premise, texts.hypothesis):
            if "not_english" in enabled and not self._properties[text].english:
                return "not_english"
            if "no_verb" in enabled and not self._properties[text].has_verb:
                return "no_verb"
        return None

    def _repetition(self, texts: _PairTexts, key: str) -> str | None:
        """ "duplicate" if an earlier pair has these sentences, else None. Equal keys are always refused."""
        if key in self._keys:
            return "duplicate"
        if "duplicate" in self.settings.filters:
            duplicate = duplicate_key(texts.premise, texts.original)
            if duplicate in self._duplicate_keys or texts.premise == texts.original:
                return "duplicate"
            self._duplicate_keys.add(duplicate)
        return None

    def _pair(self, candidate: PairCandidate, texts: _PairTexts, key: str) -> Pair:
        flags = candidate.flags
        if (link := self.matcher.find(texts.premise)) is not None and link.trap is None:
            flags = (*flags, PairFlag.PREMISE_HAS_PHRASE)
        page = self.prose.page(candidate.hypothesis)
        return Pair(
            key=key,
            premise=texts.premise,
            hypothesis=self._first_letter.apply(texts.hypothesis, after_phrase=candidate.rest > 0),
            hypothesis_original=texts.original,
            strategy=candidate.strategy,
            distant_label=candidate.label,
            phrase=candidate.phrase,
            premise_at=self.prose.place(candidate.premise),
            hypothesis_at=self.prose.place(candidate.hypothesis),
            page=page if page is not None else self.prose.page(candidate.premise),
            flags=flags,
        )
