"""Assignments sent as files and merged when they come back: what is said, what is refused, and what stays as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.exchange.project_split import set_split
from desktop.jobs.results import describe
from desktop.jobs.review import answers
from desktop.jobs.review.answer_files import find_answer_files, send_assignments
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer
from miner.splits import shares_split
from storage.annotation.annotation_rounds import AssignmentState
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.connections import copy_database
from storage.exchange.answer_files import write_answer_file
from storage.project import Project
from tests.answer_file_factory import (
    ANNA,
    BEN,
    answer_in,
    answers_of,
    edit,
    keys_in,
    mark_in,
    merge,
    minute,
    owner_project,
    send,
)

REASONING, NEUTRAL = Answer.REASONING, Answer.NEUTRAL
CHANGED = "is of another annotator or round than the one it was sent for: somebody has changed it"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with owner_project(tmp_path / "owner.pairwright", "ab") as project:
        yield project


def refusal(project: Project, path: Path) -> str:
    """Why a file is refused; checks that it changes nothing."""
    before = content(project)
    result = merge(project, path)
    assert (result.title, result.merged) == ("", ())
    assert content(project) == before
    [refused] = result.refused
    return f"{refused.reason} {refused.hint}"


def content(project: Project) -> list[object]:
    with project.read_transaction() as stores:
        tables = "label_events", "mark_events", "actions", "merged_answers", "assignments", "annotators", "pairs"
        return [stores._connection.exec_driver_sql(f"SELECT * FROM {table}").all() for table in tables]


def states(project: Project) -> list[AssignmentState]:
    with project.read_transaction() as stores:
        return [one.state for one in stores.annotation_rounds.assignments(1)]


def test_files_are_sent_to_all_or_to_some(project: Project, tmp_path: Path) -> None:
    [ben] = send_assignments(project, 1, tmp_path / "one", ["Ben Čech"]).work(Progress())
    assert describe(ben).sentence == "round-1-Ben-Čech.answers.pairwright: 9 pairs of round 1 for Ben Čech."
    assert states(project) == [AssignmentState.OPEN, AssignmentState.SENT]
    assert [path.name for path in send(project, tmp_path / "all")] == [
        "round-1-Anna.answers.pairwright",
        "round-1-Ben-Čech.answers.pairwright",
    ]
    assert states(project) == [AssignmentState.SENT, AssignmentState.SENT]


def test_what_cannot_be_sent_is_said_and_nothing_is_written(project: Project, tmp_path: Path) -> None:
    for number, names, expected in (
        (7, [], "There is no round 7"),
        (1, ["Cleo"], "Round 1 was not given to “Cleo”"),
        (1, ["Anna", "Cleo"], "Round 1 was not given to “Cleo”"),
    ):
        with pytest.raises(UserError, match=expected):
            send_assignments(project, number, tmp_path / "new", names).work(Progress())
    assert not (tmp_path / "new").exists()
    anna, ben = send(project, tmp_path / "sent")
    anna.unlink()
    answer_in(ben, {keys_in(project)[0]: [(1, NEUTRAL)]})
    with pytest.raises(UserError, match=r"Ben-Čech.* exists already, perhaps with answers in it. Nothing was written"):
        send(project, tmp_path / "sent")
    assert list((tmp_path / "sent").iterdir()) == [ben]


def test_two_names_that_make_one_file_name_make_two_files(project: Project, tmp_path: Path) -> None:
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE annotators SET name = 'A. B' WHERE key = ?", (ANNA.key,))
        stores._connection.exec_driver_sql("UPDATE annotators SET name = 'A. / B' WHERE key = ?", (BEN.key,))
    first, second = send(project, tmp_path / "sent")
    assert first.name == "round-1-A.-B.answers.pairwright"
    assert second.name.startswith("round-1-A.-B-")


def test_what_came_back_is_counted_and_one_undo_takes_it_back(project: Project, tmp_path: Path) -> None:
    keys = keys_in(project)
    anna, ben = send(project, tmp_path / "sent")
    answers.answer(project, [keys[0]], ANNA.key, REASONING).work(Progress())  # now, which is later
    before = content(project)[0]
    answer_in(anna, {keys[0]: [(1, NEUTRAL)], keys[1]: [(2, NEUTRAL)]})
    mark_in(anna, keys[1], MarkKind.NOTE, "Odd.", 3)
    mark_in(anna, keys[2], MarkKind.BAD, "not_prose", 4)
    answer_in(ben, {keys[1]: [(2, NEUTRAL)]})
    result = merge(project, anna, ben)
    text = describe(result)
    assert result.title == "Merge 2 answer files"
    assert text.sentence == (
        "Anna, round 1: 2 new answers, 1 conflict, 1 bad pair, 6 unanswered. "
        "Ben Čech, round 1: 1 new answer, 8 unanswered."
    )
    assert text.notes[0] == "2 flags and notes of Anna were merged too."
    assert "Anna answered reasoning on" in text.notes[1]
    assert "reasoning counts" in text.notes[1]
    assert result.conflict_keys(of_kinds=False) == (keys[0],)
    assert result.changes.annotated_keys == {keys[1], keys[2]}
    assert answers_of(project) == {keys[0]: REASONING, keys[1]: NEUTRAL}
    assert answers_of(project, BEN) == {keys[1]: NEUTRAL}
    assert states(project) == [AssignmentState.MERGED, AssignmentState.MERGED]
    with project.read_transaction() as stores:
        [event] = [one for one in stores.answers.history(keys[1]) if one.annotator == ANNA.key]
        assert (event.seen.seconds, event.seen.blind, event.seen.origin) == (4.5, True, "answer file")
        [item] = stores.rounds.items([keys[1]], ANNA.key)
        assert item.note == "Odd."

    undone = answers.undo(project, "anybody").work(Progress())
    assert undone is not None
    assert (undone.title, undone.count) == ("Merge 2 answer files", 2)
    assert answers_of(project) == {keys[0]: REASONING}
    assert answers_of(project, BEN) == {}
    assert states(project) == [AssignmentState.SENT, AssignmentState.SENT]
    assert content(project)[0][: len(before)] == before, "histories only grow"  # type: ignore[index]
    assert describe(merge(project, anna, ben)).sentence == text.sentence
    assert answers_of(project, BEN) == {keys[1]: NEUTRAL}

    anna_again, _ = send(project, tmp_path / "again")
    answer_in(anna_again, {keys[3]: [(5, NEUTRAL)]})
    merge(project, anna_again)
    answers.undo(project, "anybody").work(Progress())
    assert states(project) == [AssignmentState.SENT, AssignmentState.SENT], "files that were sent again are awaited"


def test_merging_twice_adds_nothing(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    answer_in(anna, {keys_in(project)[0]: [(1, NEUTRAL)]})
    assert merge(project, anna, anna, Path(shutil.copy(anna, tmp_path / "copy.pairwright"))).title
    before = content(project)
    again = merge(project, anna)
    assert again.title == ""
    assert describe(again).sentence == "Anna, round 1: 0 new answers, 1 already there, 8 unanswered."
    assert content(project) == before


def test_a_file_without_answers_is_said_to_have_none(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    before = content(project)
    assert describe(merge(project, anna)).sentence == "Anna, round 1: 0 new answers, 9 unanswered."
    assert content(project) == before


def test_a_renamed_annotator_keeps_their_answers(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    answer_in(anna, {keys_in(project)[0]: [(1, NEUTRAL)]})
    with project.transaction() as stores:  # and the name is somebody else's now
        stores._connection.exec_driver_sql("UPDATE annotators SET name = 'Annika' WHERE key = ?", (ANNA.key,))
        stores._connection.exec_driver_sql("UPDATE annotators SET name = 'Anna' WHERE key = ?", (BEN.key,))
    text = describe(merge(project, anna))
    assert text.sentence.startswith("Annika, round 1: 1 new answer")
    assert text.notes == ("The annotator is called Anna in the file and Annika in this project.",)
    assert set(answers_of(project, ANNA).values()) == {NEUTRAL}
    assert answers_of(project, BEN) == {}


def test_sentences_may_change_here_while_a_file_is_out(project: Project, tmp_path: Path) -> None:
    first, _ = send(project, tmp_path / "one")
    key, other, *_ = keys_in(project)
    with project.transaction() as stores:
        pair = stores.pairs.get(key)
        stores._connection.exec_driver_sql(
            "INSERT INTO text_events (pair_key, annotator, at, field, old, new) VALUES (?, '', '', 'premise', ?, 'M.')",
            (key, pair.premise),
        )
        stores._connection.exec_driver_sql("UPDATE pairs SET premise = 'M.' WHERE key = ?", (key,))
        stores._connection.exec_driver_sql("UPDATE pairs SET hypothesis = upper(hypothesis) WHERE key = ?", (other,))
    second, _ = send(project, tmp_path / "two")
    answer_in(first, {key: [(1, NEUTRAL)]})
    answer_in(second, {other: [(1, NEUTRAL)]})
    assert merge(project, first, second).refused == ()
    assert set(answers_of(project)) == {key, other}


def test_answers_to_a_pair_that_is_gone_wait_for_it(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    key = keys_in(project)[0]
    answer_in(anna, {key: [(1, NEUTRAL)]})
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM pairs WHERE key = ?", (key,))
    text = describe(merge(project, anna))
    assert text.notes == (
        "1 pair of the file is no longer in the project; the answers are kept, and count if the project has the pairs "
        "again.",
    )
    assert answers_of(project) == {key: NEUTRAL}


def test_answers_count_for_the_paper_that_stays_where_papers_were_merged_meanwhile(
    project: Project, tmp_path: Path
) -> None:
    anna, ben = send(project, tmp_path / "sent")
    for path in (anna, ben):
        answer_in(path, {key: [(1, REASONING)] for key in keys_in(project)})
    merge(project, ben)
    with project.transaction() as stores:
        kept, other = sorted(stores.papers.md5s())
        assert "in round 1, which is open" in stores.duplicates.why_not(kept, other)
        stores.annotation_rounds.set_open(1, False)
        assert stores.duplicates.why_not(kept, other) == ""
        stores.paper_removals.merge(stores.actions.begin("ana", "Merge papers", minute(9)), kept, other)
        given = stores.annotators.answer_counts()
    assert given[BEN.key] == len(answers_of(project, BEN))  # those of the paper that went do not count twice
    assert not merge(project, anna).refused
    assert answers_of(project) == answers_of(project, BEN)


def test_a_file_of_another_project_is_refused(project: Project, tmp_path: Path) -> None:
    with owner_project(tmp_path / "other.pairwright", "a") as other:
        _, ben = send(other, tmp_path / "theirs")
    anna, _ = send(project, tmp_path / "ours")
    missing = tmp_path / "missing.pairwright"
    found = find_answer_files(project, [ben, anna, project.path, missing]).work(Progress())
    assert (found.own, list(found.foreign)) == ([anna], [ben])
    assert refusal(project, ben) == (
        f"{ben} holds the answers of Ben Čech to round 1 of another project. "
        "Open the project that it was sent from, and merge it there."
    )


def test_an_answer_file_merges_nothing_itself(project: Project, tmp_path: Path) -> None:
    anna, ben = send(project, tmp_path / "sent")
    for other in (anna, ben):
        with (
            Project.open(anna) as file,
            pytest.raises(UserError, match="is an answer file itself: the answers of Anna"),
        ):
            merge(file, other)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("UPDATE pairs SET premise = 'Other.' WHERE id = 1", "are not those that were sent"),
        ("UPDATE settings SET value = json_set(value, '$.annotator', 'key of ben') WHERE key = 'assignment'", CHANGED),
        ("UPDATE settings SET value = json_set(value, '$.round_uid', 'x') WHERE key = 'assignment'", CHANGED),
        ("UPDATE settings SET value = json_set(value, '$.round', 2) WHERE key = 'assignment'", CHANGED),
        (r"""UPDATE settings SET value = json_set(value, '$.round_uid', json('"\udfff"'))""", "is damaged"),
        ("UPDATE alembic_version SET version_num = '0099'", "newer Pairwright"),
    ],
)
def test_a_file_that_somebody_has_changed_changes_nothing(
    project: Project, tmp_path: Path, change: str, expected: str
) -> None:
    anna, _ = send(project, tmp_path / "sent")
    edit(anna, change)
    assert expected in refusal(project, anna)


def test_a_file_whose_sentences_and_digest_were_changed_is_refused(project: Project, tmp_path: Path) -> None:
    with project.read_transaction() as stores:
        round = stores.annotation_rounds.get(1)
        assignment = stores.annotation_rounds.assignments(1)[0]
        assert round is not None
    forged = tmp_path / "forged.pairwright"
    copy_database(project.path, tmp_path / "copy.pairwright")
    with Project.open(tmp_path / "copy.pairwright") as copy:
        with copy.transaction() as stores:
            stores._connection.exec_driver_sql("UPDATE pairs SET premise = 'Other.' WHERE id = 1")
        with copy.read_transaction() as stores:
            write_answer_file(stores, round, assignment, ANNA, forged)
    send(project, tmp_path / "sent")
    assert "has other sentences than the project in 1 of 9 pairs" in refusal(project, forged)


def test_a_file_with_a_pair_of_another_round_is_refused(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM annotation_round_pairs WHERE ordinal = 0")
    assert "holds 1 pair that round 1 does not have" in refusal(project, anna)


def test_other_files_are_refused_by_name_and_the_good_one_is_merged(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    answer_in(anna, {keys_in(project)[0]: [(1, NEUTRAL)]})
    mark_in(anna, keys_in(project)[0], MarkKind.FLAG, FLAG_VALUE, 2)
    truncated = tmp_path / "truncated.pairwright"
    truncated.write_bytes(anna.read_bytes()[:-3000])
    result = merge(project, truncated, anna, project.path, tmp_path / "missing.pairwright")
    assert [file.path for file in result.merged] == [anna]
    reasons = [str(file.reason) for file in result.refused]
    assert "truncated.pairwright is damaged" in reasons[0]
    assert "owner.pairwright is a project, but not an answer file" in reasons[1]
    assert "There is no" in reasons[2]
    assert answers_of(project) == {keys_in(project)[0]: NEUTRAL}


@pytest.mark.usefixtures("ordinary_user")
def test_a_project_that_can_only_be_read_says_so(project: Project, tmp_path: Path) -> None:
    anna, _ = send(project, tmp_path / "sent")
    answer_in(anna, {keys_in(project)[0]: [(1, NEUTRAL)]})
    with Project.open(project.path, read_only=True) as reading, pytest.raises(UserError, match="cannot be written"):
        merge(reading, anna)


def test_the_command_sends_files(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project.close()
    at = ["--project", str(project.path), "--out", str(tmp_path / "sent")]
    assert main(["round", "send", "1", "--to", "Anna", *at]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Wrote 1 file for round 1:"
    assert str(tmp_path / "sent" / "round-1-Anna.answers.pairwright") in lines[1]
    assert main(["round", "send", "1", *at]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Wrote 1 file for round 1; 1 was there already:")
    assert said.count("It was there already, without answers, and was left as it is.") == 1
    assert main(["round", "send", "1", "--to", "Ben Čech", "--json", *at]) == 0
    [sent] = json.loads(capsys.readouterr().out)
    assert (sent["annotator"], sent["pairs"], sent["missing"], sent["left"]) == ("Ben Čech", 9, 0, True)
    mark_in(tmp_path / "sent" / "round-1-Anna.answers.pairwright", keys_in(project)[0], MarkKind.NOTE, "Odd.", 1)
    assert main(["round", "send", "1", *at]) == 1
    assert "exists already" in capsys.readouterr().err


def test_commands_change_nothing_but_answers_in_an_answer_file(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, _ = send(project, tmp_path / "sent")
    key = keys_in(project)[0]
    with Project.open(anna) as file:
        answers.answer(file, [key], ANNA.key, NEUTRAL).work(Progress())
    for words in (["merge", str(anna)], ["mine"], ["people", "add", "Cleo"], ["accept", "--at-least", "95"]):
        assert main([*words, "--project", str(anna)]) == 1
        assert "is an answer file, for the answers of Anna alone" in capsys.readouterr().err
    assert main(["stats", "--project", str(anna)]) == 0
    assert main(["undo", "--project", str(anna)]) == 0
    assert [path.suffixes for path in anna.parent.iterdir()] == [[".answers", ".pairwright"]] * 2
    assert describe(merge(project, anna)).sentence == "Anna, round 1: 0 new answers, 9 unanswered."


def test_the_command_merges_and_says_what_it_did(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, ben = send(project, tmp_path / "sent")
    key = keys_in(project)[0]
    answer_in(anna, {key: [(1, NEUTRAL)]})
    project.close()
    for path in (anna, ben):
        shutil.copy(path, tmp_path)  # beside the project: they are not taken for the project
    at = ["--project", str(project.path), "--json"]
    assert main(["merge", str(anna), str(ben), *at]) == 0
    first, second = json.loads(capsys.readouterr().out)["files"]
    assert (first["annotator"], first["new"], first["unanswered"], second["new"]) == ("Anna", 1, 8, 0)
    assert main(["merge", str(anna), str(project.path), *at]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["done"] is None
    assert "is a project, but not an answer file" in printed["files"][1]["error"]
    assert main(["undo", *at]) == 0
    assert main(["merge", str(anna), "--project", str(project.path)]) == 0
    assert capsys.readouterr().out.endswith("Anna, round 1: 1 new answer, 8 unanswered.\n")


def test_answers_to_pairs_that_are_train_pairs_now_are_kept_and_correct_them(project: Project, tmp_path: Path) -> None:
    keys = keys_in(project)
    anna, ben = send(project, tmp_path / "sent")
    set_split(project, shares_split(100, 0, 0), confirmed=True).work(Progress())
    answer_in(anna, {keys[0]: [(1, NEUTRAL)], keys[1]: [(2, REASONING)]})
    [notes] = [describe(merge(project, anna)).notes]
    kept = "2 answers are to pairs that are now in train: they correct the labels there"
    assert notes == (f"{kept}, but do not count as votes for a gold label.",)
    assert answers_of(project) == {keys[0]: NEUTRAL, keys[1]: REASONING}
    with project.read_transaction() as stores:
        query = "SELECT key, gold FROM pairs WHERE status = 'settled'"
        rows = dict(map(tuple, stores._connection.exec_driver_sql(query)))
    assert rows == {keys[0]: "neutral", keys[1]: "reasoning"}
    assert describe(merge(project, ben)).notes == ()
