"""All stores of a project: what it holds, by kind, within one transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cached_property, partial
from typing import TypeVar

from sqlalchemy import Connection

from miner.progress import Progress
from storage.annotation.adjudication import AdjudicationStore
from storage.annotation.annotation_rounds import AnnotationRoundStore
from storage.annotation.annotators import AnnotatorStore
from storage.annotation.answers import AnswerStore
from storage.annotation.history import ActionStore
from storage.annotation.kinds import KindStore
from storage.annotation.lacking_votes import LackingVoteStore
from storage.annotation.marks import MarkStore
from storage.annotation.merge_ledger import MergeLedger
from storage.annotation.merging import MergeStore
from storage.annotation.precision_draw import PrecisionDrawStore
from storage.annotation.precision_samples import PrecisionSampleStore
from storage.annotation.queues import QueueStore
from storage.annotation.round_draw import RoundDrawStore
from storage.annotation.rounds import RoundStore
from storage.annotation.sent_assignments import SentAssignmentStore
from storage.annotation.texts import TextStore
from storage.annotation.votes import VoteStore
from storage.connections import cancellable
from storage.dataset.audit_counts import AuditStore
from storage.dataset.gold_rule import GoldStore
from storage.dataset.split_counts import SplitCountStore
from storage.dataset.statistics import DataSetStatisticsStore
from storage.lab.cell_names import name_cells
from storage.lab.cell_predictions import CellPredictionStore
from storage.lab.experiment_pairs import ExperimentPairStore
from storage.lab.experiments import ExperimentStore
from storage.lab.forgotten_experiments import ForgottenExperimentStore
from storage.lab.misread_pairs import MisreadPairStore
from storage.lab.tested_pairs import TestPartStore
from storage.mining.runs import MiningRunStore
from storage.models.labelled_pairs import LabelledPairStore
from storage.models.predictions import PredictionStore
from storage.models.registry import ModelStore
from storage.models.suggestion_statistics import SuggestionStatisticsStore
from storage.models.suggestions import SuggestionStore
from storage.models.training_runs import TrainingRunStore
from storage.pairs.lists import PairListStore
from storage.pairs.selection import SelectionStore
from storage.pairs.statistics import StatisticsStore
from storage.pairs.store import PairStore
from storage.pairs.table import PairTableStore
from storage.papers.duplicates import DuplicateStore
from storage.papers.edits import PaperEditStore
from storage.papers.evidence import EvidenceStore
from storage.papers.files import FileStore
from storage.papers.parser_cache import ParserCache
from storage.papers.released_papers import ReleasedPaperStore
from storage.papers.removals import PaperRemovalStore
from storage.papers.stock import StockStore
from storage.papers.store import PaperStore
from storage.papers.table import PaperTableStore
from storage.settings import ProjectSettingStore

S = TypeVar("S")


def _store(make: Callable[[Connection], S]) -> cached_property[S]:
    """An attribute of `Stores`, created when it is first read: a transaction uses few of them."""
    return cached_property(lambda stores: make(stores._connection))


class Stores:
    """All data of the project, within one transaction: a store for each kind."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection  # for storage's own modules

    papers = _store(PaperStore)
    paper_edits = _store(PaperEditStore)
    paper_removals = _store(PaperRemovalStore)
    released_papers = _store(ReleasedPaperStore)
    duplicates = _store(DuplicateStore)
    files = _store(FileStore)
    paper_table = _store(PaperTableStore)
    stock = _store(StockStore)
    pairs = _store(PairStore)
    pair_table = _store(partial(PairTableStore, name_cells=name_cells))
    selection = _store(SelectionStore)
    answers = _store(AnswerStore)
    marks = _store(MarkStore)
    texts = _store(TextStore)
    annotators = _store(AnnotatorStore)
    votes = _store(VoteStore)
    actions = _store(ActionStore)
    rounds = _store(RoundStore)
    queues = _store(QueueStore)
    sent_assignments = _store(SentAssignmentStore)
    merging = _store(MergeStore)
    merge_ledger = _store(MergeLedger)
    annotation_rounds = _store(AnnotationRoundStore)
    round_draws = _store(RoundDrawStore)
    lacking_votes = _store(LackingVoteStore)
    adjudication = _store(AdjudicationStore)
    precision_samples = _store(PrecisionSampleStore)
    precision_draws = _store(PrecisionDrawStore)
    gold = _store(GoldStore)
    split_counts = _store(SplitCountStore)
    mining_runs = _store(MiningRunStore)
    parser_cache = _store(ParserCache)
    settings = _store(ProjectSettingStore)
    evidence = _store(EvidenceStore)
    statistics = _store(StatisticsStore)
    data_set_statistics = _store(DataSetStatisticsStore)
    models = _store(ModelStore)
    training_runs = _store(TrainingRunStore)
    suggestions = _store(SuggestionStore)
    suggestion_statistics = _store(SuggestionStatisticsStore)
    labelled_pairs = _store(LabelledPairStore)
    experiment_pairs = _store(ExperimentPairStore)
    experiments = _store(ExperimentStore)
    test_parts = _store(TestPartStore)
    cell_predictions = _store(CellPredictionStore)
    forgotten_experiments = _store(ForgottenExperimentStore)
    misread_pairs = _store(MisreadPairStore)
    kinds = _store(KindStore)
    predictions = _store(PredictionStore)
    pair_lists = _store(PairListStore)
    audit = _store(AuditStore)

    def cancellable(self, progress: Progress) -> AbstractContextManager[None]:
        """Queries inside end with `Cancelled` when the job is cancelled, however long they would take."""
        return cancellable(self._connection, progress)
