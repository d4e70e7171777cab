"""Releases: kept byte for byte, never changed; and what goes wrong leaves everything as it was."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.progress import Cancelled, Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange import releases
from storage.exchange.pair_export import export_pairs
from storage.exchange.releases import count_new_since, list_releases, make_release, read_name, write_again
from storage.project import Project
from tests.storage.factories import add, mine

NOW = datetime(2026, 7, 1, tzinfo=UTC)
SHARES = (("train", 50.0), ("test", 50.0))
OPTIONS = ExportOptions(Preset.FULL, shares=SHARES, card=True, format=FileFormat.PARQUET)


@pytest.fixture
def released(project: Project, tmp_path: Path) -> Project:
    add(project, "abcdef")
    mine(project)
    make_release(project, "1.0", tmp_path / "out", OPTIONS, Progress(), NOW)
    return project


def contents(folder: Path) -> dict[str, bytes]:
    files = folder.iterdir() if folder.exists() else ()
    return {path.name: path.read_bytes() for path in files if not path.name.startswith(".")}


def splits(folder: Path) -> Iterator[tuple[str, str]]:
    import pyarrow.parquet as pq

    for path in folder.glob("*.parquet"):
        for row in pq.read_table(path, columns=["pairID"]).to_pylist():
            yield row["pairID"], path.stem


def test_a_release_is_written_again_byte_for_byte_whatever_has_changed(released: Project, tmp_path: Path) -> None:
    add(released, "ghijk")
    mine(released, "another run")
    write_again(released, "1.0", tmp_path / "again", Progress())
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_papers_of_a_release_stay_in_their_split(released: Project, tmp_path: Path) -> None:
    add(released, "ghijkl")
    mine(released, "another run")
    export_pairs(released, tmp_path / "next", replace(OPTIONS, seed=77), Progress())
    before, after = dict(splits(tmp_path / "out")), dict(splits(tmp_path / "next"))
    assert len(after) > len(before)
    assert before.items() <= after.items()


def test_releases_are_listed_with_what_is_new_since(released: Project, tmp_path: Path) -> None:
    with released.read_transaction() as stores:
        [one] = list_releases(stores)
    assert (one.name, one.at, one.options) == ("1.0", NOW, OPTIONS)
    assert {file.name for file in one.files} == contents(tmp_path / "out").keys()
    assert count_new_since(released, "1.0", Progress()) == (one.rows, one.rows, 0)
    add(released, "gh")
    mine(released, "another run")
    new = count_new_since(released, "1.0", Progress())
    assert (new.then, new.papers) == (one.rows, 2)
    assert new.now is not None
    assert new.now > one.rows


def test_a_name_is_given_once(released: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"There is a release 1\.0 already"):
        make_release(released, " 1.0 ", tmp_path / "other", OPTIONS, Progress(), NOW)
    assert not contents(tmp_path / "other")


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_release_needs_a_name(name: str) -> None:
    with pytest.raises(UserError, match="needs a name"):
        read_name(name)


@pytest.mark.parametrize(("name", "code"), [("a\0b", r"U\+0000"), ("\u202e1.0", r"U\+202E")])
def test_a_character_that_cannot_be_seen_is_named(name: str, code: str) -> None:
    with pytest.raises(UserError, match=code):
        read_name(name)


def test_an_unknown_release_is_said_to_be_none(released: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"There is no release 2\.0"):
        write_again(released, "2.0", tmp_path / "again", Progress())


def test_a_release_without_pairs_is_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No pair would be released"):
        make_release(project, "1.0", tmp_path / "out", OPTIONS, Progress(), NOW)
    assert not contents(tmp_path / "out")
    with project.read_transaction() as stores:
        assert list_releases(stores) == []


def test_a_cancelled_release_leaves_neither_files_nor_a_row(project: Project, tmp_path: Path) -> None:
    add(project, "ab")
    mine(project)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        make_release(project, "1.0", tmp_path / "out", OPTIONS, progress, NOW)
    assert not contents(tmp_path / "out")
    with project.read_transaction() as stores:
        assert list_releases(stores) == []


def test_people_can_answer_while_a_release_is_written(project: Project, tmp_path: Path) -> None:
    add(project, "ab")
    mine(project)
    answered = []

    def answer(*_: object) -> None:
        if not answered:
            answered.append(in_another_thread(lambda: answer_all(project)))

    make_release(project, "1.0", tmp_path / "out", OPTIONS, Progress(answer), NOW)
    assert answered == [None]


def in_another_thread(work: Callable[[], None]) -> None:
    """As the window does it. A release that kept the project for itself would wait for this thread, and it for that."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result(timeout=60)


def answer_all(project: Project) -> None:
    with project.transaction() as stores:
        keys = stores._connection.exec_driver_sql("SELECT key FROM pairs").scalars().all()
        stores.answers.append([NewAnswer(key, "anna", NOW, Answer.NEUTRAL) for key in keys])


def test_a_name_that_leads_elsewhere_is_damage(released: Project, tmp_path: Path) -> None:
    with released.transaction() as stores:
        driver = stores._connection
        driver.exec_driver_sql(
            "INSERT INTO releases SELECT 9, '9', created_at, program, options, counts, history, NULL FROM releases"
        )
        driver.exec_driver_sql("INSERT INTO release_files VALUES (9, '../x.jsonl', 1, 1, 'a', x'', NULL)")
    with pytest.raises(UserError, match="is damaged"):
        write_again(released, "9", tmp_path / "again", Progress())
    assert not contents(tmp_path / "again")


def test_a_file_that_is_too_large_to_be_kept_is_refused(
    released: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "MAX_FILE_BYTES", 50)
    with pytest.raises(UserError, match=r"train\.parquet is too large to be kept in the project"):
        make_release(released, "2.0", tmp_path / "second", OPTIONS, Progress(), NOW)
    with released.read_transaction() as stores:
        assert [one.name for one in list_releases(stores)] == ["1.0"]


def test_files_of_others_stay_when_a_release_is_written_again(released: Project, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    folder.mkdir()
    (folder / "README.md").write_text("mine")
    with pytest.raises(UserError, match=r"has a README\.md that no export of Pairwright wrote"):
        write_again(released, "1.0", folder, Progress())
    assert contents(folder) == {"README.md": b"mine"}


@pytest.mark.parametrize(
    "damaged", [bytes(40), b"", zlib.compress(b"x" * 40)[:-6], zlib.compress(b"xx"), "text"], ids=str
)
def test_a_damaged_release_is_refused_whole(released: Project, tmp_path: Path, damaged: bytes | str) -> None:
    with released.transaction() as stores:
        driver = stores._connection
        driver.exec_driver_sql(
            "INSERT INTO releases SELECT 9, '9', created_at, program, options, counts, history, NULL FROM releases"
        )
        for name, content in (("a.jsonl", zlib.compress(b"x")), ("b.jsonl", damaged)):
            values = (9, name, 1, 1, hashlib.sha256(b"x").hexdigest(), content)
            driver.exec_driver_sql("INSERT INTO release_files VALUES (?, ?, ?, ?, ?, ?, NULL)", values)
    with pytest.raises(UserError, match="is damaged"):
        write_again(released, "9", tmp_path / "again", Progress())
    assert not contents(tmp_path / "again")
