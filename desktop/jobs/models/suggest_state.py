"""The state of the Model page: the current suggestions, their model, and the agreement of people and phrases."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from desktop.jobs.models.calibration import Calibration, measure_calibration
from desktop.jobs.models.doubt_record import DOUBTED, DoubtRecord, doubt_record, unanswered_doubts
from desktop.jobs.models.label_noise import known_label_noise
from desktop.jobs.models.registry import ModelChoice, read_choices
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.classifier.libraries import missing_library
from miner.progress import Job, Progress
from storage.models.suggestion_statistics import GroupDoubt, MatrixCell, SuggestionSummary
from storage.models.suggestions import SuggestionRun
from storage.pairs.filters import PairFilter, PairStatus
from storage.project import Project
from storage.stores import Stores

RETRAIN_AFTER = 200  # answers since the model was trained; from then on the page offers to train again

_PAIRS_TO_SUGGEST = PairFilter(statuses=frozenset(PairStatus) - {PairStatus.BAD, PairStatus.GONE})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SuggestState:
    """What the Model page shows.

    shown: the run whose suggestions are shown; None, with empty figures, while there is none. running: a run is
    incomplete, because it is in progress or was interrupted. new_answers: people's answers since the shown model was
    trained. retrain: there are enough of them to train again, and the libraries are installed. noise: rows of
    `known_label_noise`; () while it is not known. doubts: how often they were right, and which are listed. waiting: the
    doubted labels that nobody has answered.
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
    noise: tuple[tuple[float, ...], ...] = ()
    doubts: DoubtRecord = field(default_factory=DoubtRecord)
    waiting: PairFilter = DOUBTED


@read_job("Counting pairs without a suggestion")
def count_without_suggestion(stores: Stores) -> int:
    """How many pairs the model that is shown has not seen, such as new ones, or those of restored papers."""
    return stores.pair_table.count(replace(_PAIRS_TO_SUGGEST, suggested=frozenset({""})))


def load_suggest_state(project: Project) -> Job[SuggestState]:
    """What the Model page shows."""

    def work(progress: Progress) -> SuggestState:
        with project.read_transaction() as stores:
            choices = read_choices(project, stores)
            shown = stores.suggestions.current_run()
            if shown is None:
                pairs = stores.pair_table.count(_PAIRS_TO_SUGGEST)
                return SuggestState(choices, None, False, pairs, pairs, None, None, (), (), (), 0, False)
            record = doubt_record(stores)
            summary = stores.suggestion_statistics.summary(record.listed)
            noise = known_label_noise(stores)
            answers = stores.suggestions.new_answers(_trained_at(stores, shown))
            return SuggestState(
                choices,
                shown,
                stores.suggestions.unfinished_run() is not None,
                summary.suggested + summary.missing,
                summary.missing,
                summary,
                measure_calibration(project, stores, shown),
                tuple(stores.suggestion_statistics.matrix(PairFilter())),
                tuple(stores.suggestion_statistics.by_group("phrase")),
                tuple(stores.suggestion_statistics.by_group("domain")),
                answers,
                answers >= RETRAIN_AFTER and missing_library() is None,
                () if noise is None else tuple(tuple(row) for row in noise.tolist()),
                record,
                unanswered_doubts(stores, record),
            )

    return Job(tr("Reading the suggestions"), work)


def _trained_at(stores: Stores, shown: SuggestionRun) -> datetime:
    """When the model's training began; `_EPOCH` for models from elsewhere, which have learned none of the labels."""
    started = [run.started_at for run in stores.training_runs.all() if run.model_id == shown.model_id]
    return max(started, default=_EPOCH)
