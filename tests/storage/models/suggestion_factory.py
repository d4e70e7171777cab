"""Suggestions for tests: a model, its runs, and what it says of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from miner.records import Answer, Label, Suggestion
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.models.registry import ModelKind
from storage.models.suggestions import NewSuggestion, PairToScore
from storage.pairs.filters import PairFilter, PairOrder, PairStatus
from storage.project import Project

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def enter_model(project: Project, name: str = "starter") -> int:
    with project.transaction() as stores:
        return stores.models.enter(name * 4, name, ModelKind.FOLDER, f"/models/{name}", {"name": name}, tuple(Label))


def begin(
    project: Project, model: int, *, temperature: float = 1.5, arithmetic: str = "cpu fp32", again: bool = False
) -> int:
    with project.transaction() as stores:
        return stores.suggestions.begin(model, temperature, arithmetic=arithmetic, program="1", at=NOW, again=again)


def missing(project: Project, run: int) -> list[PairToScore]:
    with project.read_transaction() as stores:
        found = stores.suggestions.missing(run)
        assert stores.suggestions.count_missing(run) == len(found)
        return found


def new_suggestion(to_score: PairToScore, label: Label, confidence: float = 0.7) -> NewSuggestion:
    """A suggestion with this confidence in the label; the other three labels are equally likely."""
    shares = [confidence if one is label else (1 - confidence) / 3 for one in Label]
    doubt = None if to_score.distant is None else 1 - shares[list(Label).index(to_score.distant)]
    return NewSuggestion(to_score, tuple(shares), doubt, None if doubt is None else 0.25, 1)


def put(project: Project, run: int, suggestions: Iterable[NewSuggestion]) -> int:
    with project.transaction(bulk=True) as stores:
        return stores.suggestions.put(run, list(suggestions))


def complete(project: Project, run: int) -> None:
    with project.transaction() as stores:
        stores.suggestions.complete(run, NOW)


def suggest(project: Project, name: str = "starter", label: Label = Label.REASONING, confidence: float = 0.7) -> int:
    """All pairs as `label`, by a complete run."""
    run = begin(project, enter_model(project, name))
    put(project, run, [new_suggestion(to_score, label, confidence) for to_score in missing(project, run)])
    complete(project, run)
    return run


def current(project: Project) -> dict[str, Suggestion]:
    """By the pairs' keys."""
    with project.read_transaction() as stores:
        ids = stores.pair_table.ids(PairFilter(statuses=frozenset(PairStatus)))
        found = stores.suggestions.of_pairs(ids)
        keys = dict(zip(ids, stores.pair_table.keys(ids), strict=True))
    return {keys[id]: suggestion for id, suggestion in found.items()}


def answer(
    project: Project, key: str, given: Answer | None, who: str = "anna", via: AnswerSource = AnswerSource.ANSWER
) -> None:
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, who, NOW, given, via)])


def keys_in_order(project: Project, filter: PairFilter | None = None, order: PairOrder | None = None) -> list[str]:
    with project.read_transaction() as stores:
        ids = stores.pair_table.ids(filter or PairFilter(), order or PairOrder())
        return stores.pair_table.keys(ids)
