"""Data maps from the stored training dynamics: what is read, what is refused, what is written for a paper."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.data_map import load_data_map, load_mapped_pair, save_data_map
from desktop.jobs.lab.experiments.experiment_map import class_means
from desktop.jobs.lab.experiments.map_files import is_map, map_path, read_map, write_map
from miner.errors import UserError
from miner.progress import Progress
from storage.lab.experiments import ExperimentState
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.desktop.map_factory import RUN, enter_mapped_experiment, write_synthetic_map


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "demo.pairwright") as project:
        import_data_sets(project, [write_rows(tmp_path / "train.csv", 1, 20)], "").work(Progress())
        yield project


def test_a_map_has_the_pairs_with_their_classes_and_figures(project: Project) -> None:
    id = enter_mapped_experiment(project)
    keys = write_synthetic_map(project)
    found = load_data_map(project, id).work(Progress())
    assert (found.id, found.set, found.system, found.epochs, len(found)) == (id, "all", "Encoder", 5, len(keys))
    assert found.keys == tuple(keys)
    assert found.is_here.all()
    assert [found.classes[label] for label in found.labels[:4]] == ["contrasting", "reasoning", "entailment", "neutral"]
    assert 0 <= found.data.confidence.min() <= found.data.confidence.max() <= 1
    row = load_mapped_pair(project, found.keys[0]).work(Progress())
    assert row is not None
    assert row.key == keys[0]
    assert load_mapped_pair(project, "all:train:7").work(Progress()) is None
    means = class_means(found)
    assert [row[0] for row in means] == [*found.classes, "all"]
    assert means[-1][1] == len(keys)
    assert means[-1][2] == pytest.approx(found.data.confidence.mean(), abs=1e-6)


def test_a_map_is_written_for_a_paper_with_the_same_bytes_each_time(project: Project, tmp_path: Path) -> None:
    id = enter_mapped_experiment(project)
    keys = write_synthetic_map(project)
    contents = {}
    for kind in ("jsonl", "tsv", "svg"):
        for path in (tmp_path / f"map.{kind}", tmp_path / "again" / f"map.{kind}"):
            assert save_data_map(project, id, path).work(Progress()) == len(keys)
        contents[kind] = path.read_text(encoding="utf-8")
        assert (tmp_path / f"map.{kind}").read_text(encoding="utf-8") == contents[kind]
    lines = [json.loads(line) for line in contents["jsonl"].splitlines()]
    rows = list(csv.DictReader(contents["tsv"].splitlines(), delimiter="\t"))
    assert [line["key"] for line in lines] == [row["key"] for row in rows] == keys
    assert [line["confidence"] for line in lines] == [float(row["confidence"]) for row in rows]
    figure = ElementTree.fromstring(contents["svg"])
    texts = {node.text for node in figure.iter() if node.text}
    assert {"variability", "confidence", "correctness", "1 (always)", "0 (never)", f"{len(keys):,} pairs"} <= texts
    with pytest.raises(UserError, match="cannot be written as"):
        save_data_map(project, id, tmp_path / "map.png").work(Progress())


def test_an_experiment_without_a_map_says_why(project: Project) -> None:
    id = enter_mapped_experiment(project)
    for state, why in (
        (ExperimentState.STOPPED, "was stopped before"),
        (ExperimentState.FAILED, "failed before"),
        (ExperimentState.DONE, "was deleted"),
    ):
        with project.transaction() as stores:
            stores.experiments.end(id, state, datetime.now(UTC), "")
        with pytest.raises(UserError, match=why):
            load_data_map(project, id).work(Progress())
    plain = enter_mapped_experiment(project, maps=False)
    with pytest.raises(UserError, match="maps no pairs"):
        load_data_map(project, plain).work(Progress())
    with pytest.raises(UserError, match="no experiment 77"):
        load_data_map(project, 77).work(Progress())


def test_a_torn_or_hostile_map_file_is_refused_in_words(project: Project, tmp_path: Path) -> None:
    id = enter_mapped_experiment(project)
    write_synthetic_map(project)
    path = map_path(project, RUN)
    whole = path.read_bytes()
    assert is_map(path)
    probabilities = np.full((2, 3), 0.5, np.float32)
    right, keys, classes = probabilities > 1, np.array([b"a", b"b", b"c"]), np.array([0, 1, 2])
    given = {"probabilities": probabilities, "correct": right, "keys": keys, "classes": classes}
    for change in (
        {"probabilities": probabilities * np.nan},
        {"probabilities": probabilities[0]},
        {"correct": right[:, :2]},
        {"keys": keys[:2]},
        {"keys": np.array([object()] * 3)},
        {"classes": np.array([0, 1, -1])},
        {"classes": np.array([0, 1, 99])},
    ):
        np.savez(path, **(given | change))
        with pytest.raises(UserError, match="is damaged"):
            load_data_map(project, id).work(Progress())
    np.savez_compressed(path, **given)
    contents = [whole[: len(whole) // 2], b"", b"PK", whole.replace(b"(5, 80)", b"(5, 99)")]
    for content in contents:
        path.write_bytes(content)
        assert not is_map(path)
        with pytest.raises(UserError, match="is damaged"):
            load_data_map(project, id).work(Progress())
    with pytest.raises(ValueError, match="not the key"):
        map_path(project, "../../secret")


def test_a_map_file_keeps_what_it_was_given(tmp_path: Path) -> None:
    probabilities = np.array([[0.25, 1.0], [0.5, 0.0]], np.float32)
    write_map(tmp_path / "maps" / "m.npz", probabilities, probabilities > 0.4, ["schlüssel", "b"], [3, 0])
    found = read_map(tmp_path / "maps" / "m.npz")
    assert found.probabilities.tolist() == probabilities.tolist()
    assert found.correct.tolist() == [[False, True], [True, False]]
    assert [key.decode() for key in found.keys.tolist()] == ["schlüssel", "b"]
    assert found.classes.tolist() == [3, 0]
