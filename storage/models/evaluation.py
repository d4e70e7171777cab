"""Labelled pairs of the project, for evaluating models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection

from miner.records import Label, Strategy
from storage.errors import translate_decoding_errors
from storage.schema import DATA_SET

_PAIRS = f"""
    SELECT pairs.key, iif(papers.kind = '{DATA_SET}', '', papers.md5), papers.domain, pairs.strategy, pairs.premise,
        pairs.hypothesis, {{label}}
    FROM pairs JOIN papers ON papers.id = pairs.paper_id
    WHERE pairs.current AND {{condition}} ORDER BY pairs.key
"""
_ANSWERED = _PAIRS.format(label="pairs.gold", condition="pairs.status = 'settled' AND NOT pairs.accepted")
_DISTANT = _PAIRS.format(
    label="pairs.distant_label", condition="pairs.status <> 'bad' AND pairs.distant_label IS NOT NULL"
)


class LabelledPair(NamedTuple):
    """A pair with its gold or distant label; `paper` is an MD5, "" in imported files, which tell no papers apart."""

    key: str
    paper: str
    domain: str
    strategy: Strategy
    premise: str
    hypothesis: str
    label: Label


class EvaluationStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def answered(self) -> Iterator[LabelledPair]:
        """Current pairs that people settled themselves, with their gold label, by key; read within the transaction.

        Not those that are settled by accepted suggestions alone: they would measure the model by itself.
        """
        return self._read(_ANSWERED)

    def distant(self) -> Iterator[LabelledPair]:
        """Current pairs with a distant label, whatever people answered, except bad ones."""
        return self._read(_DISTANT)

    def _read(self, sql: str) -> Iterator[LabelledPair]:
        with translate_decoding_errors():
            for key, paper, domain, strategy, premise, hypothesis, label in self._connection.exec_driver_sql(sql):
                yield LabelledPair(key, paper, domain, Strategy(strategy), premise, hypothesis, Label(label))
