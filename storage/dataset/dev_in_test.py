"""Pairs of dev that share a sentence with test, so that an export leaves them out: see `held_out_sentences`.

Sentences that are only nearly the same take minutes to find, and are not looked for here.
"""

from __future__ import annotations

from sqlalchemy import Connection

from miner.mining.identity import sentence_hash
from miner.splits import HELD_OUT
from storage.connections import driver_connection
from storage.dataset.gold_rule import GOLD_PAIRS
from storage.dataset.sentences import HASH_COLUMNS
from storage.pairs.judgement import IS_SPLIT, PILOT_KEYS

_ALL = """
    papers CROSS JOIN pairs INDEXED BY pairs_in_order ON pairs.paper_id = papers.id WHERE pairs.current
"""
_WITH_GOLD = f"""
    SELECT id FROM ({GOLD_PAIRS}) AS found
    WHERE voted IS NOT NULL AND found.split IN {HELD_OUT} AND found.key NOT IN ({PILOT_KEYS})
"""
_IN_ROUNDS = """
    SELECT pairs.id FROM annotation_round_pairs CROSS JOIN pairs ON pairs.key = pair_key WHERE pairs.split = 'dev'
"""
_OF_ROUNDS = f"pairs WHERE pairs.current AND pairs.id IN ({_WITH_GOLD} UNION ALL {_IN_ROUNDS})"
_SENTENCES = f"SELECT pairs.key, {HASH_COLUMNS} FROM {{compared}} AND pairs.split = ?"


def find_dev_in_test(connection: Connection) -> frozenset[str]:
    """The keys of all pairs of dev that share a sentence with a pair of test, which may get a gold label one day.

    Without a split of the project there are none.
    """
    return _find(connection, _ALL)


def find_gold_in_test(connection: Connection) -> frozenset[str]:
    """Those of the pairs with a gold label or in a round that share a sentence with a pair of test with a gold label.

    A release has none of them.
    """
    return _find(connection, _OF_ROUNDS)


def _find(connection: Connection, compared: str) -> frozenset[str]:
    if not connection.exec_driver_sql(f"SELECT {IS_SPLIT}").scalar_one():
        return frozenset()
    driver = driver_connection(connection)
    driver.create_function("sentence_hash", 1, sentence_hash, deterministic=True)
    statement = _SENTENCES.format(compared=compared)
    of_test = {sentence for _, *sentences in driver.execute(statement, ("test",)) for sentence in sentences}
    of_dev = driver.execute(statement, ("dev",))
    return frozenset(key for key, *sentences in of_dev if not of_test.isdisjoint(sentences))
