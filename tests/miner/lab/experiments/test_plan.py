"""Plans: which runs and cells an experiment has, and what their keys depend on."""

from __future__ import annotations

from dataclasses import replace

from miner.lab.experiments.experiment import (
    Experiment,
)
from miner.lab.experiments.experiment_file import parse_experiment, ready_text
from miner.lab.experiments.plan import PartDigest, plan
from miner.mining.identity import text_hash

PARTS = {"train": PartDigest("t", 100), "dev": PartDigest("d", 10), "test": PartDigest("e", 20)}


def experiment(name: str = "baselines") -> Experiment:
    return parse_experiment(ready_text(name))


def keys(experiment: Experiment, **parts: PartDigest) -> dict[str, set[str]]:
    """The keys of the cells, by system."""
    found: dict[str, set[str]] = {}
    for cell in plan(experiment, {"project": {**PARTS, **parts}}).cells:
        found.setdefault(experiment.systems[cell.run.system].title, set()).add(cell.key)
    return found


def test_a_system_that_varies_has_a_cell_for_each_seed_and_others_one() -> None:
    found = plan(experiment(), {"project": PARTS})
    counts = [sum(cell.run.system == number for cell in found.cells) for number in range(5)]
    assert counts == [1, 3, 3, 3, 3]
    assert len(found.runs) == len(found.cells) == len({cell.key for cell in found.cells}) == 13


def test_a_matrix_has_a_run_for_each_train_set_and_a_cell_for_each_test_set() -> None:
    travel = experiment("datasets")
    other = {part: PartDigest(f"other {part}", 5) for part in PARTS}
    sets = {"project": PARTS, "other": other, "both": {"train": PartDigest("both", 105)}}
    found = plan(replace(travel, seeds=(1, 2)), sets)
    assert len(found.runs) == 3 * 2
    assert {(cell.run.train, cell.test) for cell in found.cells} == {
        (train, test) for train in ("project", "other", "both") for test in ("project", "other")
    }


def test_only_what_has_changed_has_another_key() -> None:
    before = keys(experiment())
    assert keys(experiment()) == before
    assert keys(replace(experiment(), name="another", question="why?")) == before
    other = experiment()
    changed = replace(other, systems=(replace(other.systems[0], name="renamed"), *other.systems[1:]))
    assert set().union(*keys(changed).values()) == set().union(*before.values())
    assert all(keys(experiment(), train=PartDigest("other", 100))[name].isdisjoint(before[name]) for name in before)
    starter = replace(other.systems[4], recipe="quick")  # type: ignore[type-var]
    edited = keys(replace(other, systems=(*other.systems[:4], starter)))
    assert [edited[name] == before[name] for name in before] == [True] * 4 + [False]
    more = keys(replace(other, seeds=(1, 2, 3, 4)))
    assert all(before[name] <= more[name] for name in before)


def test_overlap_refuses_a_cell_unless_allowed_and_no_run_is_for_nothing() -> None:
    found = plan(experiment(), {"project": PARTS}, overlaps={("project", "project"): 3})
    [problem] = {cell.problem for cell in found.cells}
    assert problem.startswith("3 of project's test pairs are in the train part of project: ")
    assert not found.runs
    allowed = plan(replace(experiment(), allow_overlap=True), {"project": PARTS}, overlaps={("project", "project"): 3})
    assert len(allowed.runs) == 13


def test_subsets_wait_for_the_run_that_maps_their_pairs() -> None:
    found = plan(experiment("cartography"), {"all": PARTS})
    mapped = [run for run in found.runs if run.key in {other.mapping for other in found.runs}]
    assert found.runs[0] == mapped[0]
    assert len(mapped) == 1
    assert len(found.runs) == 1 + 6 * 3
    assert {cell.test for cell in found.cells} == {"all"}


def test_a_model_or_file_that_changes_changes_its_system_alone() -> None:
    strategies = experiment("strategies")
    before = plan(strategies, {"project": PARTS}, system_digests={1: "a"}).cells
    after = plan(strategies, {"project": PARTS}, system_digests={1: "b"}).cells
    assert [one.key == other.key for one, other in zip(before, after, strict=True)] == [True] * 3 + [False]


def test_people_are_runs() -> None:
    found = plan(
        experiment("human"), {"project": {"test": PARTS["test"]}}, given_answers={0: ("a", "b", "c"), 1: ("d", "e")}
    )
    assert [sum(cell.run.system == number for cell in found.cells) for number in range(3)] == [3, 2, 1]


def test_predictions_are_kept_by_both_texts() -> None:
    assert text_hash("ab", "c") != text_hash("a", "bc")
    assert len(text_hash("\ud800", "")) == 16
