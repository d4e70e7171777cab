"""Parts of answer tables: ids, labels, sentences that came back changed, and what is read of files."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.errors import UserError
from miner.records import Answer
from storage.exchange.answer_tables.json_arrays import read_json_array
from storage.exchange.answer_tables.labels import read_label
from storage.exchange.answer_tables.reading import read_rows
from storage.exchange.answer_tables.row_ids import find_row_id, holds_row_ids, row_id
from storage.exchange.answer_tables.sentence_match import same_sentence

HEADER = "pairwright_id,premise,hypothesis,label\n"


@given(st.text(max_size=40), st.text(max_size=40))
def test_an_id_is_letters_that_no_spreadsheet_takes_for_anything_else(assignment: str, key: str) -> None:
    id = row_id(assignment, key)
    assert re.fullmatch(r"pw-[b-df-hj-np-tv-z]{16}", id)
    for damaged in (id, id.upper(), f"'{id}", f" {id}\u00a0", id.replace("-", "–"), f'"{id}"'):
        assert find_row_id(damaged) == id
    for other in (id[:-1], f"{id}b", id[3:], 7, None, [id]):
        assert not find_row_id(other)


def test_ids_of_other_pairs_and_assignments_differ() -> None:
    assert len({row_id(uid, str(key)) for uid in "ab" for key in range(500)}) == 1000


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig", "cp1252"])
def test_a_file_with_ids_is_known_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(f"{HEADER}{row_id('a', 'b')},é,b,\n".encode(encoding))
    assert holds_row_ids(file)
    file.write_bytes(f"{HEADER},é,b,\n".encode(encoding))
    assert holds_row_ids(file)  # they were deleted, which is to be said
    file.write_bytes("id,premise,hypothesis\npw-aeiou,é,b\n".encode(encoding))
    assert not holds_row_ids(file)


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        (("contrasting", "C", "c ", 1, "1", "1.0", 1.0, "'1", "Contrasting.", "“contrasting”"), Answer.CONTRASTING),
        (("REASONING", "r", 2, "2,0"), Answer.REASONING),
        (("entailment", "E", 3), Answer.ENTAILMENT),
        (("neutral", "n", "4", "(4)"), Answer.NEUTRAL),
        (("unclear", "u", "?", 5), Answer.UNCLEAR),
        (("", "  ", None, "\u00a0", "'"), None),
    ],
)
def test_labels_are_words_letters_or_the_keys_of_review(cells: tuple[object, ...], answer: Answer | None) -> None:
    assert {read_label(cell) for cell in cells} == {answer}


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (0, "0 is no label: the numbers are 1 contrasting"),
        ("0.0", "0 is no label"),
        ("contrastive", "perhaps contrasting is meant"),
        ("nuetral", "perhaps neutral is meant"),
        ("6", "labels are contrasting, reasoning, entailment, neutral, unclear"),
        ("1.5", "“1.5” is no label"),
        ("x" * 5000, "x…” is no label"),
        (True, "neither a word nor a number"),
        (["neutral"], "neither a word nor a number"),
        ({}, "neither a word nor a number"),
    ],
)
def test_what_is_no_label_is_refused_with_those_that_are_near(cell: object, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        read_label(cell)


@pytest.mark.parametrize(
    ("sent", "returned"),
    [
        ("It isn’t “so” – or—is it…", 'It isn\'t "so" - or-is it...'),
        ('It isn\'t "so" -- or - is it...', "It isn’t “so” — or – is it…"),
        ("a  b\nc", " a b c "),
        ("x --> y (c) 1/2", "x → y © ½"),
        ("We set α ≤ 𝛽 here.", "We set ? ? ?? here."),
        ("We set α = β.", "We set a = ß.".replace("ß", "?")),
        ("naïve – α", "naïve – α".encode().decode("cp1252")),
        ("naïve “x” é", "naïve “x” é".encode("cp1252").decode("utf-8", "surrogateescape")),
        ("naïve “x” é", "naïve “x” é".encode("mac_roman").decode("utf-8", "surrogateescape")),
        ("Cafe\u0301 is open.", "Café is open."),
    ],
)
def test_harmless_damage_of_a_sentence_is_passed_over(sent: str, returned: str) -> None:
    assert same_sentence([sent], returned)


@pytest.mark.parametrize(
    ("sent", "returned"),
    [
        ("p < 0.05", "p > 0.05"),
        ("It is so.", "It is not so."),
        ("The cat.", "The car."),
        ("α is larger.", "β is larger."),
        ("We set α = 1.", "We set ??? = 1."),
        ("It holds.", ""),
        ("5 - 3", "5 + 3"),
    ],
)
def test_another_sentence_is_not_the_one_that_was_sent(sent: str, returned: str) -> None:
    assert not same_sentence([sent], returned)


@given(st.text(), st.text())
def test_any_text_can_be_compared(sent: str, returned: str) -> None:
    assert same_sentence([sent], sent)
    same_sentence([sent], returned)
    same_sentence([sent], returned.encode("utf-16-le", "surrogatepass").decode("utf-8", "surrogateescape"))


def test_an_array_is_read_element_by_element_however_it_is_laid_out(tmp_path: Path) -> None:
    objects = [{"a": "ü" * number, "b": [{"c": number}]} for number in range(0, 40_000, 997)]
    for indent in (None, 2):
        (tmp_path / "a.json").write_text(json.dumps(objects, indent=indent), encoding="utf-8-sig")
        rows = list(read_json_array(tmp_path / "a.json"))
        assert [row.fields for row in rows] == objects
        assert [row.line for row in rows] == list(range(1, len(objects) + 1))
        assert not any(row.problem for row in rows)


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ("[]", []),
        ("[1, {}, null]", ["not a JSON object", "", "not a JSON object"]),
        ('[{"a": 1}, {"a"', ["", "not JSON from here on"]),
        ('[{"a": 1}', ["", "the file ends in the middle"]),
        ("[" * 100_000, ["nested too deeply"]),
        ('[[{"a": 1}]]', ["not a JSON object"]),
        ('[{"a": ' + "[" * 100_000, ["nested too deeply"]),
        ('[{"a": "' + "x" * 3_000_000, ["longer than 1,000,000 characters"]),
        ('[{"a": ' + "9" * 5000 + "}]", ["not JSON from here on"]),
        ("[{}] trailing", [""]),
    ],
)
def test_a_damaged_array_is_read_as_far_as_it_goes(tmp_path: Path, content: str, problems: list[str]) -> None:
    (tmp_path / "a.json").write_text(content, encoding="utf-8")
    found = [row.problem for row in read_json_array(tmp_path / "a.json")]
    assert found == problems


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\0" * 5000, "its content is not text"),
        (b"%PDF-1.7 abc", "its content is a PDF"),
        (b"PK\x03\x04" + b"x" * 99, "a zip archive or a spreadsheet"),
        (b"\x1f\x8b" + b"\0" * 99, "is compressed"),
        (b"id,text\n1,2\n", "has no column premise or hypothesis or label"),
        (b"x" * 3_000_000, "does not name its columns"),
        (HEADER.encode().replace(b"\n", b",label\n"), "has two columns named 'label'"),
    ],
)
def test_a_file_that_is_no_answer_table_is_refused_in_a_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(content)
    with pytest.raises(UserError, match=re.escape(said)) as refused:
        list(read_rows(file))
    assert "data set" not in f"{refused.value} {refused.value.hint}"


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(UserError):
            list(read_rows(path))


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    with file.open("wb") as sparse:
        sparse.truncate(600_000_000)
    with pytest.raises(UserError, match="too large for answers"):
        list(read_rows(file))


@pytest.mark.parametrize(
    "content",
    [
        "{}\n[]\n1\nnull\n" + '{"pairwright_id": {"a": [1]}, "premise": 1, "hypothesis": [], "label": {}}\n',
        '{"data": [], "annotations": 5}\n{"data": {}, "annotations": [1, {"result": 5}, {"result": [{"value": 1}]}]}\n',
        '{"data": {}, "annotations": [{"result": [{"from_name": "label", "value": {"choices": 5}}], "lead_time": []}]}',
        '{"answer": "accept", "accept": {"a": 1}, "options": 1, "_timestamp": 1e400}\n{"answer": [], "accept": "x"}',
        '{"updated_at": "never", "annotator": [], "lead_time": -1, "x": 1}\n{"a": ' + "[" * 50_000,
        f'{HEADER}a,b\n"unclosed, quote\n',
        f"{HEADER}\udcff\udcfe,\0,\0,\0\n",
    ],
)
def test_values_of_any_type_are_read_without_a_traceback(tmp_path: Path, content: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    rows = list(read_rows(file))
    assert rows
    for row in rows:
        with suppress(ValueError):
            read_label(row.label)
        assert row.at is None
        assert row.seconds is None
