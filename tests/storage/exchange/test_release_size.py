"""A release that is too large to be kept is refused before its files are written, and none that could be kept."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from desktop.jobs.exchange.releases import release
from miner.errors import UserError
from miner.progress import Progress
from storage.dataset.candidates import select_candidates
from storage.dataset.export_options import ExportOptions, FileFormat, Preset, SplitOptions
from storage.exchange import release_size
from storage.exchange.pair_export import export_pairs
from storage.exchange.release_size import COMPRESSION, estimate_files, require_space
from storage.exchange.releases import list_releases
from storage.project import Project
from tests.bench import synthetic

SHARES = (("train", 50.0), ("test", 50.0))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("size") / "size.pairwright"
    synthetic.build(path, pairs=3_000, papers=300)
    return path


def estimated_and_real(path: Path, options: ExportOptions, folder: Path) -> list[tuple[float, int]]:
    with Project.open(path) as project:
        export_pairs(project, folder, options, Progress())
        with project.read_transaction() as stores:
            select_candidates(stores._connection, options)
            files = estimate_files(stores._connection, options)
    return [(file.size, len(zlib.compress((folder / file.name).read_bytes(), COMPRESSION))) for file in files]


@pytest.mark.parametrize("format", FileFormat)
def test_a_sample_of_all_pairs_is_the_release(path: Path, tmp_path: Path, format: FileFormat) -> None:
    found = estimated_and_real(path, ExportOptions(Preset.FULL, format=format), tmp_path / "out")
    assert [estimated for estimated, _ in found] == [real for _, real in found]


def test_a_sample_of_a_tenth_is_near(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_size, "_BLOCKS", 30)
    monkeypatch.setattr(release_size, "_BLOCK_PAIRS", 10)
    [(estimated, real)] = estimated_and_real(path, ExportOptions(), tmp_path / "one")
    assert estimated != real
    assert estimated == pytest.approx(real, rel=0.15)
    assert len(estimated_and_real(path, ExportOptions(shares=SHARES), tmp_path / "parts")) == 3  # some have their own


def test_what_may_be_kept_is_not_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Project.open(path) as project:
        with project.read_transaction() as stores:
            select_candidates(stores._connection, ExportOptions())
            [file] = estimate_files(stores._connection, ExportOptions())
        require_space(project, ExportOptions(), Progress())
        monkeypatch.setattr(release_size, "MAX_FILE_BYTES", round(file.size * 0.8))  # only the file itself tells
        require_space(project, ExportOptions(), Progress())
        monkeypatch.setattr(release_size, "MAX_FILE_BYTES", round(file.size * 0.7))
        with pytest.raises(UserError, match=r"pairs\.jsonl is too large .* Nothing was exported"):
            require_space(project, ExportOptions(), Progress())
        monkeypatch.setattr(release_size, "_LEAST_ROWS", file.rows + 1)
        require_space(project, ExportOptions(), Progress())


@pytest.mark.parametrize("options", [ExportOptions(card=True), ExportOptions(balance=True)])
def test_a_large_release_is_refused_before_the_work(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: ExportOptions
) -> None:
    monkeypatch.setattr(release_size, "MAX_FILE_BYTES", 1_000)
    monkeypatch.setattr(release_size, "_LEAST_ROWS", 1)
    ticks: list[object] = []
    with Project.open(path) as project:
        with pytest.raises(UserError, match="too large to be kept") as refused:
            release(project, "1.0", tmp_path / "out", options).work(Progress(ticks.append))
        assert "export it" in refused.value.hint
        assert not ticks  # neither sentences nor pairs were counted
        assert not (tmp_path / "out").exists()
        with project.read_transaction() as stores:
            assert list_releases(stores) == []


def test_a_release_in_the_splits_of_the_project_is_estimated(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_size, "MAX_FILE_BYTES", 1_000)
    monkeypatch.setattr(release_size, "_LEAST_ROWS", 1)
    options = ExportOptions(split=SplitOptions(gold=False))
    with Project.open(path) as project, pytest.raises(UserError, match=r"(train|dev|test)\.jsonl is too large"):
        require_space(project, options, Progress())
