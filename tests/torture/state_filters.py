"""Random filters over a modelled project, and which of its pairs each of them means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from storage.pairs.filters import PairFilter, PairStatus
from tests.torture.state_model import Model
from tests.torture.state_records import LABELS, STRATEGIES, Judged, ModelPair

PEOPLE = ("anna", "ben", "cleo", "dora")
LIST_NAMES = ("hard", "easy")
DOMAINS = ("biology", "physics")
WORDS = ("copyright", "mended", "premise", "one", "3", "holds")
TAGS = ("label wrong", "needs context")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FilteredPair:
    """What filters ask of a pair. by: whose answer holds; own: their own answers; suggested: a model's label."""

    pair: ModelPair
    judged: Judged
    label: str | None
    split: str | None
    domain: str
    year: int | None
    words: frozenset[str]
    edited: bool
    by: frozenset[str]
    own: dict[str, str]
    tags: frozenset[str]
    rounds: frozenset[str]
    lists: frozenset[str]
    suggested: str | None


def read_pairs(model: Model, suggested: dict[str, str]) -> dict[str, FilteredPair]:
    """All pairs of the project by key. suggested: a model's labels, which the model does not foretell."""
    found = {}
    lists = {slot[1]: keys for slot, keys in model.decided.items() if slot[0] == "list"}
    for key, pair in model.pairs.items():
        judged, paper = model.judge(key), model.papers[pair.paper]
        answers = model.of_pair("answer", key)
        texts = [model.text_of(key, name) for name in ("premise", "hypothesis")]
        found[key] = FilteredPair(
            pair,
            judged,
            judged.label(pair.distant),
            model.split_of(pair),
            paper.domain,
            paper.year,
            frozenset(_WORD.findall(" ".join(texts).lower())),
            texts != [pair.pair.premise, pair.pair.hypothesis],
            frozenset(slot[2] for slot in answers),
            {slot[2]: answer for slot, answer in answers.items() if model.via(slot) == "answer"},
            frozenset(
                tag
                for slot, value in model.of_pair("mark", key).items()
                if slot[3] == "tag"
                for tag in value.split(", ")
            ),
            frozenset(str(one.number) for one in model.rounds.values() if key in one.keys),
            frozenset(name for name, keys in lists.items() if key in keys),
            suggested.get(key),
        )
    return found


def means(filter: PairFilter, one: FilteredPair) -> bool:
    """Whether the filter means the pair, by the words of `PairFilter`'s description."""
    pair, judged = one.pair, one.judged
    distant = pair.distant
    differs = None
    if judged.status == "discarded":
        differs = True
    elif distant and judged.gold:
        differs = distant != judged.gold
    agrees = None if one.suggested is None or one.label is None else one.suggested == one.label
    status = judged.status if pair.is_current else PairStatus.GONE
    return all(
        (
            status in filter.statuses if filter.statuses else pair.is_current,
            _among(one.label, filter.labels),
            _among(distant, filter.distant),
            _among(judged.gold, filter.gold),
            _among(pair.pair.strategy.value, filter.strategies),
            _among(pair.pair.phrase, filter.phrases),
            _among(one.domain, filter.domains),
            _within(one.year, filter.years),
            _among(one.split, filter.splits),
            _among(pair.paper, filter.papers),
            not filter.text
            or any(word.startswith(filter.text) if len(filter.text) > 2 else word == filter.text for word in one.words),
            not filter.annotators or bool(filter.annotators & one.by),
            not filter.differing or len({one.own[who] for who in filter.differing if who in one.own}) > 1,
            not filter.tags or bool(filter.tags & (one.tags or {""})),
            not filter.rounds or bool(filter.rounds & (one.rounds or {""})),
            not filter.lists or bool(filter.lists & (one.lists or {""})),
            not filter.outside_lists & (one.lists or {""}),
            filter.flagged in (None, judged.flagged),
            filter.noted in (None, judged.noted),
            filter.contested in (None, judged.contested),
            filter.accepted in (None, judged.accepted),
            filter.edited in (None, one.edited),
            filter.disagrees is None or filter.disagrees == differs,
            _among(one.suggested, filter.suggested),
            filter.suggestion_agrees is None or filter.suggestion_agrees == agrees,
        )
    )


def _among(value: str | None, wanted: frozenset[Any]) -> bool:
    return not wanted or (value or "") in wanted


def _within(value: int | None, limits: tuple[int | None, int | None] | None) -> bool:
    low, high = limits or (None, None)
    if value is None:
        return low is None and high is None
    return (low is None or value >= low) and (high is None or value <= high)


def _some(*members: Any) -> st.SearchStrategy[frozenset[Any]]:
    return st.frozensets(st.sampled_from(members), min_size=1, max_size=3)


_YEAR = st.sampled_from((None, 2018, 2019, 2020))
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": st.sampled_from(WORDS),
    **dict.fromkeys(("labels", "distant", "gold", "suggested"), _some("", *LABELS)),
    "statuses": _some(*PairStatus),
    "strategies": _some(*STRATEGIES),
    "phrases": _some("", "However", "Thus"),
    "domains": _some("", *DOMAINS),
    "years": st.tuples(_YEAR, _YEAR),
    "splits": _some("", "train", "dev", "test"),
    **dict.fromkeys(("annotators", "differing"), _some(*PEOPLE, "imported 01")),
    "tags": _some("", *TAGS),
    "rounds": _some("", "1", "2"),
    **dict.fromkeys(("lists", "outside_lists"), _some("", *LIST_NAMES)),
    **dict.fromkeys(
        ("flagged", "noted", "contested", "accepted", "edited", "disagrees", "suggestion_agrees"), st.booleans()
    ),
}
FACET_FIELDS = (
    *("labels", "distant", "gold", "statuses", "strategies", "phrases", "domains", "years", "splits", "suggested"),
    *("flagged", "noted", "contested", "accepted", "edited", "disagrees", "suggestion_agrees", "papers"),
)
"""The fields whose values are counted under the filter."""
WHOLE_FIELDS = frozenset(FACET_FIELDS) - {"disagrees", "suggestion_agrees", "statuses"}
"""Of these, those of which every pair has one value."""


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    """Up to three conditions of a filter, by its fields."""
    names = draw(st.lists(st.sampled_from(sorted(_VALUES)), max_size=3, unique=True))
    return {name: draw(_VALUES[name]) for name in names}
