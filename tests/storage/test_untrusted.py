"""A project file from somebody else: nothing in it leads out of the project, and nothing in it runs."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner.errors import UserError
from storage import convert
from storage.errors import UndecodableValue
from storage.models.registry import ModelKind
from storage.project import Project
from storage.stores import Stores
from storage.untrusted import inflate, is_safe_to_access, safe_folder_name, safe_hub_name, safe_local_folder
from tests.storage.factories import add, mine, paper

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OUTSIDE = ("/home/anna/papers", "../papers", "..", ".", "", "a/b", "a\\b", "C:", "C:\\papers", "\\\\host\\share", "a:b")


@pytest.mark.parametrize("text", [*OUTSIDE, "NUL", "com1", "a\0b", "name.", "name ", "a\nb", "x" * 300])
def test_folder_names_are_plain_names(text: str) -> None:
    assert safe_folder_name(text) == ""
    assert safe_folder_name("12-my-model-2") == "12-my-model-2"


def test_a_network_share_is_not_a_local_folder() -> None:
    assert safe_local_folder("\\\\host\\share\\model") == safe_local_folder("//host/share/model") == ""
    assert safe_local_folder("../model") == safe_local_folder("") == ""
    assert safe_local_folder("/models/scibert") == "/models/scibert"


def test_a_hub_name_is_not_a_path() -> None:
    assert safe_hub_name("allenai/scibert") == "allenai/scibert"
    assert safe_hub_name("../up") == safe_hub_name("/etc/x") == safe_hub_name("a/b/c") == safe_hub_name("") == ""


def test_a_network_share_is_accessed_only_for_a_project_on_it() -> None:
    paper, project = Path("//host/share/papers/a.pdf"), Path("//host/share/psy.pairwright")
    assert is_safe_to_access(paper, project)
    assert not is_safe_to_access(paper, Path("/home/anna/psy.pairwright"))
    assert not is_safe_to_access(Path("//host/other/a.pdf"), project)
    assert is_safe_to_access(Path("/papers/a.pdf"), project)


@pytest.mark.parametrize("text", OUTSIDE)
def test_runs_and_models_with_an_unsafe_folder_have_none(project: Project, text: str) -> None:
    with project.transaction() as stores:
        run = stores.training_runs.start(
            "evil", settings={}, fingerprint="", data={}, versions={}, folder=text, at=NOW
        )  # fmt: skip
        model = stores.models.enter("d" * 32, "evil", ModelKind.PROJECT, text, {}, None)
    with project.read_transaction() as stores:
        assert stores.training_runs.get(run).folder == stores.models.get(model).folder == ""


UNKNOWN_VALUES: dict[str, tuple[str, Callable[[Stores], object]]] = {
    "strategy": ("UPDATE pairs SET strategy = 'guessed'", lambda stores: stores.statistics.counts()),
    "funnel": ("UPDATE OR REPLACE funnel SET strategy = 'guessed'", lambda stores: stores.statistics.funnel()),
    "mining run": ("UPDATE mining_runs SET state = 'odd'", lambda stores: stores.mining_runs.current()),
    "training run": ("UPDATE training_runs SET metrics = '[]'", lambda stores: stores.training_runs.all()),
    "edited": (
        "UPDATE papers SET edited = '5'",
        lambda stores: stores.papers.set_default_domain(paper("a").md5, "botany"),
    ),
}


@pytest.mark.parametrize("name", UNKNOWN_VALUES)
def test_a_value_that_the_program_never_stores_means_a_damaged_project(project: Project, name: str) -> None:
    add(project, ["a"])
    mine(project)
    with project.transaction() as stores:
        stores.papers.set_metadata(paper("a").md5, domain="")
        stores.training_runs.start("one", settings={}, fingerprint="", data={}, versions={}, folder="1", at=NOW)
        change, read = UNKNOWN_VALUES[name]
        stores._connection.exec_driver_sql(change)
    with pytest.raises(UserError, match="damaged"), project.transaction() as stores:
        read(stores)


HOSTILE = {
    "trigger": "CREATE TRIGGER evil AFTER INSERT ON label_events BEGIN UPDATE pairs SET gold = 'neutral'; END",
    "view": "CREATE VIEW evil AS SELECT * FROM papers",
    "table": "CREATE TABLE evil (x)",
    "index": "CREATE INDEX evil ON papers (title)",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_project_with_a_foreign_trigger_or_view_is_refused(project: Project, path: Path, kind: str) -> None:
    project.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(HOSTILE[kind])
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(UserError, match=f"did not create: {kind} evil"):
            Project.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_a_schema_that_is_no_text_is_damage(project: Project, path: Path) -> None:
    project.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET name = x'41' WHERE type = 'view' AND name = 'sentences'")
    with pytest.raises(UserError, match="is damaged"):
        Project.open(path)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_an_older_project_is_checked_before_its_triggers_run(path: Path, version: int) -> None:
    stored = Path(__file__).parent / "data" / f"schema-000{version}.pairwright.gz"
    path.write_bytes(gzip.decompress(stored.read_bytes()))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TRIGGER evil AFTER UPDATE ON pairs BEGIN DELETE FROM papers; END")
    with pytest.raises(UserError, match="trigger evil"):
        Project.open(path)
    assert list(path.parent.iterdir()) == [path]


def test_a_project_with_a_view_instead_of_a_table_is_refused(project: Project, path: Path) -> None:
    project.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("ALTER TABLE papers RENAME TO kept; CREATE VIEW papers AS SELECT * FROM kept")
    with pytest.raises(UserError, match="did not create"):
        Project.open(path)


@pytest.mark.parametrize("writable", [True, False])
def test_triggers_and_views_may_call_no_function_beyond_the_file(project: Project, path: Path, writable: bool) -> None:
    project.close()
    with Project.open(path, read_only=not writable) as again, again.read_transaction() as stores:
        assert stores._connection.exec_driver_sql("PRAGMA trusted_schema").scalar() == 0
        assert stores._connection.exec_driver_sql("PRAGMA cell_size_check").scalar() == 1


def test_decompression_bombs_are_refused() -> None:
    for packed in (zlib.compress(bytes(10_000_000)), gzip.compress(bytes(10_000_000))):
        assert inflate(packed, 10_000_000) == bytes(10_000_000)
        with pytest.raises(zlib.error):
            inflate(packed, 9_999_999)
    with pytest.raises(UndecodableValue):
        convert.unpack_spans(zlib.compress(bytes(100_000_000)))


def test_column_names_come_from_the_schema_not_from_the_file(project: Project) -> None:
    add(project, ["a"])
    with project.transaction() as stores:
        [md5] = stores.papers.md5s()
        action = stores.actions.begin("anna", "Removed a paper", NOW)
        stores.paper_removals.remove(action, [md5])
        packed = stores._connection.exec_driver_sql("SELECT content FROM removed_papers").scalar_one()
        content = json.loads(gzip.decompress(packed))
        content["paper"]["title) VALUES (1); --"] = "evil"
        evil = gzip.compress(json.dumps(content).encode())
        stores._connection.exec_driver_sql("UPDATE removed_papers SET content = ?", (evil,))
        insert = "INSERT INTO paper_events (md5, field, old, new, action) VALUES (?, 'year = 1, title', ?, ?, ?)"
        stores._connection.exec_driver_sql(insert, (md5, '["x"]', '["On a"]', action))
    with project.transaction() as stores:
        assert stores.actions.undo("anna", NOW) is not None
    with project.read_transaction() as stores:
        paper = stores.papers.summary(md5)
        assert paper is not None
        assert (paper.title, paper.year) == ("On a", 2019)


@pytest.mark.usefixtures("ordinary_user")
def test_a_link_beside_a_project_makes_no_other_file_writable(project: Project, path: Path, tmp_path: Path) -> None:
    project.close()
    key = tmp_path / "key"
    key.write_text("secret")
    key.chmod(0o400)
    path.with_name(path.name + "-shm").symlink_to(key)
    with suppress(UserError):
        Project.open(path).close()
    assert key.stat().st_mode & 0o777 == 0o400
    assert key.read_text() == "secret"
