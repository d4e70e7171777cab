"""From an experiment and its data to the runs and cells that are to be computed: values only, so that it can be tested.

A run is one system, trained on one set (or on none) with one seed; it predicts test parts. A cell is a run on one test
part. Their keys hash everything that the result depends on: equal keys have equal results, so that what an earlier
experiment computed is taken, and only what has changed is computed anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from miner import codec
from miner.lab.experiments.experiment import (
    PARTS,
    DataSet,
    Experiment,
    Subset,
)
from miner.lab.experiments.experiment_file import kind_of
from miner.lab.experiments.system_kinds import System, SystemInput
from miner.versions import PREDICTIONS_VERSION


class PartDigest(NamedTuple):
    """A hash of the texts and classes of a part's pairs, in order, and how many they are."""

    digest: str
    pairs: int


SetDigests = Mapping[str, PartDigest]
"""By part; a part without pairs is missing."""


class SystemRun(NamedTuple):
    """One system with one seed. system: its index in the experiment. train: the set's name, "" for none.

    mapping: the key of the run whose training dynamics choose the train part of a subset, "" where there is none.
    """

    key: str
    system: int
    train: str
    seed: int
    mapping: str = ""


class ExperimentCell(NamedTuple):
    """One run on the test part of one set.

    problem: why it is not computed, "" if it is. failure: why its last run failed.
    """

    key: str
    run: SystemRun
    test: str
    problem: str = ""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The runs, those first that others wait for, and all cells in the order of systems, train sets, tests, seeds."""

    runs: tuple[SystemRun, ...]
    cells: tuple[ExperimentCell, ...]


def plan(
    experiment: Experiment,
    digests: Mapping[str, SetDigests],
    *,
    system_digests: Mapping[int, str] | None = None,
    overlaps: Mapping[tuple[str, str], int] | None = None,
    given_answers: Mapping[int, Sequence[str]] | None = None,
) -> Plan:
    """The plan of an experiment.

    digests: of every set that is no subset. system_digests: of files and models that a system uses, by its index.
    overlaps: how many pairs of a set's test part are in a set's train part, (train, test). given_answers: of a
    system of people or predictions, digests of what each one says: each is a run, whose seed is its place among them.
    """
    planner = _Planner(experiment, digests, system_digests or {}, overlaps or {}, given_answers or {})
    runs: dict[str, SystemRun] = {}
    cells = []
    for index, system in enumerate(experiment.systems):
        for train in planner.train_sets(system):
            for seed in planner.seeds(index, system):
                run = planner.run(index, train, seed)
                wanted = [planner.cell(run, test) for test in planner.test_sets()]
                cells += wanted
                if run.mapping:
                    mapped = planner.mapping_run(experiment.data[train])
                    runs.setdefault(mapped.key, mapped)
                if not all(cell.problem for cell in wanted):
                    runs.setdefault(run.key, run)
    tests = {name: number for number, name in enumerate(planner.test_sets())}
    sets = {name: number for number, name in enumerate(("", *experiment.data))}
    cells.sort(key=lambda cell: (cell.run.system, sets[cell.run.train], tests[cell.test], cell.run.seed))
    needed = {run.mapping for run in runs.values()}
    return Plan(tuple(sorted(runs.values(), key=lambda run: run.key not in needed)), tuple(cells))


class _Planner:
    def __init__(
        self,
        experiment: Experiment,
        digests: Mapping[str, SetDigests],
        system_digests: Mapping[int, str],
        overlaps: Mapping[tuple[str, str], int],
        given_answers: Mapping[int, Sequence[str]],
    ) -> None:
        self._experiment, self._digests, self._system_digests = experiment, digests, system_digests
        self._overlaps, self._given_answers = overlaps, given_answers

    def train_sets(self, system: System) -> list[str]:
        """The sets that a system is trained on, none that is for intermediate epochs; [""] where nothing is learned."""
        if not system.LEARNS:
            return [""]
        intermediate = self._experiment.intermediate_sets
        return [name for name in self._experiment.data if "train" in self._parts(name) and name not in intermediate]

    def test_sets(self) -> list[str]:
        """The sets with a test part of their own; subsets have that of their set."""
        return [name for name, one in self._experiment.data.items() if not one.of and "test" in self._parts(name)]

    def seeds(self, index: int, system: System) -> tuple[int, ...]:
        seeds = self._experiment.seeds
        if index in self._given_answers:
            return tuple(range(len(self._given_answers[index])))
        return seeds if system.varies else seeds[:1]

    def run(self, index: int, train: str, seed: int) -> SystemRun:
        mapping = ""
        if train and self._experiment.data[train].of:
            mapping = self.mapping_run(self._experiment.data[train]).key
        return SystemRun(self._key(index, train, seed, mapping), index, train, seed, mapping)

    def mapping_run(self, subset: DataSet) -> SystemRun:
        """The run whose training dynamics choose the pairs of a subset: with the first seed, on the whole set."""
        cartography = self._experiment.cartography
        if cartography is None:
            raise ValueError("a subset without a cartography")
        index = [system.title for system in self._experiment.systems].index(cartography.system)
        seed = self._experiment.seeds[0]
        key = _hash("mapping", self._key(index, subset.of, seed, ""), cartography.epochs)
        return SystemRun(key, index, subset.of, seed)

    def cell(self, run: SystemRun, test: str) -> ExperimentCell:
        digests = self._parts(test)["test"]
        problem = ""
        learned = run.train or getattr(self._experiment.systems[run.system], "exemplars", "")
        overlap = self._overlaps.get((learned, test), 0)
        if overlap and not self._experiment.allow_overlap:
            problem = (
                f"{overlap:,} of {test}'s test pairs are in the train part of {learned}: "
                "take them out of one, or write allow_overlap = true below the name."
            )
        return ExperimentCell(_hash("cell", run.key, digests.digest), run, test, problem)

    def _parts(self, name: str) -> SetDigests:
        one = self._experiment.data[name]
        return self._digests.get(one.of or name, {})

    def _key(self, index: int, train: str, seed: int, mapping: str) -> str:
        system = self._experiment.systems[index]
        settings = codec.to_data(system) | {"kind": kind_of(system), "name": ""}
        if system.LEARNS and system.input is SystemInput.BOTH_ORDERS:
            settings["input"] = "both orders, learned"  # earlier versions learned one
        needed = {name: self._digests.get(name, {}).get("train") for name in system.needed_sets}
        data: list[Any] = [self._parts(train).get(part) for part in PARTS[:2]] if train else []
        subset = self._experiment.data[train] if mapping else None
        chosen = [mapping, subset.subset or Subset.EASY, subset.share] if subset else []
        classes = self._experiment.classes
        if index in self._given_answers:  # whoever else answered
            return _hash("run", settings, self._given_answers[index][seed], list(classes.items()))
        return _hash(
            "run", settings, self._system_digests.get(index, ""), data, chosen, needed, list(classes.items()), seed
        )


def _hash(*parts: object) -> str:
    text = json.dumps([PREDICTIONS_VERSION, *parts], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()
