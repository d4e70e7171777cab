"""A model's opinion on every pair: computed in a process of its own, written piece by piece while one looks on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.jobs.models import ModelChoice
from miner.progress import Job
from miner.records import Label
from storage.changes import Changes
from storage.project import Project

if TYPE_CHECKING:
    from storage.suggestions import GroupDoubt, MatrixCell, SuggestionRun, SuggestionSummary

RETRAIN_AFTER = 200  # answers since the model was made: then it is offered to train again

Watch = Callable[
    [int, int], None
]  # pairs that have a suggestion, of how many; after each piece on disk, from the job's thread


@dataclass(frozen=True, slots=True)
class SuggestOptions:
    """`model`: "starter", a training run's name, a folder, or a hub name. `labels`: the order of a foreign classifier's
    classes where it does not say. `again`: compute all pairs anew, also those that have a suggestion of this model.
    """

    model: str = "starter"
    labels: tuple[Label, ...] | None = None
    device: str = "auto"
    again: bool = False


@dataclass(frozen=True, slots=True)
class Suggested:
    """What came of it: `pairs` have a suggestion, of which `new` were computed now.

    `temperature` is the card's, or fitted on the answers (`calibrated_on` of them; then `ece` is the calibration error
    on answers that were not fitted on, 0 to 1). `gone`: pairs removed or changed meanwhile.
    """

    model: str
    pairs: int
    new: int
    seconds: float
    device: str
    notes: tuple[str, ...]
    temperature: float
    calibrated_on: int
    ece: float | None
    changes: Changes


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the shown suggestions did on the `n` pairs that people answered (accepted suggestions do not count); 0 to 1."""

    n: int
    accuracy: float
    macro_f1: float
    ece: float


@dataclass(frozen=True, slots=True)
class SuggestState:
    """What the Suggest page shows. `shown` None: nothing was suggested yet.

    `trained_at` etc. are in `choices`; `new_answers`: people's answers since the shown model was made, `retrain`: they
    are enough to offer training again.
    """

    choices: tuple[ModelChoice, ...]
    shown: SuggestionRun | None
    running: bool
    pairs: int
    missing: int
    summary: SuggestionSummary | None
    calibration: Calibration | None
    matrix: tuple[MatrixCell, ...]
    phrases: tuple[GroupDoubt, ...]
    domains: tuple[GroupDoubt, ...]
    new_answers: int
    retrain: bool


def suggest(project: Project, options: SuggestOptions | None = None, watch: Watch | None = None) -> Job[Suggested]:
    """Have a model judge all pairs it has not judged; those of another model stay shown until all are there.

    Cancelled, or killed: what is on disk stays, and the same call goes on from there. `UserError` where the model
    cannot be used.
    """
    raise NotImplementedError


def suggest_state(project: Project) -> Job[SuggestState]:
    """All that the Suggest page shows."""
    raise NotImplementedError


def warm(project: Project, model: str = "starter") -> Job[None]:
    """Start the process that judges and load the model into it, so that the first suggestions come at once."""
    raise NotImplementedError


def cool() -> None:
    """End that process, if there is one; at the window's end, or when its project is closed."""
    raise NotImplementedError
