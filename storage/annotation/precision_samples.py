"""The sample from which the precision of the distant labels is estimated: stored draws, and what people said of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from miner import codec
from miner.precision.report import PrecisionReport, report_precision
from miner.precision.sampling import PrecisionPair, chances, permanent_number
from miner.precision.strata import LABELS, LabelGroup
from miner.records import Answer, Label
from storage.annotation.annotators import ESTIMATE_ROLES, Role
from storage.connections import driver_connection
from storage.convert import read_all, read_part
from storage.dataset.gold_rule import MAJORITY_LABEL
from storage.errors import translate_decoding_errors
from storage.pairs.current_suggestions import (
    CURRENT_RUN_ID,
    PROBABILITY_COLUMNS,
    PROBABILITY_SCALE,
    SUGGESTIONS_ON_PAIR,
)
from storage.pairs.facets import CURRENT_BIT, FACETS, PACKED_FACETS
from storage.schema import PrecisionDrawRow, PrecisionSampleRow

_PER_PERCENT = PROBABILITY_SCALE // 100
_DISTANT = FACETS["distant"].sql
_OF_DISTANT = " ".join(f"WHEN {number} THEN suggestions.{name}" for number, name in enumerate(PROBABILITY_COLUMNS, 1))
PERCENT = (
    f"iif(suggestions.doubt IS NULL, NULL, (CASE {_DISTANT} {_OF_DISTANT} END + {_PER_PERCENT // 2}) / {_PER_PERCENT})"
)
"""The probability of the distant label in whole percent, by a model that has not learned it; NULL if there is none."""
_OF_DOMAINS = "(:domains = '[]' OR papers.domain IN (SELECT value FROM json_each(:domains)))"
# Counted in Python, see `storage.pairs.statistics`.
_SELECT_GROUPS = f"""
    SELECT papers.domain, {_DISTANT} - 1, coalesce(pairs.phrase, ''), {PERCENT}
    FROM pairs INDEXED BY pairs_in_order JOIN papers ON papers.id = paper_id LEFT JOIN {SUGGESTIONS_ON_PAIR}
    WHERE ({PACKED_FACETS}) & {CURRENT_BIT} AND {_DISTANT} AND {_OF_DOMAINS}
"""
FRAME = f"""
    FROM pairs JOIN papers ON papers.id = paper_id LEFT JOIN {SUGGESTIONS_ON_PAIR}
    WHERE pairs.current AND pairs.distant_label IS NOT NULL AND {_OF_DOMAINS}
"""
"""The pairs that a draw is made from; its parameter `domains` is JSON, [] for all."""
_SAMPLED = "SELECT pair_key, json_group_array(json_array(draw, probability)) AS probabilities FROM precision_sample"
_NAMED = "SELECT value AS pair_key, '[]' AS probabilities FROM json_each(?)"
_ESTIMATES_ONLY = ", ".join(f"'{role}'" for role in ESTIMATE_ROLES)
_SELECT_OPINIONS = f"""
    WITH wanted AS MATERIALIZED ({{wanted}} GROUP BY pair_key)
    SELECT pairs.key, pairs.distant_label AS label, papers.domain, coalesce(pairs.phrase, '') AS phrase,
        {PERCENT} AS percent, suggestions.pair IS NOT NULL AND suggestions.doubt IS NULL AS has_learned,
        wanted.probabilities, pairs.status = 'bad' AS is_bad,
        iif(pairs.accepted, NULL, {MAJORITY_LABEL}) AS majority, (
            SELECT json_group_array(answer) FROM answers LEFT JOIN annotators ON annotators.key = annotator
            WHERE pair_key = pairs.key AND via = 'answer'
                AND coalesce(role, '{Role.ANNOTATOR}') NOT IN ({_ESTIMATES_ONLY})
        ) AS answers
    FROM wanted CROSS JOIN pairs ON pairs.key = wanted.pair_key JOIN papers ON papers.id = pairs.paper_id
    LEFT JOIN {SUGGESTIONS_ON_PAIR}
    WHERE pairs.current AND pairs.distant_label IS NOT NULL
"""
_COUNT_ADDED = f"""
    SELECT count(*) FROM pairs JOIN papers ON papers.id = paper_id
    WHERE pairs.id > coalesce((SELECT value FROM json_each(:last_by_domain) WHERE key = papers.domain), :last)
        AND pairs.current AND pairs.distant_label IS NOT NULL AND {_OF_DOMAINS}
"""
_REPEATED = """
    SELECT count(*), total(first = last) FROM (
        SELECT min(answer) AS first, max(answer) AS last FROM answers JOIN pairs ON pairs.key = pair_key AND current
        WHERE via = 'answer' GROUP BY pair_key HAVING count(*) > 1
    )
"""
_MODEL = f"""
    SELECT name FROM models WHERE id = (SELECT model_id FROM suggestion_runs WHERE id = {CURRENT_RUN_ID})
"""


@dataclass(frozen=True, slots=True)
class PrecisionDraw:
    """A draw. seed: of the permanent random numbers. domains: what it is limited to; empty for all.

    pairs: how many it is made from. last_pair: the highest id that a pair has had. probabilities: of its pairs in the
    sample, by key, also of those from earlier draws.
    """

    seed: int
    domains: tuple[str, ...]
    pairs: int
    last_pair: int
    probabilities: dict[str, float]


class PairOpinion(NamedTuple):
    """A pair and what people said of it. has_learned: the model that suggests has learned its label.

    percent: as `LabelGroup` has it. probabilities: by draw. answers: without those of experts and laypeople.
    """

    key: str
    label: Label
    domain: str
    phrase: str
    percent: int | None
    has_learned: bool
    probabilities: tuple[tuple[int, float], ...]
    is_bad: bool
    majority: Label | None
    answers: tuple[Answer, ...]

    @property
    def is_right(self) -> bool | None:
        """Whether the distant label is right; None if people have not said.

        By the label that people agree on, else by the answer that most gave: “unclear” and a tie confirm no label. A
        bad pair has no right label.
        """
        if self.is_bad:
            return False
        if self.majority is not None:
            return self.majority == self.label
        if not self.answers:
            return None
        (answer, most), *others = Counter(self.answers).most_common(2)
        return answer.value == self.label.value and not any(count == most for _, count in others)


class PrecisionSampleStore:
    """Stores draws, and measures precision by their pairs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def seed(self) -> int | None:
        """The seed of the sample; None before the first draw."""
        return self._connection.scalar(select(PrecisionDrawRow.seed).order_by(PrecisionDrawRow.id).limit(1))

    def add(self, draw: PrecisionDraw) -> None:
        """Store a draw."""
        values = {
            "seed": draw.seed,
            "domains": codec.encode(draw.domains),
            "pairs": draw.pairs,
            "last_pair": draw.last_pair,
        }
        id = self._connection.execute(
            insert(PrecisionDrawRow).values(**values).returning(PrecisionDrawRow.id)
        ).scalar_one()
        rows = [{"draw": id, "pair_key": key, "probability": one} for key, one in sorted(draw.probabilities.items())]
        if rows:
            self._connection.execute(insert(PrecisionSampleRow), rows)

    def sample(self) -> list[PrecisionPair]:
        """The pairs of all draws that are still in the project, in the order in which they are to be answered."""
        return [pair for pair, _ in self._sample()]

    def opinions(self, keys: Sequence[str]) -> dict[str, PairOpinion]:
        """What people said of the pairs with these keys, as far as they have a distant label."""
        statement = _SELECT_OPINIONS.format(wanted=_NAMED)
        rows = self._connection.exec_driver_sql(statement, (json.dumps(list(keys)),))
        return {one.key: one for one in read_all(PairOpinion, rows)}

    def groups(self, domains: Sequence[str]) -> list[LabelGroup]:
        """The current pairs with a distant label, of these domains or of all, by what they have in common."""
        rows = driver_connection(self._connection).execute(_SELECT_GROUPS, {"domains": codec.encode(tuple(domains))})
        with translate_decoding_errors():
            return [
                LabelGroup(LABELS[label], domain, phrase, percent, pairs)
                for (domain, label, phrase, percent), pairs in Counter(rows).items()
            ]

    def count_added(self, domains: Sequence[str]) -> int:
        """How many pairs of these domains, or of all, have come since the last draw that could have drawn them."""
        draws = list(self._draws())
        last = max((draw.last_pair for draw in draws if not draw.domains), default=0)
        by_domain: dict[str, int] = {}
        for draw in draws:
            by_domain |= {domain: max(last, by_domain.get(domain, 0), draw.last_pair) for domain in draw.domains}
        parameters = {
            "last": last,
            "last_by_domain": json.dumps(by_domain),
            "domains": codec.encode(tuple(domains)),
        }
        return int(self._connection.exec_driver_sql(_COUNT_ADDED, parameters).scalar_one())

    def measure(self) -> PrecisionReport | None:
        """How precise the distant labels are; None before the first draw."""
        draws = list(self._draws())
        if not draws:
            return None
        limited = [set(draw.domains) for draw in draws]
        domains = () if not all(limited) else tuple(sorted(set.union(*limited)))
        # A paper may have another domain since.
        sample = [one for one in self._sample() if not domains or one[0].domain in domains]
        repeated, unanimous = self._connection.exec_driver_sql(_REPEATED).one()
        return report_precision(
            self.groups(domains),
            [pair for pair, _ in sample],
            domains=domains,
            added=self.count_added(domains),
            has_learned=any(has_learned for pair, has_learned in sample if pair.is_right is not None),
            model=self._connection.exec_driver_sql(_MODEL).scalar() or "",
            repeated=repeated,
            unanimous=int(unanimous),
        )

    def _draws(self) -> Iterator[PrecisionDrawHead]:
        rows = self._connection.execute(select(PrecisionDrawRow.__table__).order_by(PrecisionDrawRow.id))
        yield from (read_part(PrecisionDrawHead, row) for row in rows.mappings())

    @translate_decoding_errors()
    def _sample(self) -> list[tuple[PrecisionPair, bool]]:
        """The sample in order, each pair with whether the model has learned its label."""
        if (seed := self.seed()) is None:
            return []
        rows = self._connection.exec_driver_sql(_SELECT_OPINIONS.format(wanted=_SAMPLED))
        found = [(_sampled_pair(one, seed), one.has_learned) for one in read_all(PairOpinion, rows)]
        return sorted(found, key=lambda one: (one[0].place, one[0].key))


class PrecisionDrawHead(NamedTuple):
    """A stored draw without its pairs."""

    id: int
    seed: int
    domains: tuple[str, ...]
    pairs: int
    last_pair: int


def _sampled_pair(one: PairOpinion, seed: int) -> PrecisionPair:
    if not all(0 < probability <= 1 for _, probability in one.probabilities):
        raise ValueError("a probability is out of range")
    number = permanent_number(seed, one.key)
    return PrecisionPair(
        *(one.key, one.label, one.domain, one.phrase, one.percent, number),
        chances=chances(one.probabilities),
        is_right=one.is_right,
    )
