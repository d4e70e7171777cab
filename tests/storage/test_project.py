"""The file itself: what is made, opened and refused, and what a transaction keeps."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.installation import RELEASES
from storage.project import Project
from storage.settings import GUIDELINES
from tests.storage.factories import add, paper, pdf
from tests.unflushed import flush_as_usual

if sys.platform != "win32":
    import resource


def test_a_closed_project_is_one_file_with_our_application_id(project: Project, path: Path) -> None:
    add(project, ["a"])
    assert (path.parent / "test.pairwright-wal").exists()
    project.close()
    assert list(path.parent.iterdir()) == [path]
    with Project.open(path, read_only=True) as again, again.read_transaction() as stores:
        assert stores.papers.count() == 1


def test_every_connection_enforces_references_and_uses_the_wal(project: Project) -> None:
    with project.read_transaction() as stores:
        pragmas = [
            stores._connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("foreign_keys", "journal_mode")
        ]
    assert pragmas == [1, "wal"]


def test_answers_are_flushed_to_disk_and_bulk_writes_are_not(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flush_as_usual(monkeypatch)
    with Project.create(path) as project:
        with project.transaction() as stores:
            assert stores._connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        with project.transaction(bulk=True) as stores:
            assert stores._connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1


def test_an_exception_rolls_the_whole_transaction_back(project: Project) -> None:
    with pytest.raises(ZeroDivisionError), project.transaction() as stores:  # noqa: PT012
        stores.papers.save(paper("a"), pdf("a"))
        raise ZeroDivisionError
    with project.read_transaction() as stores:
        assert stores.papers.count() == 0


def test_nothing_can_be_written_to_a_project_opened_for_reading(project: Project, path: Path) -> None:
    reader = Project.open(path, read_only=True)
    with reader, pytest.raises(UserError, match="cannot be written"), reader.transaction():
        pass


def test_a_new_project_does_not_replace_a_file(project: Project, path: Path) -> None:
    with pytest.raises(UserError, match="exists already"):
        Project.create(path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not a database", b"SQLite format 3\0"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.pairwright"
    path.write_bytes(content)
    with pytest.raises(UserError, match="is not a Pairwright project"):
        Project.open(path)
    assert path.read_bytes() == content


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "browser.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE papers (id)")
    with pytest.raises(UserError, match="not a Pairwright project"):
        Project.open(path)


def test_a_missing_project_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"There is no .*nowhere"):
        Project.open(tmp_path / "nowhere.pairwright")


def test_a_newer_project_is_refused(project: Project, path: Path) -> None:
    project.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UserError, match="newer Pairwright") as refused:
        Project.open(path)
    assert RELEASES in refused.value.hint


def test_a_truncated_project_is_called_damaged(project: Project, path: Path) -> None:
    project.close()
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(UserError, match="damaged"):
        Project.open(path)


def test_a_project_with_overwritten_pages_is_called_damaged(project: Project, path: Path) -> None:
    add(project, [str(number) for number in range(20)])
    project.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 8192))
    with pytest.raises(UserError, match="damaged"), Project.open(path) as project, project.read_transaction() as stores:
        stores.papers.summaries()


def test_check_finds_nothing_wrong_with_a_good_project(project: Project) -> None:
    add(project, ["a", "b"])
    assert project.check() == []


def test_check_reports_a_full_text_index_that_does_not_match(project: Project) -> None:
    add(project, ["a"])
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("INSERT INTO pairs_text (rowid, premise, hypothesis) VALUES (7, 'x', 'y')")
    assert len(project.check()) == 1


def test_waiting_too_long_for_another_writer_raises_a_user_error(project: Project, path: Path) -> None:
    with Project.open(path, busy_timeout_s=0.05) as other:
        with project.transaction(), pytest.raises(UserError, match="another program"), other.transaction():
            pass
        with other.transaction():
            pass


def test_threads_of_one_program_wait_for_each_other_as_long_as_it_takes(path: Path) -> None:
    with Project.create(path.with_name("patient.pairwright"), busy_timeout_s=0.05) as project:
        begun = threading.Event()

        def write() -> None:
            with project.transaction() as stores:
                begun.set()
                time.sleep(0.3)
                stores.settings.put(GUIDELINES, "first")

        writer = threading.Thread(target=write)
        writer.start()
        assert begun.wait(5)
        with project.transaction() as stores:
            assert stores.settings.get(GUIDELINES) == "first"
        writer.join()


def test_a_full_disk_is_reported_and_nothing_is_lost(project: Project) -> None:
    add(project, ["a"])
    with pytest.raises(UserError, match="full"), project.transaction() as stores:  # noqa: PT012
        pages = stores._connection.exec_driver_sql("PRAGMA page_count").scalar()
        stores._connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        stores.papers.save(paper("b", text="Long. " * 20_000), pdf("b"))
    with project.read_transaction() as stores:
        assert stores.papers.count() == 1


@pytest.mark.posix
def test_a_file_that_may_not_grow_is_reported_and_nothing_is_lost(project: Project, path: Path) -> None:
    add(project, ["a"])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))
    try:
        with pytest.raises(UserError, match=r"full|could not be read or written"), project.transaction() as stores:
            stores.papers.save(paper("b", text="Long. " * 200_000), pdf("b"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with project.read_transaction() as stores:
        assert stores.papers.count() == 1
    assert project.check() == []


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Without root's right to write anywhere; tests run by somebody else are that already."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_project_in_a_read_only_folder_can_be_read_and_not_written(project: Project, path: Path) -> None:
    add(project, ["a"])
    project.close()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy = Path(shutil.copy(path, folder))
        copy.chmod(0o444)
        folder.chmod(0o555)
        try:
            with _as_nobody():
                with Project.open(copy, read_only=True) as reader, reader.read_transaction() as stores:
                    assert stores.papers.count() == 1
                with pytest.raises(UserError, match="cannot be written"), Project.open(copy) as writer:
                    add(writer, ["b"])
                with pytest.raises(UserError, match="cannot be created"):
                    Project.create(folder / "new.pairwright")
        finally:
            folder.chmod(0o755)


def test_a_read_only_file_is_read_and_nothing_is_left_beside_it(project: Project) -> None:
    add(project, ["a"])
    project.close()
    with tempfile.TemporaryDirectory() as name:
        copy = Path(shutil.copy(project.path, name))
        Path(name).chmod(0o777)
        copy.chmod(0o444)
        with _as_nobody(), Project.open(copy, read_only=True) as reader, reader.read_transaction() as stores:
            assert stores.papers.count() == 1
        assert list(Path(name).iterdir()) == [copy]
        copy.chmod(0o644)
        with Project.open(copy) as writer:
            add(writer, ["b"])


@pytest.mark.posix
def test_companion_files_of_a_read_only_reader_do_not_prevent_writing(project: Project, path: Path) -> None:
    project.close()
    with tempfile.TemporaryDirectory() as name:
        copy = Path(shutil.copy(path, name))
        Path(name).chmod(0o777)
        shared = copy.with_name(copy.name + "-shm")
        shared.touch()
        for file in (copy, shared):
            if os.geteuid() == 0:
                os.chown(file, 65534, -1)
        shared.chmod(0o444)
        with _as_nobody(), Project.open(copy) as writer:
            add(writer, ["a"])


def test_a_link_to_a_project_that_another_is_writing_shows_what_was_written(project: Project, path: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        real, link = Path(name) / "theirs" / "x.pairwright", Path(name) / "mine.pairwright"
        real.parent.mkdir()
        project.close()
        shutil.copy(path, real)
        for folder in (real.parent, Path(name)):
            folder.chmod(0o755)
        link.symlink_to(real)
        with Project.open(real) as writer:
            add(writer, ["a"])
            with _as_nobody(), Project.open(link, read_only=True) as reader, reader.read_transaction() as stores:
                assert stores.papers.count() == 1
        with Project.open(link) as opened:
            before = opened.stamp()
            add(opened, ["b"])
            assert opened.stamp() != before


@pytest.mark.posix
def test_a_pipe_and_a_folder_of_that_name_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pairwright")
    (tmp_path / "folder.pairwright").mkdir()
    for read_only in (False, True):
        with pytest.raises(UserError, match="is no ordinary file"):
            Project.open(tmp_path / "pipe.pairwright", read_only=read_only)
        with pytest.raises(UserError, match="is a folder"):
            Project.open(tmp_path / "folder.pairwright", read_only=read_only)
