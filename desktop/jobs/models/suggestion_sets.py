"""Suggestions that say less where the model knows less: one class, two, or none, by a promise that people choose.

numpy is imported only where the sets are estimated, so that the window's thread can import this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop.jobs.transactions import read_job
from desktop.settings import MISSED_PERCENTS
from desktop.text import either
from desktop.translation import tr
from miner.classifier.conformal import least_probabilities, likely_classes
from miner.classifier.examples import LABELS
from miner.records import Label
from storage.project import Project
from storage.settings import SUGGESTION_SETS, SuggestionSets
from storage.stores import Stores

if TYPE_CHECKING:
    from miner.classifier.checkpoints import Checkpoint
    from storage.models.suggestions import SuggestionRun

MIN_OF_CLASS = 50
"""Answers of each class, from which on they are the held-out pairs; with fewer, those of the model's card are."""
_MOST_NAMED = 2  # classes; of more, a suggestion says nothing


def estimate_sets(project: Project, run: SuggestionRun, model: Checkpoint) -> None:
    """Store from which probability on each class belongs to the suggestions of `run`, the current one."""
    from desktop.jobs.models.calibration import card_temperature, held_out_answers
    from miner.libraries import np

    with project.read_transaction() as stores:
        pairs = held_out_answers(project, stores, run)
    counts = Counter(pair.gold for pair in pairs)
    sets = None
    if min(counts[label] for label in LABELS) >= MIN_OF_CLASS:
        rows = np.array([pair.probabilities for pair in pairs])
        gold = np.array([LABELS.index(pair.gold) for pair in pairs])
        least = {str(percent): least_probabilities(rows, gold, percent / 100) for percent in MISSED_PERCENTS if percent}
        sets = SuggestionSets(run.id, least, answers=len(pairs))
    elif model.card is not None and model.card.least_probabilities:
        power = run.temperature / card_temperature(model)
        sets = SuggestionSets(run.id, dict(model.card.least_probabilities), power=power)
    with project.transaction() as stores:
        stores.settings.put(SUGGESTION_SETS, sets)


@read_job("Reading the suggestions")
def load_sets(stores: Stores) -> SuggestionSets | None:
    """The sets of the current suggestions; None if there are none."""
    sets, run = stores.settings.get(SUGGESTION_SETS), stores.suggestions.current_run()
    return sets if sets is not None and run is not None and sets.run == run.id else None


def likely_labels(probabilities: Sequence[float], sets: SuggestionSets, percent: int) -> tuple[Label, ...]:
    """The classes of which the true one is missing in at most `percent` of such pairs, the most probable first."""
    powers = [share**sets.power for share in probabilities]
    total = sum(powers) or 1.0
    found = likely_classes([power / total for power in powers], sets.least[str(percent)])
    return tuple(LABELS[number] for number in found)


def likely_text(probabilities: Sequence[float], sets: SuggestionSets | None, percent: int) -> str:
    """Such as "contrasting or reasoning", or "not sure"; "" without sets, or at 0 %, which always names one class."""
    if sets is None or str(percent) not in sets.least or not probabilities:
        return ""
    found = likely_labels(probabilities, sets, percent)
    if not 1 <= len(found) <= _MOST_NAMED:
        return tr("not sure")
    return either([label.value for label in found]) if len(found) > 1 else found[0].value
