"""The stock of papers at a glance: counted by field, year, language and the like, and what gives no pairs, and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection

from miner.records import OTHER_LANGUAGE, Strategy
from storage.mining.runs import MiningRunState
from storage.pairs.journals import all_spellings, shown_spellings
from storage.schema import DATA_SET


class PaperProperty(StrEnum):
    """What papers are counted by. TO_CHECK: a field that a person should check. NO_PAIRS: why a paper has none.

    FAILED: the code of a file that could not be read.
    """

    DOMAIN = "domain"
    YEAR = "year"
    JOURNAL = "journal"
    LANGUAGE = "language"
    LICENCE = "licence"
    PARSER = "parser"
    TO_CHECK = "to_check"
    NO_PAIRS = "no_pairs"
    FAILED = "failed"


class PaperGroup(NamedTuple):
    """The papers, or failed files, that have this value; "" for no value. Values of NO_PAIRS: see `NoPairsReason`."""

    property: PaperProperty
    value: str


class NoPairsReason(StrEnum):
    """Why a mined paper has no pairs; or a reason of `miner.mining.drop_reasons`, for which most candidates of linked
    pairs were dropped."""

    OTHER_LANGUAGE = OTHER_LANGUAGE
    ONLY_ABSTRACT = "only_abstract"
    TOO_SHORT = "too_short"
    NO_PHRASE = "no_phrase"


SHORT = 20
"""A paper of fewer sentences, none of which starts with a linking phrase, is too short."""
_NOT_REPLACED = f"FROM mining_runs WHERE state != '{MiningRunState.REPLACED}'"
_OF_RUN = f"f.paper_id = p.id AND f.run = (SELECT number {_NOT_REPLACED}) AND f.count > 0"
_IS_PAPER = f"p.kind != '{DATA_SET}'"
_PROSE = "FROM paragraphs g WHERE g.paper_id = p.id"
_NO_PAIRS = f"""CASE
    WHEN p.md5 > coalesce((SELECT mined_to {_NOT_REPLACED}), '') THEN NULL
    WHEN EXISTS (SELECT 1 FROM funnel f WHERE {_OF_RUN} AND f.outcome = 'kept') THEN NULL
    WHEN p.language NOT IN ('', 'en') THEN '{NoPairsReason.OTHER_LANGUAGE}'
    ELSE coalesce(
        (SELECT f.reason FROM funnel f WHERE {_OF_RUN} AND f.strategy = '{Strategy.LINKED}' AND f.outcome = 'dropped'
            ORDER BY f.count DESC, f.reason LIMIT 1),
        CASE
            WHEN NOT EXISTS (SELECT 1 FROM sections s WHERE s.paper_id = p.id AND s.kind != 'abstract')
                THEN '{NoPairsReason.ONLY_ABSTRACT}'
            WHEN (SELECT count(*) {_PROSE}) < {SHORT}
                AND (SELECT coalesce(sum(json_array_length(g.sentences)), 0) {_PROSE}) < {SHORT}
                THEN '{NoPairsReason.TOO_SHORT}'
            ELSE '{NoPairsReason.NO_PHRASE}'
        END)
END"""
_VALUES = {  # of a paper
    PaperProperty.DOMAIN: "p.domain",
    PaperProperty.YEAR: "coalesce(p.year, '')",
    PaperProperty.JOURNAL: "p.journal",
    PaperProperty.LANGUAGE: "p.language",
    PaperProperty.LICENCE: "p.licence",
    PaperProperty.PARSER: "p.parser",
    PaperProperty.NO_PAIRS: _NO_PAIRS,
}
_UNCHECKED = "json_each(p.to_check) c WHERE c.value NOT IN (SELECT e.value FROM json_each(p.edited) e)"
_COUNT = f"SELECT {{value}} AS value, count(*) FROM papers p WHERE {_IS_PAPER} GROUP BY 1 HAVING value IS NOT NULL"
_COUNT_UNCHECKED = f"""
    SELECT c.value, count(*) FROM papers p, {_UNCHECKED} AND p.to_check != '[]' AND {_IS_PAPER} GROUP BY 1
"""
_COUNT_FAILED = "SELECT code, count(*) FROM files WHERE code IS NOT NULL GROUP BY 1"

Counts = Mapping[str, int]
"""How many papers have each value, those with most first."""


class StockStore:
    """Counts the papers of the project, and its failed files."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def counts(self) -> dict[PaperProperty, Counts]:
        """By all properties. Years in descending order, all else by number. Papers with pairs have no NO_PAIRS."""
        return {one: self.counts_by(one) for one in PaperProperty}

    def why_no_pairs(self, id: int) -> str:
        """Why this paper has no pairs, as a value of NO_PAIRS; "" where it has some or is not mined yet."""
        query = f"SELECT {_NO_PAIRS} FROM papers p WHERE p.id = ? AND {_IS_PAPER}"
        return self._connection.exec_driver_sql(query, (id,)).scalar() or ""

    def other_languages(self) -> Counts:
        """How many papers are in other languages than English, by language."""
        found = self.counts_by(PaperProperty.LANGUAGE)
        return {language: number for language, number in found.items() if language not in ("", "en")}

    def counts_by(self, one: PaperProperty) -> Counts:
        shown = shown_spellings(self._connection) if one is PaperProperty.JOURNAL else {}
        counts = Counter[str]()
        for value, number in self._connection.exec_driver_sql(_statement(one)):
            counts[shown.get(value, str(value))] += number
        found = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
        return dict(sorted(found, reverse=True) if one is PaperProperty.YEAR else found)


def group_condition(connection: Connection, group: PaperGroup) -> tuple[str, list[str]]:
    """The condition that a paper `p` is in the group, and its parameters; of FAILED, that a file `f` is."""
    if group.property is PaperProperty.FAILED:
        return "f.code = ?", [group.value]
    if group.property is PaperProperty.TO_CHECK:
        return f"p.to_check != '[]' AND EXISTS (SELECT 1 FROM {_UNCHECKED} AND c.value = ?)", [group.value]
    if group.property is PaperProperty.JOURNAL:
        spellings = sorted(all_spellings(connection, [group.value]))
        return f"{_IS_PAPER} AND p.journal IN (SELECT value FROM json_each(?))", [json.dumps(spellings)]
    return f"{_IS_PAPER} AND CAST({_VALUES[group.property]} AS TEXT) = ?", [group.value]


def _statement(one: PaperProperty) -> str:
    if one is PaperProperty.FAILED:
        return _COUNT_FAILED
    return _COUNT_UNCHECKED if one is PaperProperty.TO_CHECK else _COUNT.format(value=_VALUES[one])
