"""Errors to read: which pairs a round of errors gets, and what the tags come to."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.errors import ErrorOverview, ErrorRound, draw_errors, load_errors
from desktop.jobs.lab.experiments.forgetting import forget_experiment
from desktop.jobs.review.answers import mark, undo
from desktop.jobs.review.rounds import current_round
from miner.errors import UserError
from miner.lab.experiments.experiment import TableAxis
from miner.lab.experiments.experiment_file import parse_experiment
from miner.progress import Progress
from storage.annotation.marks import MarkKind
from storage.annotation.rounds import RoundOrder
from storage.pairs.filters import PairFilter
from storage.pairs.tags import DOMAIN_KNOWLEDGE, LABEL_WRONG, join_tags
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import SURFACE, run, write_rows

ME = "mk"


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an experiment."""
    folder = tmp_path_factory.mktemp("computed")
    files = [
        write_rows(folder / f"{split}.csv", n, size) for n, (split, size) in enumerate((("train", 40), ("test", 30)))
    ]
    with Project.create(folder / "demo.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
        run(project, SURFACE)
    return project.path


@pytest.fixture
def project(computed: Path, tmp_path: Path) -> Iterator[Project]:
    with Project.open(shutil.copy(computed, tmp_path / "demo.pairwright")) as project:
        yield project


@pytest.fixture
def cell(project: Project) -> str:
    """Of the system that sees only lengths, and is wrong as often as not."""
    with project.read_transaction() as stores:
        return stores.experiments.cells(1)[1].key


def draw(project: Project, cell: str, number: int = 20, seed: int = 1, evenly: bool = True) -> ErrorRound:
    return draw_errors(project, [cell], number, seed, annotator=ME, evenly=evenly).work(Progress())


def keys_of_round(project: Project) -> tuple[str, ...]:
    progress = current_round(project, ME).work(Progress())
    assert progress is not None
    assert progress.round.order is RoundOrder.ERRORS
    return progress.round.keys


def waiting(project: Project) -> tuple[str, ...]:
    progress = current_round(project, ME).work(Progress())
    assert progress is not None
    return progress.waiting


def tag(project: Project, key: str, *tags: str) -> None:
    mark(project, [key], ME, MarkKind.TAG, join_tags(tags)).work(Progress())


def load(project: Project, cell: str) -> ErrorOverview:
    return load_errors(project, [cell]).work(Progress())


def misread_keys(project: Project, cell: str) -> set[str]:
    with project.read_transaction() as stores:
        table = stores.pair_table
        return set(table.keys(table.ids(PairFilter(cells=frozenset([cell]), misread=True))))


def test_a_round_has_misread_pairs_of_each_kind_and_the_same_ones_each_time(project: Project, cell: str) -> None:
    drawn = draw(project, cell)
    keys = keys_of_round(project)
    wrong = misread_keys(project, cell)
    assert (drawn.pairs, drawn.misread, drawn.absent, drawn.tagged) == (20, len(wrong), 0, 0)
    assert set(keys) <= wrong
    with project.read_transaction() as stores:
        kinds = {one.key: (one.label, one.predicted) for one in stores.misread_pairs.predictions([cell])}
    there = Counter(kinds[key] for key in wrong)
    drawn_kinds = Counter(kinds[key] for key in keys)
    most = max(drawn_kinds.values())
    assert all(drawn_kinds[kind] >= min(there[kind], most - 1) for kind in there)
    draw(project, cell)
    assert keys_of_round(project) == keys
    draw(project, cell, seed=2)
    assert set(keys_of_round(project)) != set(keys)
    draw(project, cell, number=500, evenly=False)
    assert set(keys_of_round(project)) == wrong


def test_a_pair_waits_until_it_is_tagged_and_is_not_drawn_again(project: Project, cell: str) -> None:
    draw(project, cell, 5)
    first, *others = waiting(project)
    tag(project, first, LABEL_WRONG, "zeugma")
    assert waiting(project) == tuple(others)
    draw(project, cell, 500)
    assert first not in keys_of_round(project)
    undo(project, ME).work(Progress())
    assert draw(project, cell, 500).tagged == 0
    assert first in keys_of_round(project)


def test_of_the_errors_of_a_class_only_these_are_counted(project: Project, cell: str) -> None:
    of_class = PairFilter(labels=frozenset(["neutral"]))
    drawn = draw_errors(project, [cell], 1, annotator=ME, filter=of_class).work(Progress())
    with project.read_transaction() as stores:
        wrong = [one for one in stores.misread_pairs.predictions([cell]) if one.is_wrong]
    assert 1 < drawn.misread < len(wrong)
    assert (drawn.pairs, drawn.absent) == (1, 0)


def test_counts_are_of_all_predictions_and_tags_of_the_pairs_read(project: Project, cell: str) -> None:
    draw(project, cell, 8)
    keys = keys_of_round(project)
    for key in keys[:4]:
        tag(project, key, DOMAIN_KNOWLEDGE)
    tag(project, keys[4], DOMAIN_KNOWLEDGE, LABEL_WRONG)
    counts = load(project, cell).counts
    wrong = len(misread_keys(project, cell))
    assert (counts.predictions, counts.wrong, counts.pairs, counts.read) == (120, wrong, wrong, 5)
    assert sum(one.number for one in counts.confusions) == wrong
    assert [(one.name, one.number, one.total) for one in counts.tags] == [(DOMAIN_KNOWLEDGE, 5, 5), (LABEL_WRONG, 1, 5)]
    low, high = counts.tags[1].interval
    assert 0 < low < 0.2 < high < 1
    for axis in (TableAxis.LENGTH, TableAxis.CLASS, TableAxis.DOMAIN):
        assert (sum(one.number for one in counts.rates[axis]), sum(one.total for one in counts.rates[axis])) == (
            wrong,
            120,
        )
    examples = load(project, cell).examples
    assert 0 < len(examples) <= 8
    assert all(one.label != one.predicted for one in examples)


def test_what_cannot_be_read_is_said(project: Project, cell: str, tmp_path: Path) -> None:
    for key in misread_keys(project, cell):
        tag(project, key, LABEL_WRONG)
    with pytest.raises(UserError, match="tagged all"):
        draw(project, cell)
    with pytest.raises(UserError, match="misread no pair"):
        draw(project, "no cell")
    with pytest.raises(UserError, match="any more"):
        load(project, "no cell")
    write_rows(tmp_path / "train.csv", 0, 40)
    elsewhere = write_rows(tmp_path / "elsewhere.csv", 7, 12)
    text = SURFACE.replace("[data.all]", f'[data.all]\nfiles = {{ train = "train.csv", test = "{elsewhere.name}" }}')
    done = run(project, parse_experiment(text))
    with project.read_transaction() as stores:
        other = stores.experiments.cells(done.id)[1].key
    with pytest.raises(UserError, match="in this project"):
        draw(project, other)
    forget_experiment(project, 1).work(Progress())
    with pytest.raises(UserError, match="any more"):
        load(project, cell)
