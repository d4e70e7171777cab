"""The schema: what the migrations make, and how projects of earlier versions become those of today."""

from __future__ import annotations

import gzip
import pkgutil
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect

import storage
from miner.classifier.doubt import doubt
from miner.classifier.examples import LABELS
from miner.errors import UserError
from miner.label_precision import PUBLISHED_PRECISION
from miner.mining.pair_values import word_overlap
from miner.mining.settings import MiningSettings
from miner.parsing.sentences import SplitterParameters
from miner.progress import Progress
from miner.records import Answer, Strategy
from storage import migrations, settings
from storage.annotation.rounds import ERRORS_QUEUE, OWN_QUEUE, TIES_QUEUE, QueueId, QueueKind, RoundOrder
from storage.dataset.export_options import ExportOptions, Preset
from storage.errors import DamagedProject
from storage.pairs import judgement
from storage.pairs.filters import PairFilter, PairStatus
from storage.papers.files import ChosenMetadata
from storage.project import Project
from storage.schema import Base
from storage.verification import Subject, find_changed_rows
from tests.storage.factories import add, paper
from tests.storage.stored_schemas import write_project

NEXT = f"{int(migrations.HEAD) + 1:04}"
"""The migration after the newest, of a future program."""


def test_the_tables_are_declared_as_the_migrations_make_them(project: Project, path: Path) -> None:
    project.close()
    for module in pkgutil.walk_packages(storage.__path__, "storage."):
        if not module.name.startswith("storage.migrations."):
            import_module(module.name)  # tables are declared beside the records that their rows become
    assert len(Base.metadata.tables) > 30
    with closing(sqlite3.connect(path)) as connection:
        for table in Base.metadata.sorted_tables:
            rows = connection.execute(f"PRAGMA table_xinfo ({table.name})")
            made = {name: (kind, not (is_required or key)) for _, name, kind, is_required, _, key, _ in rows}
            dialect = sqlite_dialect()
            assert {one.name: (one.type.compile(dialect), one.nullable) for one in table.columns} == made, table.name


def test_the_newest_migration_is_the_one_this_program_expects() -> None:
    assert ScriptDirectory(str(Path(migrations.__file__).parent)).get_heads() == [migrations.HEAD]


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The migrations of a future program: one more."""
    scripts = tmp_path / "migrations"
    shutil.copytree(Path(migrations.__file__).parent, scripts)
    (scripts / "versions" / f"{NEXT}_next.py").write_text(
        f"from alembic import op\nrevision = '{NEXT}'\ndown_revision = '{migrations.HEAD}'\n"
        "def upgrade():\n"
        "    op.execute('ALTER TABLE papers ADD COLUMN venue TEXT')\n"
        "    op.execute('UPDATE papers SET venue = title')\n"
    )
    return scripts


def test_a_migration_keeps_the_data(project: Project, path: Path, later: Path) -> None:
    add(project, ["a"])
    project.close()
    migrations.upgrade(path, str(later))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT venue FROM papers").fetchall() == [("On a",)]
        assert migrations.version(connection) == NEXT


def test_several_threads_migrate_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade, running = command.upgrade, threading.Semaphore(1)

    def upgrade_alone(config: Config, to: str) -> None:
        assert running.acquire(blocking=False), "Alembic fails when two threads use it"
        time.sleep(0.02)
        upgrade(config, to)
        running.release()

    monkeypatch.setattr(command, "upgrade", upgrade_alone)
    make_schema = migrations.schema_of.__wrapped__  # not one that is known already
    with ThreadPoolExecutor(3) as pool:
        made = list(pool.map(make_schema, [migrations.HEAD] * 3, [migrations.SCRIPTS] * 3))
    assert made == [migrations.schema_of(migrations.HEAD, migrations.SCRIPTS)] * 3


def test_a_migration_that_fails_leaves_the_file_as_it_was(project: Project, path: Path, later: Path) -> None:
    project.close()
    script = later / "versions" / f"{NEXT}_next.py"
    script.write_text(script.read_text() + "    raise ZeroDivisionError\n")
    with pytest.raises(ZeroDivisionError):
        migrations.upgrade(path, str(later))
    with closing(sqlite3.connect(path)) as connection:
        assert "venue" not in [row[1] for row in connection.execute("PRAGMA table_info (papers)")]
    Project.open(path).close()


def test_an_older_project_is_updated_and_a_copy_kept(
    project: Project, path: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(project, ["a"])
    project.close()
    before = migrations.HEAD
    monkeypatch.setattr(migrations, "HEAD", NEXT)
    monkeypatch.setattr(migrations, "SCRIPTS", str(later))
    with pytest.raises(UserError, match="older"):
        Project.open(path, read_only=True)
    Project.open(path).close()
    copy = path.with_name(f"test.before-{NEXT}.pairwright")
    for file, version in ((path, NEXT), (copy, before)):
        with closing(sqlite3.connect(file)) as connection:
            assert migrations.version(connection) == version
            assert connection.execute("SELECT title FROM papers").fetchall() == [("On a",)]


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("stored", sorted((Path(__file__).parent / "data").iterdir()), ids=lambda file: file.name)
def test_a_stored_project_of_every_schema_still_opens_with_its_answers(
    path: Path, stored: Path, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:  # then not all of it is looked through when it is opened
        monkeypatch.setattr("storage.file_checks._FULL_CHECK_MAX_BYTES", 0)
    path.write_bytes(gzip.decompress(stored.read_bytes()))
    with Project.open(path) as project:
        with project.read_transaction() as stores:
            key = stores.pairs.of_paper(paper("a").md5)[0].key
            assert stores.answers.of_pair(key) == {"anna": Answer.NEUTRAL}
            assert stores.papers.get(paper("b").md5) == paper("b")
        assert project.check() == []
        with project.transaction() as stores:
            run = stores._connection.exec_driver_sql
            assert run("SELECT status, gold FROM pairs WHERE key = ?", (key,)).one() == ("settled", "neutral")
            before = run("SELECT * FROM pairs ORDER BY id").mappings().all()
            judgement.refresh(stores._connection, [row["key"] for row in before])
            assert run("SELECT * FROM pairs ORDER BY id").mappings().all() == before
            for row in before:
                assert row["overlap"] == word_overlap(row["premise"], row["hypothesis"])
                assert row["premise_words"] == len(row["premise"].split())
                assert row["hypothesis_words"] == len(row["hypothesis"].split())


@pytest.mark.parametrize("changed", [False, True])
def test_a_pair_that_changed_before_the_update_is_noticed_after_it(path: Path, changed: bool) -> None:
    write_project("0016", path)
    if changed:
        with closing(sqlite3.connect(path)) as connection, connection:
            query = "SELECT sql FROM sqlite_master WHERE name = 'pairs_have_new_content'"
            [(trigger,)] = connection.execute(query).fetchall()
            connection.execute("DROP TRIGGER pairs_have_new_content")
            connection.execute("UPDATE pairs SET hypothesis_original = hypothesis_original || '!' WHERE id = 1")
            connection.execute(trigger)
    with Project.open(path) as project:
        assert [rows.subject for rows in find_changed_rows(project)] == [Subject.PAIRS] * changed


def test_a_stored_project_with_suggestions_still_shows_them(path: Path) -> None:
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "schema-0003.pairwright.gz").read_bytes()))
    with Project.open(path) as project, project.read_transaction() as stores:
        first, second = stores.pairs.of_paper(paper("a").md5)[:2]
        for line in stores.pair_table.rows(stores.pair_table.ids_of([first.key, second.key])):
            assert (line.suggested, line.confidence, line.probabilities) == ("neutral", 0.4, (0.1, 0.2, 0.3, 0.4))
            assert line.accepted is (line.key == second.key)
        assert [run.metrics for run in stores.training_runs.all()] == [{"macro_f1": 0.5}]


def test_a_stored_project_keeps_its_settings_and_its_round(path: Path) -> None:
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "schema-0004.pairwright.gz").read_bytes()))
    with Project.open(path) as project, project.read_transaction() as stores:
        anna, ben = stores.queues.current("anna"), stores.queues.current("ben")
        assert anna is not None
        assert ben is not None
        biology = frozenset({"biology"})
        options = (1, RoundOrder.CLASS_BALANCED, PairFilter(domains=biology, years=(2000, None)), 4, 7)
        assert (anna.number, anna.order, anna.filter, anna.size, anna.seed) == options
        starts = [key[:4] for key in anna.keys]
        assert starts == ["a730", "ef50", "0c62", "0cb0"]
        assert stores.queues.skipped("anna", OWN_QUEUE) == [anna.keys[1], anna.keys[0]]
        assert (ben.order, ben.filter, ben.seed) == (RoundOrder.RANDOM, PairFilter(domains=biology), 9)
        assert (ben.keys, stores.queues.skipped("ben", OWN_QUEUE)) == (anna.keys[1:], [])
        get = stores.settings.get
        unsettled = PairFilter(text='ä "cells grow"', statuses=frozenset({PairStatus.UNSETTLED}), flagged=True)
        assert get(settings.PAIR_FILTERS) == {"All": PairFilter(), "Unsettled “ä”": unsettled}
        shares = (("train", 80.0), ("test", 20.0))
        scope = PairFilter(text="cells")
        exported = ExportOptions(Preset.FULL, shares, True, 5, frozenset({Strategy.LINKED}), scope=scope)
        assert get(settings.LAST_EXPORT) == get(settings.LAST_SPLIT_EXPORT) == exported
        account = "0123456789abcdef"
        assert get(settings.LAST_EXPORT_FOLDER.of(account)) == "/exports/one"
        assert (get(settings.ANNOTATOR.of(account)), get(settings.ANNOTATOR.of("other"))) == ("anna", "")
        assert (get(settings.GUIDELINES), get(settings.BLIND)) == ("Be **strict**.", False)
        before = MiningSettings(seed=3, min_words=5).switch("Hence", on=True)
        assert get(settings.MINING) == replace(
            before, filters=before.filters - {"open_end", "unreadable"}
        )  # later filters
        assert get(settings.SENTENCES) == SplitterParameters(frozenset({"fig", "ä.b"}), frozenset({"we"}))
        assert get(settings.SENTENCE_WINDOWS) == {"0" * 32: ["fig"]}
        assert get(settings.LABEL_NOISE) == settings.LabelNoise(1, ((0.9, 0.1, 0.0, 0.0),) * 4)
        assert get(settings.SAMPLE_PAPERS_MISSING) is True
        assert stores.files.chosen_metadata() == {Path("/papers/bad.pdf"): ChosenMetadata("nlp", 2019)}


def test_a_stored_project_keeps_its_rounds_as_queues(path: Path) -> None:
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "schema-0009.pairwright.gz").read_bytes()))
    with Project.open(path) as project, project.read_transaction() as stores:
        biology = [[pair.key for pair in stores.pairs.of_paper(paper(name).md5)] for name in "ab"]
        second = QueueId(QueueKind.ASSIGNED, 2)  # the annotation round's own number, not that of the annotator's fifth
        for who, queue, keys, skipped in (
            ("anna", second, biology[1], [biology[1][2], biology[1][0]]),
            ("ben", OWN_QUEUE, biology[0], [biology[0][1]]),
            ("dee", TIES_QUEUE, biology[0][:2], []),
            ("eve", ERRORS_QUEUE, biology[1][:3], []),
        ):
            round = stores.queues.current(who)
            assert round is not None
            assert stores.queues.ids(who) == [round.queue] == [queue]
            assert round.keys == tuple(keys)
            assert stores.queues.skipped(who, queue) == skipped


@pytest.mark.parametrize(
    "value", ["", "{", "null", "[]", '"x"', '{"keys": 1}', '{"keys": [1, [2], "a"]}', '{"options": 1}', '{"a": "{"}']
)
def test_an_invalid_setting_does_not_prevent_an_update(path: Path, value: str) -> None:
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "schema-0004.pairwright.gz").read_bytes()))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE settings SET value = ? WHERE key != 'last_pair'", (value,))
    with Project.open(path) as project, project.read_transaction() as stores:
        assert stores.queues.current("anna") is None
        if value not in ("", "{"):  # no JSON is damage, as ever
            assert stores.settings.get(settings.LAST_EXPORT) is None
            assert stores.settings.get(settings.PAIR_FILTERS) == {}


def test_an_old_project_that_cannot_be_updated_is_damaged_and_stays_as_it_is(path: Path) -> None:
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "schema-0004.pairwright.gz").read_bytes()))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE pairs_text_config SET v = 0 WHERE k = 'version'")  # of the index of texts
    with pytest.raises(DamagedProject, match="is damaged"):
        Project.open(path)
    with closing(sqlite3.connect(path)) as connection:
        assert migrations.version(connection) == "0004"


def test_the_digest_of_the_schema_is_of_what_the_migrations_make() -> None:
    assert migrations.digest(migrations.schema_of(migrations.HEAD, migrations.SCRIPTS)) == migrations.DIGEST


def test_an_open_project_of_today_needs_no_migrations_tool(project: Project, path: Path) -> None:
    project.close()
    script = (
        f"import sys; from pathlib import Path; from storage.project import Project\nProject.open(Path({str(path)!r}))"
    )
    subprocess.run([sys.executable, "-c", f"{script}.close(); assert 'alembic' not in sys.modules"], check=True)


def test_a_project_from_before_samples_has_none_and_takes_one(path: Path) -> None:
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "schema-0012.pairwright.gz").read_bytes()))
    with Project.open(path) as project, project.transaction() as stores:
        assert stores.precision_samples.measure() is None
        keys, draw = stores.precision_draws.draw((), 3, 1, Progress())
        assert draw is not None
        stores.precision_samples.add(draw)
        assert {pair.key for pair in stores.precision_samples.sample()} >= set(keys) > set()


def test_labels_of_a_file_hold_again_where_votes_are_missing() -> None:
    update = import_module("storage.migrations.versions.0015_files_hold_until_votes_decide").UPDATE
    waiting = ("unsettled", "imported", "dev", "dev", 1)
    rows = [
        waiting,
        ("unsettled", "linked", "dev", "dev", 1),
        ("unsettled", "imported", "dev", "test", 1),
        ("unsettled", "imported", None, "dev", 1),
        ("unsettled", "imported", "train", "train", 1),
        ("unsettled", "imported", "dev", "dev", 3),
        ("open", "imported", "dev", "dev", 0),
    ]
    with closing(sqlite3.connect(":memory:")) as connection:
        columns = "status TEXT, strategy TEXT, own_split TEXT, split TEXT, votes INTEGER"
        connection.execute(
            f"CREATE TABLE pairs ({columns}, distant_label TEXT DEFAULT 'neutral', gold TEXT, majority TEXT)"
        )
        connection.execute("CREATE TABLE settings (key TEXT, value TEXT)")
        connection.executemany(
            "INSERT INTO pairs (status, strategy, own_split, split, votes) VALUES (?, ?, ?, ?, ?)", rows
        )
        connection.execute(update)
        assert connection.execute("SELECT count(*) FROM pairs WHERE status = 'settled'").fetchone() == (0,)  # no split
        connection.execute("INSERT INTO settings VALUES ('split', '{}')")
        connection.execute(update)
        found = connection.execute("SELECT rowid, gold, majority FROM pairs WHERE status = 'settled'").fetchall()
    assert found == [(1, "neutral", "neutral")]


def test_stored_doubts_become_what_doubts_are_today() -> None:
    update = import_module("storage.migrations.versions.0014_what_doubt_says").UPDATE
    rows = [(number, label, of_label) for number, label in enumerate(LABELS) for of_label in (0, 300, 5000, 10_000)]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE pairs (id INTEGER PRIMARY KEY, distant_label TEXT)")
        connection.execute("CREATE TABLE suggestions (pair INTEGER, doubt INTEGER)")
        for id, (_, label, of_label) in enumerate(rows):
            connection.execute("INSERT INTO pairs VALUES (?, ?)", (id, label.value))
            connection.execute("INSERT INTO suggestions VALUES (?, ?)", (id, 10_000 - of_label))
        connection.execute("INSERT INTO suggestions VALUES (0, NULL)")
        connection.execute(update)
        found = [value for (value,) in connection.execute("SELECT doubt FROM suggestions ORDER BY rowid")]
    shares = np.full((len(rows), 4), [[(1 - row[2] / 10_000) / 3] for row in rows])
    numbers = np.array([row[0] for row in rows])
    shares[np.arange(len(rows)), numbers] = [row[2] / 10_000 for row in rows]
    expected = 10_000 * doubt(shares, numbers, np.array([PUBLISHED_PRECISION[row[1]] for row in rows]))
    assert found[-1] is None
    assert found[:-1] == pytest.approx(expected, abs=0.51)
