"""Rounds sent as tables, and what is merged of the tables and exports that come back."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.cli.main import main
from desktop.jobs.results import describe
from desktop.jobs.review import annotation_rounds, answers
from desktop.jobs.review.answer_files import find_answer_files, send_assignments
from desktop.jobs.review.merge_results import MergeResult
from miner.errors import UserError
from miner.progress import Progress
from miner.records import ANSWER_DEFINITIONS, Answer, Label
from storage.annotation.annotation_rounds import AssignmentState, RoundAsks, RoundPlan
from storage.annotation.sent_assignments import AssignmentForm
from storage.connections import copy_database
from storage.exchange.answer_tables.labels import LETTERS
from storage.project import Project
from tests.answer_file_factory import ANNA, BEN, answer_in, answers_of, keys_in, merge, minute, owner_project, send
from tests.answer_table_factory import (
    ID,
    LABEL,
    Row,
    fill_csv,
    id_of,
    label_studio_json,
    label_studio_rows,
    labels_by_id,
    prodigy_lines,
    read_csv,
    read_lines,
    saved_at,
    send_as,
    some_answers,
    table_project,
    write_csv,
    write_lines,
)
from tests.storage.annotation.round_factory import add_pairs

NEUTRAL, REASONING, CONTRASTING = Answer.NEUTRAL, Answer.REASONING, Answer.CONTRASTING
TABLES = [form for form in AssignmentForm if form is not AssignmentForm.ANSWER_FILE]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with table_project(tmp_path / "owner.pairwright") as project:
        yield project


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that tests copy."""
    with table_project(tmp_path_factory.mktemp("shared") / "owner.pairwright", "ab") as project:
        yield project


@contextmanager
def copy_of(project: Project, path: Path) -> Iterator[Project]:
    path.unlink(missing_ok=True)
    copy_database(project.path, path)
    with Project.open(path) as copy:
        yield copy


def content(project: Project) -> tuple[object, ...]:
    """Everything that merging could change."""
    tables = "label_events", "mark_events", "merged_answers", "actions", "assignments", "pairs", "settings"
    with project.read_transaction() as stores:
        return tuple(
            [tuple(row) for row in stores._connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY rowid")]
            for table in tables
        )


def reasons(result: MergeResult) -> list[str]:
    return [f"{one.place}: {one.reason}" for rows in result.rows for one in rows.first]


# Sending


@pytest.mark.parametrize("form", TABLES)
def test_a_table_holds_the_pairs_and_nothing_that_tells_a_label(project: Project, tmp_path: Path, form: str) -> None:
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE papers SET title = 'Secret', authors = '[\"Secret\"]'")
        stores._connection.exec_driver_sql(
            "UPDATE pairs SET phrase = 'Secretly', hypothesis_original = 'Secretly, ' || hypothesis, source = '[]'"
        )
        papers = stores._connection.exec_driver_sql("SELECT sha256 FROM papers").scalars().all()
        uids = [one.uid for one in stores.annotation_rounds.assignments(1)]
        pairs = [stores.pairs.get(key) for key in stores.annotation_rounds.keys(1)]
    [sent] = send_assignments(project, 1, tmp_path / "sent", ["Anna"], AssignmentForm(form)).work(Progress())
    main_file = sent.path.read_text(encoding="utf-8-sig")
    for secret in ("secret", "ben", *keys_in(project), *papers, *uids, *{pair.strategy.value for pair in pairs}):
        assert secret not in main_file.lower(), secret
    ids = [id_of(project, key) for key in keys_in(project)]
    assert sorted(ids, key=main_file.index) == sorted(ids), "in an order that follows from the ids alone"
    told = "".join(path.read_text(encoding="utf-8") for path in sent.beside)
    assert "Unclear is an answer, too." in told
    for answer, definition in ANSWER_DEFINITIONS.items():
        assert answer.value in told
        assert definition in " ".join(told.split())
    everything = [path.read_bytes() for path in (sent.path, *sent.beside)]
    [again] = send_assignments(project, 1, tmp_path / "again", ["Anna"], AssignmentForm(form)).work(Progress())
    assert [path.read_bytes() for path in (again.path, *again.beside)] == everything
    assert {path.name for path in (tmp_path / "sent").iterdir()} == {
        sent.path.name,
        *(path.name for path in sent.beside),
    }


def test_a_cell_that_would_be_a_formula_is_made_safe(project: Project, tmp_path: Path) -> None:
    rows = read_csv(send_as(project, AssignmentForm.CSV, tmp_path))
    assert {row["premise"][:2] for row in rows} >= {"'=", "'-"}
    assert not [row for row in rows if row["premise"][0] in "=+-@"]


def test_the_configuration_of_label_studio_names_what_the_tasks_hold(project: Project, tmp_path: Path) -> None:
    from xml.etree import ElementTree

    tasks = send_as(project, AssignmentForm.LABEL_STUDIO, tmp_path)
    root = ElementTree.parse(tasks.with_suffix(".xml")).getroot()
    data = json.loads(tasks.read_text(encoding="utf-8"))[0]["data"]
    texts = {text.attrib["name"]: text.attrib["value"] for text in root.iter("Text")}
    assert texts == {"premise": "$premise", "hypothesis": "$hypothesis"}
    assert {name.removeprefix("$") for name in texts.values()} < set(data)
    [choices] = root.iter("Choices")
    assert (choices.attrib["name"], choices.attrib["toName"], choices.attrib["choice"]) == (
        LABEL,
        "hypothesis",
        "single",
    )
    assert [one.attrib["value"] for one in choices] == list(Answer)


def test_tasks_for_prodigy_have_options_with_ids_and_escaped_html(project: Project, tmp_path: Path) -> None:
    tasks = read_lines(send_as(project, AssignmentForm.PRODIGY, tmp_path))
    assert {tuple(one["id"] for one in task["options"]) for task in tasks} == {tuple(Answer)}
    [task] = [task for task in tasks if "p < 0.05" in task["premise"]]
    assert "p &lt; 0.05" in task["html"]


def test_an_assignment_that_was_sent_as_a_table_counts_as_sent(project: Project, tmp_path: Path) -> None:
    file = send_as(project, AssignmentForm.CSV, tmp_path)

    def states() -> list[AssignmentState]:
        with project.read_transaction() as stores:
            return [one.state for one in stores.annotation_rounds.assignments(1)]

    assert states() == [AssignmentState.SENT, AssignmentState.OPEN]
    fill_csv(file, {id_of(project, keys_in(project)[0]): "n"})
    merge(project, file)
    assert states() == [AssignmentState.MERGED, AssignmentState.OPEN]
    answers.undo(project, "anybody").work(Progress())
    assert states() == [AssignmentState.SENT, AssignmentState.OPEN]
    with pytest.raises(UserError, match="exists already"):
        send_as(project, AssignmentForm.CSV, tmp_path)


def test_a_round_that_asks_for_kinds_is_not_sent_as_a_table(tmp_path: Path) -> None:
    with Project.create(tmp_path / "kinds.pairwright") as project:
        add_pairs(project, {"ecology": dict.fromkeys(Label, 1)})
        plan = RoundPlan(asks=RoundAsks.KINDS, pairs=2)
        annotation_rounds.start_annotation_round(project, plan, ["Anna"]).work(Progress())
        for form in TABLES:
            with pytest.raises(UserError, match="asks for kinds of reasoning, a questionnaire that no table can hold"):
                send_assignments(project, 1, tmp_path / "sent", (), form).work(Progress())
    assert not (tmp_path / "sent").exists()


# What comes back


def csv_back(file: Path, labels: Mapping[str, Answer]) -> Path:
    return fill_csv(file, labels)


def tsv_back(file: Path, labels: Mapping[str, Answer]) -> Path:
    return write_csv(file.with_suffix(".txt"), read_csv(fill_csv(file, labels)), encoding="utf-16", delimiter="\t")


def json_lines_back(file: Path, labels: Mapping[str, Answer]) -> Path:
    return write_lines(file, [{**row, LABEL: labels.get(row[ID], "")} for row in read_lines(file)])


def label_studio_back(file: Path, labels: Mapping[str, Answer]) -> Path:
    file.write_text(json.dumps(label_studio_json(file, labels), indent=2), encoding="utf-8")
    return file


def label_studio_min_back(file: Path, labels: Mapping[str, Answer]) -> Path:
    file.write_text(json.dumps(label_studio_rows(file, labels)), encoding="utf-8")
    return file


def label_studio_csv_back(file: Path, labels: Mapping[str, Answer]) -> Path:
    rows = [{**row, "annotator": "anna@example.org"} for row in label_studio_rows(file, labels)]
    text = file.with_suffix(".csv").open("w", newline="", encoding="utf-8")
    with text:
        writer = csv.DictWriter(text, sorted(rows[0]), quoting=csv.QUOTE_NONNUMERIC)
        writer.writeheader()
        writer.writerows(rows)
    return file.with_suffix(".csv")


def prodigy_back(file: Path, labels: Mapping[str, Answer]) -> Path:
    return write_lines(file, prodigy_lines(file, labels))


BACK: list[tuple[AssignmentForm, Callable[[Path, Mapping[str, Answer]], Path]]] = [
    (AssignmentForm.CSV, csv_back),
    (AssignmentForm.CSV, tsv_back),
    (AssignmentForm.JSONL, json_lines_back),
    (AssignmentForm.LABEL_STUDIO, label_studio_back),
    (AssignmentForm.LABEL_STUDIO, label_studio_min_back),
    (AssignmentForm.LABEL_STUDIO, label_studio_csv_back),
    (AssignmentForm.PRODIGY, prodigy_back),
]


@pytest.mark.parametrize(("form", "back"), BACK)
def test_what_is_sent_in_any_form_comes_back_as_the_same_votes(
    project: Project, tmp_path: Path, form: AssignmentForm, back: Callable[[Path, Mapping[str, Answer]], Path]
) -> None:
    given = some_answers(project)
    unanswered = given.popitem()[0]
    file = back(send_as(project, form, tmp_path), labels_by_id(project, given))
    result = merge(project, file)
    assert describe(result).problems == ()
    assert describe(result).sentence == f"Anna, round 1: {len(given)} new answers, 1 unanswered."
    assert answers_of(project) == given
    assert unanswered not in answers_of(project)
    assert answers_of(project, BEN) == {}
    with project.read_transaction() as stores:
        [event] = stores.answers.history(keys_in(project)[0])
    assert (event.seen.blind, event.seen.round, event.seen.origin) == (True, 1, "answer table")
    assert event.seen.seconds == (12.5 if form is AssignmentForm.LABEL_STUDIO else None)
    if form in (AssignmentForm.LABEL_STUDIO, AssignmentForm.PRODIGY):
        assert event.at == minute(5)
    before = content(project)
    again = merge(project, file, Path(shutil.copyfile(file, file.with_name(f"copy{file.suffix}"))))
    assert (again.title, describe(again).problems) == ("", ())
    assert content(project) == before, "merging it again adds nothing, nor does a copy"


def damaged(rows: list[Row], random: Random, path: Path) -> Path:
    """The rows as some spreadsheet saves them."""
    random.shuffle(rows)
    rename = random.choice([str, str.upper, str.title, lambda name: f" {name} "])
    exchanged = random.choice(
        [
            {},
            {"’": "'", "“": '"', "”": '"', "–": "-", "…": "..."},
            {"'": "’", '"': "”", "-": "–", "...": "…"},
            {" ": "\u00a0", "\n": " ", "\t": "  "},
        ]
    )

    def cell(name: str, text: str) -> str:
        if name in ("premise", "hypothesis"):
            for old, new in exchanged.items():
                text = text.replace(old, new)
            text = random.choice([text, f" {text}", f"{text}  ", text.removeprefix("'")])
        return random.choice([text, text.upper()]) if name == ID else text

    made: list[dict[str, str]] = [{rename(name): cell(name, text) for name, text in row.items()} for row in rows]
    if random.random() < 0.5:
        made = [{"my notes": "?", **row, "": "", "  ": ""} for row in made]
        made.insert(random.randrange(len(made)), dict.fromkeys(made[0], ""))
    path = path.with_suffix(random.choice([".csv", ".txt", ".tsv"]))
    encoding = random.choice(["utf-8", "utf-8-sig", "utf-16", "cp1252", "mac_roman"])
    write_csv(path, made, encoding=encoding, delimiter=random.choice(",;\t"))
    if encoding == "utf-8" and random.random() < 0.5:  # opened as if it were cp1252, and saved
        text = path.read_bytes().decode("latin-1")
        misread = "".join(byte.encode("latin-1").decode("cp1252", "ignore") or byte for byte in text)
        path.write_bytes(misread.encode("utf-8-sig"))
    if encoding.startswith("utf-8") and random.random() < 0.3:
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n") + b"\n\n")
    return path


def typed(answer: Answer, random: Random) -> str:
    number = list(ANSWER_DEFINITIONS).index(answer) + 1
    word = random.choice([answer.value, LETTERS[answer], str(number), f"{number}.0"])
    return random.choice([word, word.upper(), f" {word} ", f"{word}\u00a0", f"'{word}"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_a_table_that_a_spreadsheet_has_damaged_gives_the_same_votes(
    shared: Project, tmp_path: Path, random: Random
) -> None:
    for old in tmp_path.iterdir():
        if old.is_file():
            old.unlink()
    with copy_of(shared, tmp_path / "owner.pairwright") as project:
        wanted = some_answers(project)
        by_id = labels_by_id(project, wanted)
        file = send_as(project, AssignmentForm.CSV, tmp_path)
        rows = [{**row, LABEL: typed(by_id[row[ID]], random)} for row in read_csv(file)]
        result = merge(project, damaged(rows, random, file))
        assert reasons(result) == []
        assert result.refused == ()
        assert answers_of(project) == wanted


def test_good_rows_are_taken_although_others_are_refused(project: Project, tmp_path: Path) -> None:
    file = send_as(project, AssignmentForm.CSV, tmp_path)
    rows = read_csv(fill_csv(file, labels_by_id(project, some_answers(project))))
    keys = {id_of(project, key): key for key in keys_in(project)}
    rows[0]["premise"] = rows[1]["premise"]
    rows[1][LABEL] = "contradiction"
    rows[2][ID] = "pw-bbbbbbbbbbbbbbbb"
    rows.append({**rows[3], ID: ""})
    rows.append({**rows[3], ID: "43891"})
    rows.append({**rows[4], "hypothesis": ""})
    result = merge(project, write_csv(file, rows))
    assert sorted(reasons(result)) == [
        "line 2: its premise is not the one that was sent",
        "line 3: “contradiction” is no label: perhaps contrasting is meant",
        "line 4: pw-bbbbbbbbbbbbbbbb is no id of a pair that was sent from this project",
        "line 7: its id is missing",
        "line 8: “43891” is no id of a pair",
        "line 9: its hypothesis is missing, so nothing says that it is the one that was sent",
    ]
    assert set(answers_of(project)) == {keys[rows[3][ID]], keys[rows[4][ID]]}
    text = describe(result)
    assert text.sentence == "Anna, round 1: 2 new answers, 3 unanswered."
    assert text.problems[0].text == f"6 rows of {file} were not merged."
    assert text.problems[1].text.startswith("Line 2: its premise")


def test_lines_are_counted_as_an_editor_counts_them(project: Project, tmp_path: Path) -> None:
    file = send_as(project, AssignmentForm.CSV, tmp_path)
    rows = sorted(read_csv(file), key=lambda row: "\n" not in row["premise"])
    rows[1][LABEL] = "what"
    [reason] = reasons(merge(project, write_csv(file, rows)))
    assert reason.startswith("line 4: "), "the first row has a line feed"


def test_two_labels_for_one_pair_are_refused_with_both_lines(project: Project, tmp_path: Path) -> None:
    file = send_as(project, AssignmentForm.CSV, tmp_path)
    rows = sorted(read_csv(file), key=lambda row: "\n" in row["premise"])
    first, second, third, *_ = rows
    first[LABEL], second[LABEL], third[LABEL] = "n", "r", "e"
    rows += [{**first, LABEL: "c"}, {**second, LABEL: "2"}, {**third, LABEL: ""}]
    result = merge(project, write_csv(file, rows))
    assert reasons(result) == [f"line 2 and line {len(rows)}: they give one pair two labels, neutral and contrasting"]
    assert sorted(answers_of(project).values()) == [Answer.ENTAILMENT, REASONING]
    head, line = [problem.text for problem in describe(result).problems]  # no "1 more"
    assert head.startswith("2 rows of ")
    assert line.startswith("Line 2 and line ")


def test_labels_with_times_are_a_history_whose_latest_holds(project: Project, tmp_path: Path) -> None:
    tasks = send_as(project, AssignmentForm.LABEL_STUDIO, tmp_path)
    given = {id_of(project, key): NEUTRAL.value for key in keys_in(project)[:2]}
    changed = dict.fromkeys(given, REASONING.value)
    both = [
        {**one, "annotations": [*other["annotations"], *one["annotations"]]}
        for one, other in zip(label_studio_json(tasks, given, 5), label_studio_json(tasks, changed, 9), strict=True)
    ]
    lines = [
        *prodigy_lines_of(project, tmp_path / "p", changed, 9),
        *prodigy_lines_of(project, tmp_path / "q", given, 5),
    ]
    tasks.write_text(json.dumps(both), encoding="utf-8")
    assert merge(project, tasks).rows == ()
    assert set(answers_of(project).values()) == {REASONING}
    answers.undo(project, "anybody").work(Progress())
    assert merge(project, write_lines(tmp_path / "prodigy.jsonl", lines)).rows == ()
    assert set(answers_of(project).values()) == {REASONING}


def prodigy_lines_of(project: Project, folder: Path, labels: Mapping[str, str], at: float) -> list[dict[str, Any]]:
    return [one for one in prodigy_lines(send_as(project, AssignmentForm.PRODIGY, folder), labels, at) if one["accept"]]


def test_two_people_who_answered_one_task_are_told_apart(project: Project, tmp_path: Path) -> None:
    tasks = send_as(project, AssignmentForm.LABEL_STUDIO, tmp_path)
    id = id_of(project, keys_in(project)[0])
    first, second = (label_studio_json(tasks, {id: label}, at) for label, at in (("neutral", 5), ("reasoning", 9)))
    for one, other in zip(first, second, strict=True):
        one["annotations"] += [{**annotation, "completed_by": {"id": 2}} for annotation in other["annotations"]]
    tasks.write_text(json.dumps(first), encoding="utf-8")
    [reason] = reasons(merge(project, tasks))
    assert "two people give one pair two labels, neutral and reasoning" in reason
    assert answers_of(project) == {}


def test_what_is_no_answer_in_other_programs_is_none_here(project: Project, tmp_path: Path) -> None:
    keys = keys_in(project)
    ids = [id_of(project, key) for key in keys]
    tasks = label_studio_json(send_as(project, AssignmentForm.LABEL_STUDIO, tmp_path), dict.fromkeys(ids, "neutral"))
    by_id = {task["data"][ID]: task["annotations"][0] for task in tasks}
    by_id[ids[0]]["was_cancelled"] = True
    by_id[ids[1]]["result"] = []
    by_id[ids[2]]["result"][0]["value"]["choices"].append("reasoning")
    file = tmp_path / "a.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    result = merge(project, file)
    assert [reason.split(": ")[1] for reason in reasons(result)] == ["it has more than one label"]
    assert set(answers_of(project)) == set(keys[3:])
    answers.undo(project, "anybody").work(Progress())

    lines = prodigy_lines(send_as(project, AssignmentForm.PRODIGY, tmp_path), dict.fromkeys(ids, "neutral"))
    by_id = {line[ID]: line for line in lines}
    by_id[ids[0]]["answer"] = "ignore"
    by_id[ids[1]]["answer"] = "reject"
    by_id[ids[2]]["accept"] = ["neutral", "unclear"]
    result = merge(project, write_lines(tmp_path / "a.jsonl", lines))
    assert sorted(reason.split(": ")[1] for reason in reasons(result)) == [
        "it has more than one label",
        "it was rejected, so it is no answer",
    ]
    assert set(answers_of(project)) == set(keys[3:])


def test_rows_of_two_annotators_in_one_file_go_to_each(project: Project, tmp_path: Path) -> None:
    key, other, *_ = keys_in(project)
    anna = fill_csv(send_as(project, AssignmentForm.CSV, tmp_path), {id_of(project, key): "n"})
    ben = fill_csv(send_as(project, AssignmentForm.CSV, tmp_path, "Ben Čech"), {id_of(project, other, BEN): "r"})
    both = write_csv(tmp_path / "both.csv", [*read_csv(anna), *read_csv(ben)])
    result = merge(project, both)
    assert describe(result).sentence == (
        "Anna, round 1: 1 new answer, 4 unanswered. Ben Čech, round 1: 1 new answer, 4 unanswered."
    )
    assert (answers_of(project), answers_of(project, BEN)) == ({key: NEUTRAL}, {other: REASONING})
    assert result.title == "Merge 2 answer files"


def test_the_answer_in_the_file_that_was_saved_last_holds_in_any_order(shared: Project, tmp_path: Path) -> None:
    with copy_of(shared, tmp_path / "sender.pairwright") as project:
        key, other, *_ = keys_in(project)
        id, other_id = id_of(project, key), id_of(project, other)
        labels: Sequence[dict[str, object]] = ({id: "n", other_id: 4}, {id: "r", other_id: 4}, {id: "c"})
        files = []
        for number, given in enumerate(labels):
            file = fill_csv(send_as(project, AssignmentForm.CSV, tmp_path / str(number)), given)
            files.append(saved_at(file, 10.0 + number))
    held = set()
    for order in permutations(files):
        with copy_of(shared, tmp_path / "owner.pairwright") as project:
            for file in (*order, *order):
                merge(project, file)
            before = content(project)
            assert merge(project, *files).title == ""
            assert content(project) == before
            held.add(tuple(sorted(answers_of(project).items())))
    assert held == {tuple(sorted({key: CONTRASTING, other: NEUTRAL}.items()))}


def test_a_correction_is_listed_as_a_conflict_and_an_old_copy_does_not_undo_it(
    project: Project, tmp_path: Path
) -> None:
    key = keys_in(project)[0]
    first = saved_at(fill_csv(send_as(project, AssignmentForm.CSV, tmp_path / "1"), {id_of(project, key): "n"}), 10)
    second = saved_at(fill_csv(send_as(project, AssignmentForm.CSV, tmp_path / "2"), {id_of(project, key): "r"}), 20)
    merge(project, first)
    result = merge(project, second)
    [conflict] = result.merged[0].conflicts
    assert (conflict.here.answer, conflict.there.answer, conflict.holds) == (NEUTRAL, REASONING, REASONING)
    assert "Anna answered neutral on" in describe(result).notes[0]
    assert "“Sentence number" in describe(result).notes[0]
    saved_at(first, 30)  # as a copy of it is
    assert describe(merge(project, first)).sentence == "Anna, round 1: 0 new answers, 1 already there, 4 unanswered."
    assert answers_of(project) == {key: REASONING}


def test_a_longer_table_repeats_what_was_known(project: Project, tmp_path: Path) -> None:
    key, other, *_ = keys_in(project)
    file = send_as(project, AssignmentForm.CSV, tmp_path)
    merge(project, saved_at(fill_csv(file, {id_of(project, key): "n"}), 10))
    result = merge(project, saved_at(fill_csv(file, {id_of(project, key): "n", id_of(project, other): "r"}), 20))
    assert describe(result).sentence == "Anna, round 1: 1 new answer, 1 already there, 3 unanswered."
    assert describe(result).notes == ()


def test_a_table_and_an_answer_file_meet_by_their_times(project: Project, tmp_path: Path) -> None:
    key, other, *_ = keys_in(project)
    anna, _ = send(project, tmp_path / "sent")
    answer_in(anna, {key: [(30, REASONING)], other: [(10, REASONING)]})
    table = fill_csv(
        send_as(project, AssignmentForm.CSV, tmp_path), labels_by_id(project, dict.fromkeys((key, other), NEUTRAL))
    )
    result = merge(project, saved_at(table, 20), anna)
    assert len(result.conflict_keys(of_kinds=False)) == 2
    assert answers_of(project) == {key: REASONING, other: NEUTRAL}


def test_a_clock_that_is_wrong_makes_no_impossible_times(project: Project, tmp_path: Path) -> None:
    key = keys_in(project)[0]
    file = send_as(project, AssignmentForm.CSV, tmp_path)
    merge(project, saved_at(fill_csv(file, {id_of(project, key): "n"}), -60 * 24 * 365 * 40))
    with project.read_transaction() as stores:
        [event] = stores.answers.history(key)
    assert event.at == minute(0), "when the round was drawn"
    merge(project, saved_at(fill_csv(file, {id_of(project, key): "r"}), 60 * 24 * 365 * 40))
    with project.read_transaction() as stores:
        assert stores.answers.history(key)[-1].at.year < 2066
    assert answers_of(project) == {key: REASONING}


def test_a_sentence_that_was_mended_since_is_still_the_one_that_was_sent(project: Project, tmp_path: Path) -> None:
    key = keys_in(project)[0]
    file = fill_csv(send_as(project, AssignmentForm.CSV, tmp_path), {id_of(project, key): "n"})
    with project.transaction() as stores:
        premise = stores.pairs.get(key).premise
        stores._connection.exec_driver_sql(
            "INSERT INTO text_events (pair_key, annotator, at, field, old, new) VALUES (?, '', '', 'premise', ?, 'M.')",
            (key, premise),
        )
        stores._connection.exec_driver_sql(
            "UPDATE pairs SET premise = 'M.', mined_premise = 'M.' WHERE key = ?", (key,)
        )
    assert merge(project, file).rows == ()
    assert answers_of(project) == {key: NEUTRAL}


def test_an_answer_to_a_pair_that_is_gone_waits_for_it(project: Project, tmp_path: Path) -> None:
    key = keys_in(project)[0]
    file = fill_csv(send_as(project, AssignmentForm.CSV, tmp_path), {id_of(project, key): "n"})
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM pairs WHERE key = ?", (key,))
    assert "1 pair of the file is no longer in the project" in describe(merge(project, file)).notes[0]
    assert answers_of(project) == {key: NEUTRAL}


# Files that are refused


@pytest.mark.parametrize("form", [AssignmentForm.CSV, AssignmentForm.JSONL])
def test_a_table_that_lost_its_ids_is_still_known_as_one(
    project: Project, tmp_path: Path, form: AssignmentForm
) -> None:
    file = send_as(project, form, tmp_path)
    if form is AssignmentForm.CSV:
        write_csv(file, [{**row, ID: "", LABEL: "n"} for row in read_csv(file)])
    else:
        write_lines(file, [{**row, ID: None, LABEL: "n"} for row in read_lines(file)])
    assert find_answer_files(project, [file]).work(Progress()).own == [file]
    [refused] = merge(project, file).refused
    assert refused.reason == f"{file} holds no pair that was sent from this project."


def test_a_table_of_another_project_is_refused_in_a_sentence(project: Project, tmp_path: Path) -> None:
    with owner_project(tmp_path / "other.pairwright", "b") as other:
        foreign = send_as(other, AssignmentForm.CSV, tmp_path / "other")
    own = send_as(project, AssignmentForm.CSV, tmp_path / "own")
    data_set = tmp_path / "train.csv"
    data_set.write_text("sentence1,sentence2,label\na,b,neutral\n", encoding="utf-8")
    found = find_answer_files(project, [foreign, own, data_set, tmp_path / "none.csv", tmp_path]).work(Progress())
    assert found.own == [foreign, own], "rows with ids of another project are answers too, which merging refuses"
    [refused] = merge(project, foreign).refused
    assert refused.reason == f"{foreign} holds no pair that was sent from this project."
    assert content(project)[0] == []


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl", "a.txt", "a.tsv"])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n" * 100_000,
        b"\0" * 100_000,
        b"\xff\xfe\0\xd8" * 1000,
        b"[" * 200_000,
        b'{"pairwright_id": ' * 20_000,
        b"\x80\x81\x82 not UTF-8 \xff",
        b'[{"data": {"pairwright_id": 5}, "annotations": [[[]]]}, 1, "a", null]',
        b"pairwright_id,premise,hypothesis,label\n" + b'"' * 99_999,
        b'"' + b"x" * 3_000_000,
        b"PK\x03\x04 a spreadsheet",
    ],
)
def test_a_hostile_file_is_refused_in_a_sentence_and_changes_nothing(
    project: Project, tmp_path: Path, name: str, data: bytes
) -> None:
    before = content(project)
    (tmp_path / name).write_bytes(data)
    result = merge(project, tmp_path / name)
    [refused] = result.refused
    assert refused.reason.startswith(str(tmp_path / name))
    assert refused.reason.endswith(".")
    assert content(project) == before


def test_hostile_rows_beside_good_ones_are_counted_and_told_in_part(project: Project, tmp_path: Path) -> None:
    key = keys_in(project)[0]
    file = send_as(project, AssignmentForm.JSONL, tmp_path)
    [good] = [row for row in read_lines(file) if row[ID] == id_of(project, key)]
    lines: list[object] = [{**good, LABEL: "n"}, *({**good, "premise": [number]} for number in range(50)), [], 5]
    write_lines(file, lines)
    with file.open("ab") as more:
        more.write(b'{"a": ' + b"[" * 100_000 + b"\n\xff\xfe\n" + b'"' + b"x" * 1_100_000 + b'"\n')
    result = merge(project, file)
    [rows] = result.rows
    assert (rows.number, len(rows.first)) == (55, 20)
    problems = describe(result).problems
    assert (problems[0].text, problems[-1].text, len(problems)) == (
        f"55 rows of {file} were not merged.",
        "45 more.",
        12,
    )
    assert answers_of(project) == {key: NEUTRAL}


def test_a_file_of_many_rows_is_read_in_bounded_memory(project: Project, tmp_path: Path) -> None:
    import tracemalloc

    row = read_lines(send_as(project, AssignmentForm.JSONL, tmp_path))[0]
    file = tmp_path / "many.json"
    line = json.dumps({**row, LABEL: "0", "more": "x" * 2000})
    file.write_text(f"[{','.join([line] * 20_000)}]", encoding="utf-8")
    tracemalloc.start()
    try:
        result = merge(project, file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.rows[0].number == 20_000
    assert file.stat().st_size > 40_000_000
    assert peak < 20_000_000


# The command


def test_the_command_sends_and_merges_tables(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = id_of(project, keys_in(project)[0])
    project.close()
    at = ["--project", str(project.path)]
    assert main(["round", "send", "1", "--as", "csv", "--to", "Anna", "--out", str(tmp_path), *at]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith(f"  {tmp_path / 'round-1-Anna.csv'}  5 pairs for Anna, ")
    assert lines[-1] == "    Send round-1-Anna.instructions.txt together with round-1-Anna.csv."
    assert (
        main(["round", "send", "1", "--as", "prodigy", "--to", "Ben Čech", "--out", str(tmp_path), "--json", *at]) == 0
    )
    [sent] = json.loads(capsys.readouterr().out)
    assert (sent["form"], sent["beside"]) == ("prodigy", [str(tmp_path / "round-1-Ben-Čech.prodigy.html")])
    file = tmp_path / "round-1-Anna.csv"
    rows = read_csv(fill_csv(file, {id: "n"}))
    assert main(["merge", str(file), "--json", *at]) == 0
    merged = json.loads(capsys.readouterr().out)
    assert (merged["files"][0]["new"], merged["files"][0]["unanswered"], merged["refused_rows"]) == (1, 4, [])
    next(row for row in rows if row[ID] != id)[LABEL] = "0"
    write_csv(file, rows)
    assert main(["merge", str(file), "--json", *at]) == 1
    [refused] = json.loads(capsys.readouterr().out)["refused_rows"]
    assert (refused["path"], refused["count"]) == (str(file), 1)
    assert refused["first"][0]["reason"].startswith("0 is no label")
    assert main(["merge", str(file), *at]) == 1
    printed = capsys.readouterr()
    assert f"1 row of {file} was not merged" in printed.err
    assert "0 is no label" in printed.err


def test_answers_of_anna_are_hers_whatever_the_file_is_called(project: Project, tmp_path: Path) -> None:
    key = keys_in(project)[0]
    file = fill_csv(send_as(project, AssignmentForm.CSV, tmp_path), {id_of(project, key): "n"})
    merge(project, file.rename(tmp_path / "Ben final (2).CSV"))
    assert (answers_of(project, ANNA), answers_of(project, BEN)) == ({key: NEUTRAL}, {})
