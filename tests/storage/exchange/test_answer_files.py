"""Answer files: what is in them, what is not, and which files are refused."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.records import Answer, Strategy
from storage.annotation.annotation_rounds import RoundKind
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.exchange.answer_files import assignment_in, read_answer_file
from storage.exchange.sent_pairs import file_stem
from storage.pairs.filters import PairStatus
from storage.project import Project
from storage.settings import ASSIGNMENT, BLIND, GUIDELINES
from tests.answer_file_factory import ANNA, answer_in, edit, keys_in, mark_in, merge, minute, owner_project, send

CHANGED = "somebody has changed"
FOREIGN = "Pairwright did not write"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that has sent a file to Anna; tests do not change it."""
    with owner_project(tmp_path_factory.mktemp("owner") / "owner.pairwright", "a") as project:
        send(project, project.path.parent / "sent")
        yield project


@pytest.fixture
def file(project: Project, tmp_path: Path) -> Path:
    """Anna's copy of the file."""
    (tmp_path / "Anna").mkdir()
    return Path(shutil.copy(project.path.parent / "sent" / "round-1-Anna.answers.pairwright", tmp_path / "Anna"))


@pytest.fixture
def own_project(tmp_path: Path) -> Iterator[Project]:
    """A project that a test may change."""
    with owner_project(tmp_path / "owner.pairwright", "a") as project:
        yield project


def test_an_answer_file_is_a_project_with_one_round_of_the_pairs(project: Project, file: Path) -> None:
    assert file.name == "round-1-Anna.answers.pairwright"
    keys = tuple(keys_in(project))
    with project.read_transaction() as stores:
        texts = {key: stores.pairs.get(key) for key in keys}
        uid = stores.annotation_rounds.assignments(1)[0].uid
    with Project.open(file) as sent, sent.read_transaction() as stores:
        assignment = stores.settings.get(ASSIGNMENT)
        assert assignment is not None
        assert (assignment.uid, assignment.round, assignment.kind) == (uid, 1, RoundKind.BENCHMARK)
        assert (assignment.annotator, assignment.name, assignment.pairs) == (ANNA.key, "Anna", len(keys))
        assert stores.settings.get(GUIDELINES) == "Unclear is an answer, too."
        assert stores.settings.get(BLIND)
        assert stores.annotators.all() == [ANNA]
        round = stores.queues.current(ANNA.key)
        assert round is not None
        assert (round.keys, round.number) == (keys, 1)
        for item in stores.rounds.items(keys, ANNA.key):
            there = texts[item.pair.key]
            assert (item.pair.premise, item.pair.hypothesis) == (there.premise, there.hypothesis)
            assert item.pair.hypothesis_original == there.hypothesis
            assert item.pair.strategy is Strategy.IMPORTED
            assert item.pair.distant_label is item.pair.phrase is item.suggestion is None
            assert (item.title, item.domain, item.status, item.others) == ("", "", PairStatus.OPEN, 0)
    assert assignment_in(file) == assignment


def test_nothing_else_of_the_project_is_in_the_file(own_project: Project, tmp_path: Path) -> None:
    project = own_project
    with project.transaction() as stores:
        key = stores.annotation_rounds.keys(1)[0]
        stores._connection.exec_driver_sql(
            "UPDATE papers SET title = 'Secret title', doi = '10.1/secret', authors = '[\"Secret\"]'"
        )
        stores._connection.exec_driver_sql(
            "UPDATE pairs SET phrase = 'Secretly', hypothesis_original = 'Secretly, ' || hypothesis, "
            "source = '{\"secret\": 1}', source_id = 'secret', flags = '[\"no_comma\"]'"
        )
    answers = {key: [(0.0, Answer.NEUTRAL)]}
    first, _ = send(project, tmp_path / "one")
    answer_in(first, answers)
    merge(project, first)  # an answer, and what the project knows of files that came back
    again, _ = send(project, tmp_path / "two")
    content = again.read_bytes().lower()
    with project.read_transaction() as stores:
        papers = stores._connection.exec_driver_sql("SELECT sha256 FROM papers").scalars().all()
    for secret in ("secret", "key of ben", "čech", "biology", "owner.pairwright", *papers):
        assert secret.encode() not in content, secret
    with Project.open(again) as sent, sent.read_transaction() as stores:
        for column in ("distant_label", "phrase", "gold", "source", "source_id", "source_label", "split", "page"):
            assert stores._connection.exec_driver_sql(f"SELECT count({column}) FROM pairs").scalar_one() == 0
        for table in ("label_events", "mark_events", "actions", "suggestions", "mining_runs", "files", "assignments"):
            assert stores._connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0


def test_five_hundred_pairs_are_less_than_a_megabyte_in_one_file(tmp_path: Path) -> None:
    with owner_project(tmp_path / "owner.pairwright", map(str, range(100))) as project:
        long = "The mean temperature of the surface water was 12.3 degrees in all bays that we sampled. " * 3
        with project.transaction() as stores:
            stores._connection.exec_driver_sql("UPDATE pairs SET premise = premise || ?", (long,))
        file, _ = send(project, tmp_path / "sent")
        assert len(keys_in(project)) >= 400
    answer_in(file, {})
    assert [path.name for path in file.parent.iterdir() if "Anna" in path.name] == [file.name]
    assert file.stat().st_size < 1_000_000


def test_bad_and_removed_pairs_are_not_sent(own_project: Project, tmp_path: Path) -> None:
    project = own_project
    first, second, *others = keys_in(project)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET status = 'bad' WHERE key = ?", (first,))
        stores._connection.exec_driver_sql("DELETE FROM pairs WHERE key = ?", (second,))
    file, _ = send(project, tmp_path / "sent")
    assert list(read_answer_file(file).texts) == others
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET status = 'bad'")
    with pytest.raises(UserError, match="No pair of round 1 is left to send"):
        send(project, tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Anna", "Anna"),
        ("../..\\x", "x"),
        ("  ", "annotator"),
        ("/", "annotator"),
        ("Zoë K.", "Zoë-K"),
        ("a" * 99, "a" * 60),
    ],
)
def test_the_name_of_a_file_can_be_a_file(name: str, expected: str) -> None:
    assert file_stem(3, name) == f"round-3-{expected}"


def test_what_came_back_is_read_with_its_times(project: Project, file: Path) -> None:
    first, second, *_ = keys_in(project)
    answer_in(file, {first: [(1, Answer.NEUTRAL), (2, None)], second: [(3, Answer.UNCLEAR)]})
    mark_in(file, second, MarkKind.NOTE, "Which one?", 4)
    mark_in(file, second, MarkKind.FLAG, FLAG_VALUE, 5)
    before = file.read_bytes()
    read = read_answer_file(file)
    assert file.read_bytes() == before
    assert [answer[:3] for answer in read.answers] == [
        (first, minute(1), Answer.NEUTRAL),
        (first, minute(2), None),
        (second, minute(3), Answer.UNCLEAR),
    ]
    assert {(answer.seen.seconds, answer.seen.origin) for answer in read.answers} == {(4.5, "answer file")}
    assert [tuple(mark) for mark in read.marks] == [
        (second, minute(4), MarkKind.NOTE, "Which one?"),
        (second, minute(5), MarkKind.FLAG, FLAG_VALUE),
    ]


def test_a_clock_that_was_set_back_does_not_reverse_the_answers(project: Project, file: Path) -> None:
    key = keys_in(project)[0]
    answer_in(file, {key: [(60, Answer.NEUTRAL), (0, Answer.REASONING)]})
    first, second = read_answer_file(file).answers
    assert first.at == minute(60) < second.at
    assert second.answer is Answer.REASONING


def test_a_file_that_is_open_elsewhere_is_read_with_its_latest_answers(project: Project, file: Path) -> None:
    with Project.open(file) as opened:
        answer_in(file, {keys_in(project)[0]: [(1, Answer.NEUTRAL)]})
        assert len(read_answer_file(file).answers) == 1
        assert opened.is_there


@pytest.mark.usefixtures("ordinary_user")
def test_a_file_in_a_read_only_folder_is_read(project: Project, file: Path) -> None:
    answer_in(file, {keys_in(project)[0]: [(1, Answer.NEUTRAL)]})
    file.chmod(0o400)
    file.parent.chmod(0o500)
    try:
        assert len(read_answer_file(file).answers) == 1
        with pytest.raises(UserError, match="cannot be made"):
            send(project, file.parent / "deeper")
    finally:
        file.parent.chmod(0o700)


def test_a_project_is_not_an_answer_file(project: Project) -> None:
    assert assignment_in(project.path) is None
    with pytest.raises(UserError, match="is a project, but not an answer file"):
        read_answer_file(project.path)


@pytest.mark.parametrize("size", [0, 50, 3000, -2000])
def test_a_truncated_file_is_refused(file: Path, size: int) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:size])
    with pytest.raises(UserError, match=r"is not a Pairwright project|is damaged") as refused:
        read_answer_file(file)
    assert "backup" not in refused.value.hint


def test_a_file_with_broken_pages_is_refused(project: Project, file: Path) -> None:
    answer_in(file, {key: [(1, Answer.NEUTRAL)] for key in keys_in(project)})
    content = bytearray(file.read_bytes())
    start = content.rindex(b"premise") // 1024 * 1024
    content[start : start + 900] = b"\xff" * 900
    file.write_bytes(content)
    with pytest.raises(UserError, match="is damaged"):
        read_answer_file(file)


def test_a_file_of_a_newer_program_is_refused(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0099'")
        connection.commit()
    with pytest.raises(UserError, match="made by a newer Pairwright"):
        read_answer_file(file)


def test_a_file_with_a_trigger_of_somebody_is_refused(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TRIGGER more AFTER INSERT ON pairs BEGIN DELETE FROM papers; END")
    with pytest.raises(UserError, match="contains what Pairwright did not create"):
        read_answer_file(file)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("UPDATE pairs SET premise = premise || '!' WHERE id = 1", CHANGED),
        ("UPDATE pairs SET key = 'other' WHERE id = 1", CHANGED),
        ("DELETE FROM pairs WHERE id = 1", CHANGED),
        ("UPDATE pairs SET hypothesis = x'ff' WHERE id = 1", "is damaged"),
        ("UPDATE settings SET value = json_set(value, '$.pairs', 3) WHERE key = 'assignment'", CHANGED),
        ("UPDATE settings SET value = json_set(value, '$.pairs', -3) WHERE key = 'assignment'", "is damaged"),
        ("UPDATE settings SET value = '[]' WHERE key = 'assignment'", "is damaged"),
        ("UPDATE settings SET value = json_set(value, '$.name', ' ') WHERE key = 'assignment'", "is damaged"),
        ("UPDATE label_events SET annotator = 'ben'", FOREIGN),
        ("UPDATE label_events SET pair_key = 'other'", FOREIGN),
        ("UPDATE label_events SET new = 'maybe'", FOREIGN),
        ("UPDATE label_events SET new = x'00'", FOREIGN),
        ("UPDATE label_events SET via = 'accepted'", FOREIGN),
        ("UPDATE label_events SET at = 'noon'", FOREIGN),
        ("UPDATE label_events SET at = '2026-03-02T09:00:00'", FOREIGN),
        ("UPDATE label_events SET at = '2999-03-02T09:00:00+00:00'", FOREIGN),
        ("UPDATE label_events SET at = '1970-03-02T09:00:00+00:00'", FOREIGN),
        ("UPDATE label_events SET seen = '[[[['", FOREIGN),
        ("UPDATE mark_events SET new = '2'", FOREIGN),
        ("UPDATE mark_events SET new = ''", FOREIGN),
        ("UPDATE mark_events SET annotator = 'ben'", FOREIGN),
    ],
)
def test_a_file_that_somebody_has_changed_is_refused(project: Project, file: Path, change: str, expected: str) -> None:
    key = keys_in(project)[0]
    answer_in(file, {key: [(1, Answer.NEUTRAL)]})
    mark_in(file, key, MarkKind.FLAG, FLAG_VALUE, 2)
    edit(file, change)
    with pytest.raises(UserError, match=expected) as caught:
        read_answer_file(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("seconds", ["-1", "1e300", "1e999", '"long"'])
def test_times_on_the_screen_that_cannot_be_are_left_out(project: Project, file: Path, seconds: str) -> None:
    answer_in(file, {keys_in(project)[0]: [(1, Answer.NEUTRAL)]})
    edit(file, f"UPDATE label_events SET seen = '{{\"seconds\": {seconds}}}'")
    if seconds.startswith('"'):
        with pytest.raises(UserError, match=FOREIGN):
            read_answer_file(file)
    else:
        assert read_answer_file(file).answers[0].seen.seconds is None


def test_other_files_are_no_answer_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no"):
        read_answer_file(tmp_path / "missing.pairwright")
    with pytest.raises(UserError, match="is a folder"):
        read_answer_file(tmp_path)
    text = tmp_path / "text.pairwright"
    text.write_text("key,label\n" * 99)
    with pytest.raises(UserError, match="is not a Pairwright project"):
        read_answer_file(text)


def test_a_copy_of_a_file_is_as_good(project: Project, file: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(file, tmp_path / "Antworten.pairwright"))
    assert read_answer_file(copy).texts == read_answer_file(file).texts
