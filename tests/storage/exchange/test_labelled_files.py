"""Data set files of every shape are read; bad rows are named and cost nothing else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.records import Label
from storage.exchange.labelled_files import is_labelled_file, is_triples_file, read_labelled_rows
from storage.exchange.labelled_rows import BadRow
from storage.project import Project
from tests.storage.exchange.data_set_files import (
    MISMATCHED,
    MNLI,
    MSCINLI,
    SCINLI,
    SNLI,
    SNLI_TSV,
    TAXINLI,
    import_file,
    stored_pairs,
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
    assert import_file(project, tmp_path / name, content).new == len(rows)
    assert stored_pairs(project) == rows
    zipped = tmp_path / f"{name}.gz"
    assert import_file(project, zipped, gzip.compress(content.encode())).known == len(rows)
    assert stored_pairs(project) == rows


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_the_delimiter_is_detected_from_the_first_line(
    project: Project, tmp_path: Path, delimiter: str, name: str
) -> None:
    rows = (("sentence1", "sentence2", "label"), ('"One."', "Two.", "neutral"))
    import_file(project, tmp_path / name, "".join(f"{delimiter.join(row)}\n" for row in rows))
    assert [row[:3] for row in stored_pairs(project)] == [("One.", "Two.", "neutral")]


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b""])
def test_marks_and_line_ends_of_other_systems_do_not_matter(project: Project, tmp_path: Path, start: bytes) -> None:
    imported = import_file(project, tmp_path / "a.csv", start + b"sentence1,sentence2,label\r\nOne.,Two.,neutral\r\n")
    assert (imported.new, imported.bad) == (1, 0)


def test_utf16_as_spreadsheets_write_it_is_read(project: Project, tmp_path: Path) -> None:
    import_file(project, tmp_path / "a.tsv", "sentence1\tsentence2\tlabel\r\nÜber.\tTwo.\tneutral\r\n".encode("utf-16"))
    assert stored_pairs(project)[0][0] == "Über."


def test_bad_rows_are_listed_by_line_and_the_good_ones_kept(project: Project, tmp_path: Path) -> None:
    content = (
        b'sentence1,sentence2,label\nOne.,"Two\nlines.",neutral\n,Two.,neutral\nCaf\xe9.,Two.,neutral\nOne.,Two.,maybe\n'
        b"One.,Two.\na,b,c,d,e\nNul\x00.,Two.,neutral\nLast.,Two.,reasoning\n"
    )
    imported = import_file(project, tmp_path / "a.csv", content)
    assert [tuple(row) for row in imported.bad_rows] == [
        (4, "no premise"),
        (5, "the premise is not UTF-8 text"),
        (6, "unknown label 'maybe'"),
        (7, "no label"),
        (8, "5 columns instead of 3"),
    ]
    assert [row[0] for row in stored_pairs(project)] == ["One.", "Nul.", "Last."]
    assert (imported.new, imported.known, imported.bad) == (3, 0, 5)


def test_broken_json_lines_are_listed(project: Project, tmp_path: Path) -> None:
    good = '{"sentence1": "One.", "sentence2": "Two.", "label": "neutral"}'
    content = f'{good[:-5]}\n[1]\n{{"sentence1": 3, "sentence2": "x", "label": "neutral"}}\n\n{good}\n'
    imported = import_file(project, tmp_path / "a.jsonl", content)
    assert [tuple(row) for row in imported.bad_rows] == [(1, "not JSON"), (2, "not a JSON object"), (3, "no premise")]
    assert imported.new == 1


@pytest.mark.parametrize("names", [("premise", "hypothesis"), ("sentence1", "sentence2")])
def test_numbers_are_labels_only_if_their_meaning_is_given(
    project: Project, tmp_path: Path, names: tuple[str, str]
) -> None:
    rows = [{names[0]: f"Man {n}.", names[1]: "A person.", "label": n} for n in (0, "1", -1)]
    content = "".join(f"{json.dumps(row)}\n" for row in rows)
    with pytest.raises(UserError, match="line 1: the label is 0") as told:
        import_file(project, tmp_path / "glue.jsonl", content)
    assert "--label-numbers" in told.value.hint
    assert stored_pairs(project) == []
    imported = import_file(project, tmp_path / "glue.jsonl", content, numbers=(Label.ENTAILMENT, Label.NEUTRAL))
    assert (imported.new, imported.unlabelled) == (3, 1)
    assert [row[2] for row in stored_pairs(project)] == ["entailment", "neutral", None]


def test_rows_without_a_label_explain_no_number(project: Project, tmp_path: Path) -> None:
    content = "sentence1,sentence2,label\nOne.,Two.,-1\nThree.,Four.,2\n"
    with pytest.raises(UserError, match="line 3: the label is 2"):
        import_file(project, tmp_path / "a.csv", content)
    assert stored_pairs(project) == []


def test_a_number_among_words_is_a_bad_row(project: Project, tmp_path: Path) -> None:
    content = "sentence1,sentence2,label\nOne.,Two.,neutral\nThree.,Four.,2\n"
    imported = import_file(project, tmp_path / "a.csv", content)
    assert [tuple(row) for row in imported.bad_rows] == [(3, "the label 2 is a number, and nothing says what it means")]


def test_an_unclosed_quote_affects_only_its_row_or_is_reported(project: Project, tmp_path: Path) -> None:
    rows = "".join(f"One {n}.,Two.,neutral\n" for n in range(20_000))
    imported = import_file(
        project, tmp_path / "a.csv", f'sentence1,sentence2,label\nGood.,Two.,neutral\n"Open.,Two.,neutral\n{rows}'
    )
    assert imported.new > 1
    assert "quote" in imported.bad_rows[0].reason
    assert imported.bad_rows[0].line == 3


@pytest.mark.parametrize(
    "content",
    [b"\x1f\x8b", gzip.compress(b"sentence1,sentence2,label\n")[:12], b"\x1f\x8b\x08\0\0\0\0\0\0\3\xed" + b"\xff" * 90],
    ids=["magic alone", "nothing but a header", "noise"],
)
def test_a_compressed_file_that_is_damaged_at_its_start_is_no_data_set(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(content)
    assert not is_labelled_file(path)
    assert list(read_labelled_rows(path)) == [(1, BadRow(1, "the file is damaged from here on"))]


def test_a_compressed_file_that_breaks_off_keeps_what_came_before(project: Project, tmp_path: Path) -> None:
    lines = "".join(f'{{"sentence1": "One {n}.", "sentence2": "Two.", "label": "neutral"}}\n' for n in range(5000))
    content = gzip.compress(lines.encode())
    imported = import_file(project, tmp_path / "a.jsonl.gz", content[: len(content) // 2])
    assert imported.new > 100
    assert imported.bad_rows[-1].reason == "the file is damaged from here on"


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
        import_file(project, tmp_path / name, content)


def test_an_endless_row_is_one_bad_row(project: Project, tmp_path: Path) -> None:
    row = '{"sentence1": "%s", "sentence2": "Two.", "label": "neutral"}\n'
    content = row % "One." + row % ("x" * 3_000_000) + row % "Three."
    imported = import_file(project, tmp_path / "a.jsonl.gz", gzip.compress(content.encode()))
    assert [tuple(bad) for bad in imported.bad_rows] == [(2, "longer than 1,000,000 characters")]
    head = "sentence1,sentence2,label\nOne.,Two.,neutral\n"
    cells = '"x' + '\n","xxxxxxxxxxxxxxxxxxxxxxxxxxxx' * 100_000
    imported = import_file(project, tmp_path / "a.csv.gz", gzip.compress((head + cells).encode()))
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
        import_file(project, name, gzip.compress(content) if packed else content)


def test_a_file_without_good_rows_is_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="none of its first 1,000 rows") as told:
        import_file(project, tmp_path / "a.jsonl", "{}\n" * 20_000)
    assert "no premise" in told.value.hint


def test_triples_are_known_by_their_first_line(tmp_path: Path) -> None:
    (tmp_path / "levyholt.txt").write_text("a,b,c\td,e,f\tTrue\tEN\n")
    (tmp_path / "mnli.txt").write_text("sentence1\tsentence2\tgold_label\n")
    (tmp_path / "wide.txt").write_bytes(b"\xff\xfe\x00")
    known = {path.name: is_triples_file(path) for path in [*tmp_path.iterdir(), tmp_path / "none.txt"]}
    assert known == {"levyholt.txt": True, "mnli.txt": False, "wide.txt": False, "none.txt": False}
