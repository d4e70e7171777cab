"""The project's labelled pairs for the data sets of experiments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection

from miner.records import Strategy
from storage.convert import read_all
from storage.dataset.export_options import ExportOptions
from storage.dataset.gold_rule import GOLD, VOTED_GOLD
from storage.models.training_parts import TrainingPart, assign_parts
from storage.pairs.current_suggestions import LABEL_NAME, PROBABILITY_SCALE, SUGGESTIONS_ON_PAIR
from storage.pairs.filters import PairFilter
from storage.pairs.query import PairQueryCompiler

_PAIRS = f"""
    SELECT pairs.key, papers.md5 AS paper, premise, hypothesis, distant_label AS distant, {VOTED_GOLD} AS gold,
        {GOLD} IS NOT NULL AND accepted AS accepted, strategy, coalesce(phrase, '') AS phrase, domain,
        premise_words + hypothesis_words AS words, coalesce(part, '{TrainingPart.TRAIN}') AS part,
        iif(strategy = '{Strategy.IMPLICIT}' AND status = 'open', {LABEL_NAME}, NULL) AS suggested,
        coalesce(suggestions.confidence, 0) / {PROBABILITY_SCALE}.0 AS confidence
    FROM papers CROSS JOIN pairs INDEXED BY pairs_in_order ON pairs.paper_id = papers.id
    LEFT JOIN {SUGGESTIONS_ON_PAIR} LEFT JOIN temp.parts ON parts.pair_id = pairs.id
    WHERE pairs.current AND status IN ('open', 'settled') AND {{filter}}
    ORDER BY papers.md5, pairs.ordinal
"""


class ExperimentPair(NamedTuple):
    """A pair with all labels it has. paper: its MD5. words: of both sentences.

    accepted: its gold label is a model's that somebody accepted, so it is in `suggested` alone. suggested, confidence:
    of an unlinked neighbour that nobody has answered, from 0.0 to 1.0. part: the split it belongs to, or SHARED.
    """

    key: str
    paper: str
    premise: str
    hypothesis: str
    distant: str | None
    gold: str | None
    accepted: bool
    strategy: str
    phrase: str
    domain: str
    words: int
    part: TrainingPart
    suggested: str | None
    confidence: float


class ExperimentPairStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def select(self, filter: PairFilter, export_options: ExportOptions | None) -> Iterator[ExperimentPair]:
        """The filter's current pairs by MD5 of the paper, then by ordinal; read the iterator within the transaction.

        Left out is what is bad, what people did not agree on, and what the gold rule discards. A pair's part is the
        split it was imported with, else the one that an export with `export_options` gives it.
        """
        assign_parts(self._connection, export_options)
        condition = PairQueryCompiler(self._connection).condition(filter)
        rows = self._connection.exec_driver_sql(_PAIRS.format(filter=f"({condition.sql})"), condition.params)
        yield from read_all(ExperimentPair, rows)
