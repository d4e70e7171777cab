"""The project's labelled pairs to evaluate models on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection

from miner.records import Label, Strategy
from storage.convert import read_all
from storage.dataset.gold_rule import VOTED_GOLD
from storage.schema import DATA_SET

_PAIRS = f"""
    SELECT pairs.key, iif(papers.kind = '{DATA_SET}', '', papers.md5) AS paper, papers.domain, pairs.strategy,
        pairs.premise, pairs.hypothesis, {{label}} AS label
    FROM pairs JOIN papers ON papers.id = pairs.paper_id
    WHERE pairs.current AND {{condition}} ORDER BY pairs.key
"""
_ANSWERED = _PAIRS.format(label=VOTED_GOLD, condition=f"{VOTED_GOLD} IS NOT NULL")
_DISTANT = _PAIRS.format(
    label="pairs.distant_label", condition="pairs.status <> 'bad' AND pairs.distant_label IS NOT NULL"
)


class LabelledPair(NamedTuple):
    """A pair with its gold or distant label. paper: its MD5; "" for imported pairs, where papers are not known."""

    key: str
    paper: str
    domain: str
    strategy: Strategy
    premise: str
    hypothesis: str
    label: Label


class LabelledPairStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def answered(self) -> Iterator[LabelledPair]:
        """Current pairs with a gold label (`storage.dataset.gold_rule`), by key; read it within the transaction.

        Without those settled by accepted suggestions alone: with them, a model would be compared with itself.
        """
        return self._read(_ANSWERED)

    def distant(self) -> Iterator[LabelledPair]:
        """Current pairs with their distant label, whatever people answered, without bad ones; by key."""
        return self._read(_DISTANT)

    def _read(self, sql: str) -> Iterator[LabelledPair]:
        yield from read_all(LabelledPair, self._connection.exec_driver_sql(sql))
