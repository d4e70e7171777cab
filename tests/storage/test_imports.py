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
from miner.records import Label
from storage.exchange.choosing import ExportOptions, Preset
from storage.exchange.export import export_pairs
from storage.exchange.imports import ImportedPairs, import_pairs
from storage.project import Project

NOW = datetime(2026, 7, 1, tzinfo=UTC)
SHARED = Path(__file__).parents[3] / "shared" / "data" / "scinli"


def take(project: Project, path: Path, content: str | bytes | None = None, **options: Any) -> ImportedPairs:
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return import_pairs(project, path, domain="nlp", progress=Progress(), at=NOW, **options)


def stored(project: Project) -> list[tuple[object, ...]]:
    query = (
        "SELECT premise, hypothesis, distant_label, pairs.split, domain FROM pairs JOIN papers ON papers.id = paper_id"
    )
    with project.reading() as stores:
        return [tuple(row) for row in stores.connection.exec_driver_sql(f"{query} ORDER BY pairs.ordinal")]


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
def test_known_shapes_are_read(
    project: Project, tmp_path: Path, name: str, content: str, rows: list[tuple[object, ...]]
) -> None:
    assert take(project, tmp_path / name, content).new == len(rows)
    assert stored(project) == rows
    zipped = tmp_path / f"{name}.gz"
    assert take(project, zipped, gzip.compress(content.encode())).known == len(rows)
    assert stored(project) == rows


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
def test_numbers_are_labels_only_where_somebody_says_which(
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


def test_a_quote_that_is_never_closed_costs_its_row_alone_or_is_named(project: Project, tmp_path: Path) -> None:
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


def test_the_same_content_again_doubles_nothing(project: Project, tmp_path: Path) -> None:
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
        ("a.xlsx", "PK", "no data set"),
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
def test_scinli_comes_in_whole(project: Project) -> None:
    for name, rows in (("dev.csv", 2000), ("train_1.tsv", 1000), ("train_2.tsv", 1000)):
        imported = take(project, SHARED / name)
        assert (imported.new, imported.bad) == (rows, 0)
    with project.reading() as stores:
        assert set(stores.pairs.counts().values()) == {1000}
