"""Made-up suggestions of a model for every pair of a project."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random

from miner.records import Label
from storage.models.registry import ModelKind
from storage.models.suggestions import NewSuggestion, PairToScore
from storage.project import Project

Opinion = Callable[[PairToScore], tuple[float, ...]]


def probabilities_for(label: Label, share: float = 0.82) -> tuple[float, ...]:
    """Probabilities by class with `share` for `label`."""
    rest = (1 - share) / (len(Label) - 1)
    return tuple(share if other is label else rest for other in Label)


def distant_label_opinion(wanted: PairToScore) -> tuple[float, ...]:
    """An opinion that agrees with the distant label."""
    return probabilities_for(wanted.distant or Label.NEUTRAL)


def mixed_opinion(wanted: PairToScore) -> tuple[float, ...]:
    """An opinion that mostly agrees with the distant label; always the same for a pair."""
    draw = Random(wanted.key)
    likely = wanted.distant if wanted.distant and draw.random() < 0.8 else draw.choice(list(Label))
    weights = [draw.random() ** 2 + (draw.uniform(1, 9) if label is likely else 0.0) for label in Label]
    return tuple(weight / sum(weights) for weight in weights)


def suggest(project: Project, opinion: Opinion = mixed_opinion, *, model: str = "starter", limit: int = 100_000) -> int:
    """Store suggestions of a model with this name as the current ones; their number."""
    now = datetime.now(UTC)
    with project.transaction() as stores:
        id = stores.models.enter(f"digest of {model}", model, ModelKind.STARTER, "", {}, tuple(Label))
        run = stores.suggestions.begin(
            id, 1.0, arithmetic="cpu fp32", program="tests", at=now, held_out=True, again=True
        )
        wanted = stores.suggestions.missing(run, limit=limit)
        stores.suggestions.put(run, [_new_suggestion(one, opinion(one)) for one in wanted])
        stores.suggestions.complete(run, now)
    return len(wanted)


def _new_suggestion(wanted: PairToScore, probabilities: tuple[float, ...]) -> NewSuggestion:
    if wanted.distant is None:
        return NewSuggestion(wanted, probabilities)
    own = probabilities[list(Label).index(wanted.distant)]
    others = [share for label, share in zip(Label, probabilities, strict=True) if label is not wanted.distant]
    return NewSuggestion(wanted, probabilities, 1 - own, own - max(others))
