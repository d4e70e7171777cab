"""Data sets of every shape come in; bad rows are named and cost nothing else."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer, Label
from storage.dataset.options import ExportOptions, Preset
from storage.exchange.labelled_files import is_labelled_file
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.project import Project
from storage.schema import DATA_SET
from tests.storage.factories import add, mine, remove

NOW = datetime(2026, 7, 1, tzinfo=UTC)
SHARED = Path(__file__).parents[4] / "shared" / "data" / "scinli"


def take(project: Project, path: Path, content: str | bytes | None = None, **options: Any) -> ImportedPairs:
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return import_pairs(project, path, domain="nlp", progress=Progress(), at=NOW, **options)


def stored(project: Project) -> list[tuple[object, ...]]:
    query = (
        "SELECT premise, hypothesis, distant_label, pairs.split, domain FROM pairs JOIN papers ON papers.id = paper_id"
    )
    with project.read_transaction() as stores:
        return [tuple(row) for row in stores._connection.exec_driver_sql(f"{query} ORDER BY pairs.ordinal")]


SCINLI = (
    ',id,sentence1,sentence2,label\n0,dev_0,"One, first.",two.,contrasting\n'
    '1,dev_1,"He ""said""\nso.",four.,reasoning\n'
)
MSCINLI = "id\tsentence1\tsentence2\tlabel\tdomain\n1\tOne.\ttwo.\tcontrast\tNeurIPS\n2\tThree.\tfour.\tneutral\tSWE\n"
SNLI_TSV = 'gold_label\tsentence1\tsentence2\tpairID\tlabel1\nentailment\t"A" man.\tA person.\tp1\n-\tOne.\tTwo.\tp2\n'
SNLI = "".join(
    json.dumps({"gold_label": label, "sentence1": "A man.", "sentence2": text, "pairID": text}) + "\n"
    for label, text in (("contradiction", "No man."), ("neutral", "A tall man."))
)
MNLI = json.dumps({"gold_label": "entailment", "premise": "A.", "hypothesis": "B.", "genre": "fiction"})
TAXINLI = "prem\thyp\tlabel\tannotated_label\tfactivity\tpairID\tgenre\nA.\tB.\tcontradiction\t-\t1\tp\tletters\n"
MISMATCHED = (
    '{"id": 7, "sentence1": "One.", "sentence2": "two.", "label": "entailing", "Domain": "psychology"}\n'
    '{"sentence1": "A.", "sentence2": "b.", "label": "entails"}\n'
)


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        (
            "dev.csv",
            SCINLI,
            [
                ("One, first.", "two.", "contrasting", "dev", "nlp"),
                ('He "said" so.', "four.", "reasoning", "dev", "nlp"),
            ],
        ),
        (
            "MSciNLI_train.tsv",
            MSCINLI,
            [("One.", "two.", "contrasting", "train", "NeurIPS"), ("Three.", "four.", "neutral", "train", "SWE")],
        ),
        (
            "snli_1.0_test.txt",
            SNLI_TSV,
            [('"A" man.', "A person.", "entailment", "test", "nlp"), ("One.", "Two.", None, "test", "nlp")],
        ),
        (
            "snli.jsonl",
            SNLI,
            [("A man.", "No man.", "contrasting", None, "nlp"), ("A man.", "A tall man.", "neutral", None, "nlp")],
        ),
        ("mnli_validation.jsonl", MNLI, [("A.", "B.", "entailment", "dev", "fiction")]),
        ("taxinli.tsv", TAXINLI, [("A.", "B.", "contrasting", None, "letters")]),
        (
            "test.jsonl",
            MISMATCHED,
            [("One.", "two.", "entailment", "test", "psychology"), ("A.", "b.", "entailment", "test", "nlp")],
        ),
    ],
)
def test_known_formats_are_read(
    project: Project, tmp_path: Path, name: str, content: str, rows: list[tuple[object, ...]]
) -> None:
    assert take(project, tmp_path / name, content).new == len(rows)
    assert stored(project) == rows
    zipped = tmp_path / f"{name}.gz"
    assert take(project, zipped, gzip.compress(content.encode())).known == len(rows)
    assert stored(project) == rows


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_the_delimiter_is_detected_from_the_first_line(
    project: Project, tmp_path: Path, delimiter: str, name: str
) -> None:
    rows = (("sentence1", "sentence2", "label"), ('"One."', "Two.", "neutral"))
    take(project, tmp_path / name, "".join(f"{delimiter.join(row)}\n" for row in rows))
    assert [row[:3] for row in stored(project)] == [("One.", "Two.", "neutral")]


def test_a_value_nested_too_deep_for_the_project_is_left_out(project: Project, tmp_path: Path) -> None:
    deep = '{"sentence1": "A.", "sentence2": "B.", "label": "neutral", "x": ' + "[" * 900 + "]" * 900 + "}"
    imported = take(project, tmp_path / "a.jsonl", deep)
    assert (imported.new, len(imported.remarks)) == (1, 1)
    assert export_pairs(project, tmp_path / "out", ExportOptions(Preset.FULL), Progress()).rows == 1


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b""])
def test_marks_and_line_ends_of_other_systems_do_not_matter(project: Project, tmp_path: Path, start: bytes) -> None:
    imported = take(project, tmp_path / "a.csv", start + b"sentence1,sentence2,label\r\nOne.,Two.,neutral\r\n")
    assert (imported.new, imported.bad) == (1, 0)


def test_utf16_as_spreadsheets_write_it_is_read(project: Project, tmp_path: Path) -> None:
    take(project, tmp_path / "a.tsv", "sentence1\tsentence2\tlabel\r\nÜber.\tTwo.\tneutral\r\n".encode("utf-16"))
    assert stored(project)[0][0] == "Über."


def test_bad_rows_are_listed_by_line_and_the_good_ones_kept(project: Project, tmp_path: Path) -> None:
    content = (
        b'sentence1,sentence2,label\nOne.,"Two\nlines.",neutral\n,Two.,neutral\nCaf\xe9.,Two.,neutral\nOne.,Two.,maybe\n'
        b"One.,Two.\na,b,c,d,e\nNul\x00.,Two.,neutral\nLast.,Two.,reasoning\n"
    )
    imported = take(project, tmp_path / "a.csv", content)
    assert [tuple(row) for row in imported.bad_rows] == [
        (4, "no premise"),
        (5, "the premise is not UTF-8 text"),
        (6, "unknown label 'maybe'"),
        (7, "no label"),
        (8, "5 columns instead of 3"),
    ]
    assert [row[0] for row in stored(project)] == ["One.", "Nul.", "Last."]
    assert (imported.new, imported.known, imported.bad) == (3, 0, 5)


def test_broken_json_lines_are_listed(project: Project, tmp_path: Path) -> None:
    good = '{"sentence1": "One.", "sentence2": "Two.", "label": "neutral"}'
    content = f'{good[:-5]}\n[1]\n{{"sentence1": 3, "sentence2": "x", "label": "neutral"}}\n\n{good}\n'
    imported = take(project, tmp_path / "a.jsonl", content)
    assert [tuple(row) for row in imported.bad_rows] == [(1, "not JSON"), (2, "not a JSON object"), (3, "no premise")]
    assert imported.new == 1


@pytest.mark.parametrize("names", [("premise", "hypothesis"), ("sentence1", "sentence2")])
def test_numbers_are_labels_only_if_their_meaning_is_given(
    project: Project, tmp_path: Path, names: tuple[str, str]
) -> None:
    rows = [{names[0]: f"Man {n}.", names[1]: "A person.", "label": n} for n in (0, "1", -1)]
    content = "".join(f"{json.dumps(row)}\n" for row in rows)
    with pytest.raises(UserError, match="line 1: the label is 0") as told:
        take(project, tmp_path / "glue.jsonl", content)
    assert "--label-numbers" in told.value.hint
    assert stored(project) == []
    imported = take(project, tmp_path / "glue.jsonl", content, numbers=(Label.ENTAILMENT, Label.NEUTRAL))
    assert (imported.new, imported.unlabelled) == (3, 1)
    assert [row[2] for row in stored(project)] == ["entailment", "neutral", None]


def test_a_number_among_words_is_a_bad_row(project: Project, tmp_path: Path) -> None:
    content = "sentence1,sentence2,label\nOne.,Two.,neutral\nThree.,Four.,2\n"
    imported = take(project, tmp_path / "a.csv", content)
    assert [tuple(row) for row in imported.bad_rows] == [(3, "the label 2 is a number, and nothing says what it means")]


def test_an_unclosed_quote_affects_only_its_row_or_is_reported(project: Project, tmp_path: Path) -> None:
    rows = "".join(f"One {n}.,Two.,neutral\n" for n in range(20_000))
    imported = take(
        project, tmp_path / "a.csv", f'sentence1,sentence2,label\nGood.,Two.,neutral\n"Open.,Two.,neutral\n{rows}'
    )
    assert imported.new > 1
    assert "quote" in imported.bad_rows[0].reason
    assert imported.bad_rows[0].line == 3


def test_a_compressed_file_that_breaks_off_keeps_what_came_before(project: Project, tmp_path: Path) -> None:
    lines = "".join(f'{{"sentence1": "One {n}.", "sentence2": "Two.", "label": "neutral"}}\n' for n in range(5000))
    content = gzip.compress(lines.encode())
    imported = take(project, tmp_path / "a.jsonl.gz", content[: len(content) // 2])
    assert imported.new > 100
    assert imported.bad_rows[-1].reason == "the file is damaged from here on"


def test_the_same_content_again_adds_nothing(project: Project, tmp_path: Path) -> None:
    take(project, tmp_path / "dev.csv", SCINLI)
    again = take(project, tmp_path / "copy.csv", SCINLI)
    assert (again.new, again.known) == (0, 2)
    assert len(stored(project)) == 2
    assert project.check() == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "premise,label\nx,neutral\n", "no column sentence2"),
        ("a.csv", "", "is empty"),
        ("a.csv", "sentence1,sentence1,sentence2,label\nA.,B.,C.,neutral\n", "two columns named 'sentence1'"),
        ("a.xlsx", "PK", "not a data set"),
        ("missing.csv", None, "does not exist"),
    ],
)
def test_a_file_that_is_no_data_set_is_refused(
    project: Project, tmp_path: Path, name: str, content: str | None, said: str
) -> None:
    with pytest.raises(UserError, match=said):
        take(project, tmp_path / name, content)


def test_imported_pairs_are_exported_in_their_own_split(project: Project, tmp_path: Path) -> None:
    take(project, tmp_path / "dev.csv", SCINLI)
    take(project, tmp_path / "a.jsonl", SNLI)
    options = ExportOptions(Preset.FULL, shares=(("train", 100.0),))
    export_pairs(project, tmp_path / "out", options, Progress())
    written = {
        split: [json.loads(line) for line in (tmp_path / "out" / f"{split}.jsonl").read_bytes().splitlines()]
        for split in ("train", "dev")
    }
    assert [row["source_id"] for row in written["dev"]] == ["dev_0", "dev_1"]
    assert [row["source_label"] for row in written["train"]] == ["contradiction", "neutral"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared test data are not here")
def test_all_of_scinli_is_imported(project: Project) -> None:
    for name, rows in (("dev.csv", 2000), ("train_1.tsv", 1000), ("train_2.tsv", 1000)):
        imported = take(project, SHARED / name)
        assert (imported.new, imported.bad) == (rows, 0)
    with project.read_transaction() as stores:
        assert set(stores.pairs.counts().values()) == {1000}


def test_a_data_set_in_three_formats_is_imported_once(project: Project, tmp_path: Path) -> None:
    rows = [{"id": str(n), "sentence1": f"Premise {n}.", "sentence2": f"so {n}.", "label": "neutral"} for n in range(9)]
    take(project, tmp_path / "train.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    for preset in (Preset.FULL, Preset.INTEGERS):
        export_pairs(project, tmp_path / preset, ExportOptions(preset), Progress())
    capital = [row | {"sentence2": f"So {n}."} for n, row in enumerate(rows)]
    again = take(project, tmp_path / "test.jsonl", "".join(f"{json.dumps(row)}\n" for row in capital))
    assert (again.new, again.known, again.duplicates, again.moved, again.other_split) == (0, 0, 9, 9, 0)
    train = take(project, tmp_path / "train.jsonl")
    assert (train.new, train.known, train.moved, train.other_split) == (0, 9, 0, 9)
    full = take(project, tmp_path / Preset.FULL / "pairs.jsonl")
    integers = take(project, tmp_path / Preset.INTEGERS / "pairs.jsonl")
    assert (full.new, full.known, full.duplicates) == (0, 9, 0)
    assert (integers.new, integers.known, integers.duplicates) == (0, 0, 9)
    assert len(stored(project)) == 9


def test_another_label_for_a_pair_is_reported_and_changes_nothing(project: Project, tmp_path: Path) -> None:
    take(project, tmp_path / "a.csv", "sentence1,sentence2,label\nOne.,Two.,neutral\nThree.,Four.,entailment\n")
    content = (
        "sentence1,sentence2,label\nOne.,two.,contrasting\nThree.,Four.,entailment\nA.,B.,neutral\nA.,B.,reasoning\n"
    )
    imported = take(project, tmp_path / "b.csv", content)
    assert (imported.new, imported.duplicates, imported.conflicts) == (1, 3, 2)
    assert [(row.line, row.here, row.there) for row in imported.conflict_rows] == [
        (2, "contrasting", "neutral"),
        (5, "reasoning", "neutral"),
    ]
    assert [row[2] for row in stored(project)] == ["neutral", "entailment", "neutral"]


def test_a_pair_that_was_mined_is_not_imported_again(project: Project, tmp_path: Path) -> None:
    add(project, ["a"])
    mine(project)
    export_pairs(project, tmp_path / "out", ExportOptions(), Progress())
    imported = take(project, tmp_path / "out" / "pairs.jsonl")
    assert (imported.new, imported.duplicates) == (0, len(stored(project)))
    with project.read_transaction() as stores:
        assert stores.paper_table.totals().data_sets == 0  # nothing of it is needed


def test_other_answers_for_a_known_pair_are_reported(project: Project, tmp_path: Path) -> None:
    row = {"sentence1": "A.", "sentence2": "B.", "gold_label": "neutral", "annotator_labels": ["neutral"]}
    take(project, tmp_path / "a.jsonl", json.dumps(row))
    assert take(project, tmp_path / "a.jsonl").remarks == {}
    more = row | {"annotator_labels": ["neutral", "neutral", "entailment"]}
    imported = take(project, tmp_path / "b.jsonl", json.dumps(more))
    assert (imported.duplicates, imported.conflicts, len(imported.remarks)) == (1, 0, 1)


def test_annotator_labels_are_imported_as_answers(project: Project, tmp_path: Path) -> None:
    rows = [
        {"gold_label": "neutral", "annotator_labels": ["neutral", "contradiction", "neutral"]},
        {"gold_label": "-", "annotator_labels": ["neutral", "entailment"]},
        {"gold_label": "entailment", "annotator_labels": []},
        {"gold_label": "-", "annotator_labels": []},
        {"gold_label": "neutral", "annotator_labels": ["neutral", "entailment"]},
        {"gold_label": "neutral", "annotator_labels": ["neutral", "perhaps"]},
    ]
    content = "".join(f"{json.dumps(row | {'sentence1': f'{n}.', 'sentence2': 'B.'})}\n" for n, row in enumerate(rows))
    imported = take(project, tmp_path / "snli.jsonl", content)
    assert (imported.new, imported.answered, imported.answers, imported.unlabelled) == (6, 2, 5, 1)
    assert [(remark.line, remark.rows) for remark in imported.remarks.values()] == [(5, 1), (6, 1)]
    with project.read_transaction() as stores:
        found = stores._connection.exec_driver_sql(
            "SELECT key, status, gold, distant_label FROM pairs ORDER BY ordinal"
        )
        keys, *verdicts = zip(*found, strict=True)
        assert list(zip(*verdicts, strict=True)) == [
            ("settled", "neutral", None),
            ("unsettled", None, None),
            ("open", None, "entailment"),
            ("open", None, None),
            ("open", None, "neutral"),
            ("open", None, "neutral"),
        ]
        assert stores.answers.of_pair(keys[0]) == {
            "imported 01": Answer.NEUTRAL,
            "imported 02": Answer.CONTRASTING,
            "imported 03": Answer.NEUTRAL,
        }
    export_pairs(project, tmp_path / "out", ExportOptions(Preset.SNLI), Progress())
    written = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_bytes().splitlines()]
    assert [row["gold_label"] for row in written] == ["neutral", "entailment", "-", "neutral", "neutral"]


def test_answers_come_once_however_often_the_data_set_does(project: Project, tmp_path: Path) -> None:
    row = {"sentence1": "A.", "sentence2": "B.", "gold_label": "neutral", "annotator_labels": ["neutral"]}
    take(project, tmp_path / "a.jsonl", json.dumps(row))
    with project.transaction() as stores:
        [md5] = stores._connection.exec_driver_sql("SELECT md5 FROM papers").scalars()
        remove(stores, md5)
    assert take(project, tmp_path / "a.jsonl", json.dumps(row)).new == 1
    with project.read_transaction() as stores:
        assert stores._connection.exec_driver_sql("SELECT count(*) FROM label_events").scalar_one() == 1
        assert stores._connection.exec_driver_sql("SELECT status FROM pairs").scalar_one() == "settled"


def test_unknown_columns_are_kept(project: Project, tmp_path: Path) -> None:
    take(project, tmp_path / "taxinli.tsv", TAXINLI)
    odd = {"sentence1": "C.", "sentence2": "D.", "label": "neutral", "who": {"é": [1, None]}, "half": "\ud800", "n": 0}
    take(project, tmp_path / "odd.jsonl", json.dumps(odd))
    export_pairs(project, tmp_path / "out", ExportOptions(Preset.FULL), Progress())
    written = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_bytes().splitlines()]
    found = {row["sentence1"]: row for row in written}
    assert found["A."]["source_columns"] == {"annotated_label": "-", "factivity": "1"}
    assert (found["A."]["source_id"], found["A."]["source_label"]) == ("p", "contradiction")
    assert found["C."]["source_columns"] == {"who": {"é": [1, None]}, "half": "\ud800", "n": 0}


def test_invalid_fields_of_an_edited_export_are_ignored(project: Project, tmp_path: Path) -> None:
    """What a file claims of itself is checked: keys are made of what is read, and hashes, flags, pages must be some."""
    add(project, ["a"])
    mine(project)
    export_pairs(project, tmp_path / "out", ExportOptions(Preset.FULL), Progress())
    row = json.loads((tmp_path / "out" / "pairs.jsonl").read_bytes().splitlines()[0])
    forged = row | {"sentence1": "Forged.", "paper_md5": "../x", "split": "../../x", "page": -1, "flags": ["x"]}
    imported = take(project, tmp_path / "a.jsonl", json.dumps(forged | {"strategy": "by magic", "label": "neutral"}))
    assert (imported.new, len(imported.remarks)) == (1, 1)
    with project.read_transaction() as stores:
        query = (
            "SELECT pairs.key, source_id, pairs.split, page, flags, strategy, kind, source_md5 FROM pairs JOIN papers"
        )
        found = stores._connection.exec_driver_sql(f"{query} ON papers.id = paper_id WHERE premise = 'Forged.'").one()
    assert found.key != row["pairID"] == found.source_id
    assert (found.split, found.page, found.flags, found.strategy, found.kind) == (
        None,
        None,
        "[]",
        "imported",
        DATA_SET,
    )
    assert found.source_md5 != "../x"


def test_an_endless_row_is_one_bad_row(project: Project, tmp_path: Path) -> None:
    row = '{"sentence1": "%s", "sentence2": "Two.", "label": "neutral"}\n'
    content = row % "One." + row % ("x" * 3_000_000) + row % "Three."
    imported = take(project, tmp_path / "a.jsonl.gz", gzip.compress(content.encode()))
    assert [tuple(bad) for bad in imported.bad_rows] == [(2, "longer than 1,000,000 characters")]
    head = "sentence1,sentence2,label\nOne.,Two.,neutral\n"
    cells = '"x' + '\n","xxxxxxxxxxxxxxxxxxxxxxxxxxxx' * 100_000
    imported = take(project, tmp_path / "a.csv.gz", gzip.compress((head + cells).encode()))
    assert imported.bad_rows[0].line == 3
    assert imported.bad_rows[0].reason == "longer than 1,000,000 characters"


@pytest.mark.parametrize("content", [b'{"sentence1": "' + b"x" * 50_000_000, b"\n" * 50_000_000], ids=["line", "blank"])
@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv.gz"])
def test_checking_a_file_reads_only_one_row(
    tmp_path: Path, content: bytes, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(gzip.compress(content, 1))
    read = 0
    unpack = gzip.GzipFile.read

    def count(file: gzip.GzipFile, size: int | None = -1) -> bytes:
        nonlocal read
        content = unpack(file, size)
        read += len(content)
        return content

    monkeypatch.setattr(gzip.GzipFile, "read", count)
    monkeypatch.setattr(gzip.GzipFile, "read1", lambda file, size=-1: count(file, size))
    assert not is_labelled_file(tmp_path / name)
    assert 0 < read < 5_000_000


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"%PDF-1.7\n" + bytes(range(256)) * 99, "a PDF"), (b"PK\x03\x04", "a zip archive"), (bytes(9999), "not text")],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_with_other_content_is_refused(
    project: Project, tmp_path: Path, content: bytes, what: str, packed: bool
) -> None:
    name = tmp_path / f"a.jsonl{'.gz' * packed}"
    with pytest.raises(UserError, match=f"its content is {what}"):
        take(project, name, gzip.compress(content) if packed else content)


def test_a_file_without_good_rows_is_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="none of its first 1,000 rows") as told:
        take(project, tmp_path / "a.jsonl", "{}\n" * 20_000)
    assert "no premise" in told.value.hint
