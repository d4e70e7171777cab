"""The settings of a mining run, in one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import StrEnum

from miner import codec
from miner.declared_options import MAX_SEED, declared
from miner.errors import UserError
from miner.mining.drop_reasons import FILTER_TEXTS, FILTERS
from miner.mining.linking_phrases import LEXICON, Phrase, phrase_key
from miner.mining.phrase_conflicts import PhraseProblem, find_conflicts
from miner.records import NEUTRAL_STRATEGIES, Strategy
from miner.versions import is_older

_PHRASE_PROBLEMS = {
    PhraseProblem.NO_LETTER: "a linking phrase must start with a letter",
    PhraseProblem.TWICE: "a linking phrase stands in the lexicon twice",
    PhraseProblem.NEUTRAL: "no phrase can announce “neutral”",
}


class Casing(StrEnum):
    """The case of hypotheses' first letter, in all classes."""

    LOWER = "lower"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class MiningSettings:
    """Everything that a paper's pairs depend on. Invalid values raise `UserError`.

    The bounds are those of forms and commands: files and older projects may have larger numbers.
    """

    phrases: tuple[Phrase, ...] = LEXICON
    """The linking phrases; the 16 of SciNLI are on, the others off."""
    casing: Casing = declared(Casing.LOWER, "the first letter of the hypothesis")
    """LOWER: lower case except for names, acronyms and formulas. RESTORE: a capital for every hypothesis."""
    filters: frozenset[str] = frozenset(FILTERS)
    """Names of the cleaning filters that are on: see `miner.mining.drop_reasons.FILTERS`."""
    min_words: int = declared(4, least=1, most=1000)
    """Shorter sentences are dropped as `too_short`. Source: the published range is 4 to 120."""
    max_words: int = declared(120, least=1, most=1000)
    """Longer sentences are dropped as `too_long`."""
    crosses_paragraph: bool = declared(
        True, "pair sentences across the border of two paragraphs, or do not", flag="[no-]crossing"
    )
    """Whether a phrase that opens a paragraph takes the last sentence of the paragraph before as its premise."""
    implicit: bool = declared(
        False,
        "also take neighbouring sentences without a linking phrase, as pairs without a label",
        flag="[no-]implicit",
    )
    """Whether neighbours without a linking phrase become candidates without a label (MisMatched)."""
    neutral_strategies: tuple[Strategy, ...] = NEUTRAL_STRATEGIES
    """How neutral pairs are drawn, in equal parts; empty: no neutral pairs."""
    neutral_ratio: float = declared(1.0, least=0, most=100)
    """Neutral pairs per paper, as a multiple of its linked pairs / 3 (the mean size of its linked classes)."""
    neutral_distance: int = declared(2, least=2, most=1000)
    """Least distance of the two sentences of a neutral pair, in sentences; 1 would be neighbours."""
    neutral_same_paragraph: bool = False
    """Whether both sentences of a neutral pair may come from one paragraph, where they are likelier to be related."""
    neutral_shared_words: bool = False
    """Whether both sentences may share rare words or a topic of the paper, as related ones do (`shared_words`)."""
    seed: int = declared(0, "random seed of the neutral draws", least=0, most=MAX_SEED)
    """The seed of all draws, together with the paper's MD5."""

    def __post_init__(self) -> None:
        # A line break in a phrase would break the tables that show it.
        phrases = tuple(replace(phrase, text=" ".join(phrase.text.split())) for phrase in self.phrases)
        if phrases != self.phrases:
            object.__setattr__(self, "phrases", phrases)
        object.__setattr__(self, "neutral_ratio", float(self.neutral_ratio))  # 1 and 1.0 must be written alike
        problem = _problem(self)
        if problem:
            raise UserError(
                f"These mining settings do not work: {problem}.", hint="Correct the setting and mine again."
            )

    def with_phrase(self, phrase: Phrase) -> MiningSettings:
        """These settings with this phrase added, or in place of the phrase with the same words."""
        key = phrase_key(phrase.text)
        if any(phrase_key(known.text) == key for known in self.phrases):
            phrases = tuple(phrase if phrase_key(known.text) == key else known for known in self.phrases)
        else:
            phrases = (*self.phrases, phrase)
        return replace(self, phrases=phrases)

    def without_phrase(self, text: str) -> MiningSettings:
        """These settings without the phrase."""
        known = self._known(text)
        return replace(self, phrases=tuple(phrase for phrase in self.phrases if phrase is not known))

    def switch(self, text: str, on: bool) -> MiningSettings:
        """These settings with the phrase turned on or off."""
        return self.with_phrase(replace(self._known(text), on=on))

    def _known(self, text: str) -> Phrase:
        for phrase in self.phrases:
            if phrase_key(phrase.text) == phrase_key(text):
                return phrase
        near = get_close_matches(text, [phrase.text for phrase in self.phrases], 1)
        hint = f"Did you mean “{near[0]}”?" if near else "Add it first, with its relation."
        raise UserError(f"The lexicon has no phrase “{text}”.", hint=hint)


def filters_since(rules: str) -> tuple[str, ...]:
    """The filters that settings of this version of the rules could not have, in the order of application."""
    return tuple(name for name in FILTERS if is_older(rules, FILTER_TEXTS[name].since))


def with_new_filters(settings: MiningSettings, rules: str) -> MiningSettings:
    """Settings from this version of the rules, with what later versions turn on by default.

    Settings without any filter stay as they are: whoever chose them wants every candidate.
    """
    return replace(settings, filters=settings.filters.union(filters_since(rules))) if settings.filters else settings


def read_settings(text: str) -> MiningSettings:
    """The settings that `codec.encode` wrote; missing fields get their defaults. `UserError` for other text."""
    try:
        return codec.decode(MiningSettings, text)
    except codec.UnknownField as exc:
        known = ", ".join(sorted(field.name for field in fields(MiningSettings)))
        raise UserError(f"Unknown mining setting '{exc.name}'.", hint=f"Known are: {known}.") from exc
    except ValueError as exc:
        raise UserError(f"The mining settings cannot be read: {exc}.", hint="Correct the file or the value.") from exc


def _problem(settings: MiningSettings) -> str | None:
    found = {conflict.problem for conflict in find_conflicts(settings.phrases)}
    strategies = settings.neutral_strategies
    checks = (
        *((problem in found, text) for problem, text in _PHRASE_PROBLEMS.items()),
        (bool(unknown := settings.filters - set(FILTERS)), f"unknown filter {', '.join(map(repr, sorted(unknown)))}"),
        (not 1 <= settings.min_words <= settings.max_words, "the word limits must be 1 or more, the lower one first"),
        (not set(strategies) <= set(NEUTRAL_STRATEGIES), "only both_random, first_random, second_random draw neutrals"),
        (len(set(strategies)) < len(strategies), "a neutral strategy is given twice"),
        (not 0 <= settings.neutral_ratio <= 100, "the neutral ratio must be between 0 and 100"),
        (settings.neutral_distance < 2, "neutral sentences must be at least 2 apart"),
    )
    return next((text for wrong, text in checks if wrong), None)
