"""Draws pairs whose answers tell how precise the distant labels are."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from math import ceil, inf
from typing import NamedTuple

from sqlalchemy import Connection

from miner import codec
from miner.precision.sampling import Allocation, PrecisionPair, allocate, permanent_number
from miner.progress import Progress
from miner.records import Label
from storage.annotation.precision_samples import FRAME, PERCENT, PrecisionDraw, PrecisionSampleStore
from storage.connections import driver_connection
from storage.pairs.judgement import IN_DEV_OR_TEST
from storage.pairs.store import SELECT_LAST_ID

_SELECT_FRAME = f"SELECT pairs.key, pairs.distant_label, {PERCENT}, {IN_DEV_OR_TEST} {FRAME} ORDER BY pairs.id"
_BATCH_SIZE = 20_000
_MORE = 4  # times as many candidates are looked at, if those have answers


class PrecisionQueue(NamedTuple):
    """Pairs to answer. keys: in order. draw: what is to be stored before; None if the sample has enough of them."""

    keys: tuple[str, ...]
    draw: PrecisionDraw | None


class _Candidate(NamedTuple):
    """A pair outside the sample. score: the size of a sample from which on it is in the sample, about."""

    score: float
    key: str
    intensity: float


class _Frame(NamedTuple):
    """What pairs are drawn from, and how."""

    domains: tuple[str, ...]
    allocation: Allocation
    seed: int


class PrecisionDrawStore:
    """Draws from the pairs of the project."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._samples = PrecisionSampleStore(connection)

    def draw(self, domains: Sequence[str], size: int, seed: int, progress: Progress) -> PrecisionQueue:
        """The next `size` pairs to answer, of these domains or of all, in the order of the sample.

        Pairs of the sample that nobody has answered come too. The sample grows by as many as are missing, and by a fair
        part of the pairs that were added since the last draw. seed: of the sample, if there is none yet. In dev and
        test no model has a say: there, chance and class alone decide.
        """
        stored = self._samples.seed()
        seed = seed if stored is None else stored
        domains = tuple(sorted(set(domains)))
        groups = self._samples.groups(domains)
        pairs, added = sum(group.pairs for group in groups), self._samples.count_added(domains)
        sample = {one.key: one for one in self._samples.sample() if not domains or one.domain in domains}
        waiting = [one for one in sample.values() if one.is_right is None]
        missing = max(size - len(waiting), ceil(size * added / max(pairs, 1)) if sample else 0)
        if not missing:
            return PrecisionQueue(tuple(one.key for one in waiting[:size]), None)
        frame = _Frame(domains, allocate(groups), seed)
        chosen, end, intensities = self._choose(frame, sample, missing, progress)
        probabilities = {key: min(1.0, end * intensity) for key, intensity in intensities.items()}
        probabilities |= {one.key: min(1.0, end * one.intensity) for one in chosen}
        places = {
            key: permanent_number(seed, key) / max(one, sample[key].probability if key in sample else 0.0)
            for key, one in probabilities.items()
        }
        opinions = self._samples.opinions(list(probabilities))
        queue = sorted(
            (key for key, one in opinions.items() if one.is_right is None), key=lambda key: (places[key], key)
        )
        draw = PrecisionDraw(seed, domains, pairs, self._last_pair(), probabilities)
        return PrecisionQueue(tuple(queue[:size]), draw)

    def _choose(
        self, frame: _Frame, sample: Mapping[str, PrecisionPair], missing: int, progress: Progress
    ) -> tuple[list[_Candidate], float, dict[str, float]]:
        """New pairs for the sample with so many that nobody has answered, and the score at which it ends.

        The last are the intensities of the frame's pairs that are in the sample already.
        """
        wanted = 2 * missing
        while True:
            candidates, intensities = self._first_candidates(frame, sample, wanted + 1, progress)
            opinions = self._samples.opinions([one.key for one in candidates])
            left = missing
            for place, candidate in enumerate(candidates):
                if not left:
                    return candidates[:place], candidate.score, intensities
                left -= opinions[candidate.key].is_right is None
            if len(candidates) <= wanted:  # there are no others
                return candidates, inf, intensities
            wanted *= _MORE

    def _first_candidates(
        self, frame: _Frame, sample: Mapping[str, PrecisionPair], number: int, progress: Progress
    ) -> tuple[list[_Candidate], dict[str, float]]:
        """The `number` pairs of the frame outside the sample with the lowest scores, and the intensities of the others.

        A million pairs take seconds, so that no more is done for each than it takes.
        """
        labels = {label.value: label for label in Label}
        known: dict[tuple[str, int | None, int], float] = {}  # intensities by what they depend on
        found: list[_Candidate] = []
        inside: dict[str, float] = {}
        limit = inf
        parameters = {"domains": codec.encode(frame.domains)}
        rows = driver_connection(self._connection).execute(_SELECT_FRAME, parameters)
        while batch := rows.fetchmany(_BATCH_SIZE):
            progress.tick(0)
            for key, *kind in batch:
                alike = tuple(kind)
                if (intensity := known.get(alike)) is None:
                    label, percent, is_held_out = alike
                    intensity = frame.allocation.intensity(labels[label], percent, by_model=not is_held_out)
                    known[alike] = intensity
                if key in sample:
                    inside[key] = intensity
                elif (score := permanent_number(frame.seed, key) / intensity) < limit:
                    found.append(_Candidate(score, key, intensity))
            if len(found) > number:
                found = heapq.nsmallest(number, found)
                limit = found[-1].score
        return sorted(found), inside

    def _last_pair(self) -> int:
        return int(self._connection.exec_driver_sql(SELECT_LAST_ID).scalar_one())
