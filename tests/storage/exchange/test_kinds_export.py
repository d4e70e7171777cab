"""Kinds of reasoning in exports and imports: the preset `taxinli`, the full rows, and TaxiNLI's own files."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from miner.errors import UserError
from miner.kinds.figures import kinds_figures
from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import Direction, released_taxonomy
from miner.progress import Progress
from storage.annotation.imported_kinds import counted_kinds, store_kinds
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange.kinds_columns import NEUTRAL_COLUMNS, REASONING_COLUMNS
from storage.exchange.kinds_files import read_kinds_file
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.storage.factories import add, mine

RELEASED = Path(__file__).parents[4] / "shared" / "data" / "taxinli"
NOW = datetime(2026, 7, 1, tzinfo=UTC)
CAUSAL = PairKinds("contrasting", frozenset({"causal", "world"}), Direction.FORWARD, complete=True)
TOPIC = PairKinds("neutral", frozenset({"topic"}), Direction.NEITHER, complete=True)


def _say(project: Project, *said: tuple[str, str, PairKinds]) -> None:
    with project.transaction() as stores:
        store_kinds(stores._connection, said, NOW.isoformat())


def _keys(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return stores.pair_table.keys(stores.pair_table.ids(PairFilter()))


def _export(project: Project, folder: Path, preset: Preset, form: FileFormat = FileFormat.JSONL) -> Path:
    export_pairs(project, folder, ExportOptions(preset, format=form), Progress())
    return folder / f"pairs.{form}"


def _import(project: Project, path: Path) -> ImportedPairs:
    return import_pairs(project, path, domain="", progress=Progress(), at=NOW)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture
def mined(project: Project) -> Project:
    add(project, ["a", "b"])
    mine(project)
    return project


def test_a_taxinli_row_has_a_column_for_each_kind_and_only_answered_pairs_are_there(
    mined: Project, tmp_path: Path
) -> None:
    first, second, *_ = _keys(mined)
    _say(mined, (first, "anna", CAUSAL), (first, "ben", TOPIC), (first, "cleo", CAUSAL), (second, "ben", TOPIC))
    rows = {row["pairID"]: row for row in _rows(_export(mined, tmp_path / "out", Preset.TAXINLI))}
    assert rows.keys() == {first, second}
    row = rows[first]
    with mined.read_transaction() as stores:
        pair = stores.pairs.get(first)
    assert (row["prem"], row["hyp"], row["label"]) == (pair.premise, pair.hypothesis, pair.distant_label)
    assert list(row)[:5] == ["prem", "hyp", "label", "annotated_label", "lexical_linguistic"]
    assert {name for name, value in row.items() if value == 1} == {"causal_reasoning", "world_knowledge"}
    assert (row["annotated_label"], row["annotated_direction"], row["general_q2"]) == ("contrasting", "forward", "-")
    assert rows[second]["general_q2"] == "1"


@pytest.mark.parametrize("form", [FileFormat.JSONL, FileFormat.TSV])
def test_the_counts_of_the_file_are_those_of_the_project(mined: Project, tmp_path: Path, form: FileFormat) -> None:
    keys = _keys(mined)
    _say(mined, *((key, who, CAUSAL if n % 2 else TOPIC) for n, key in enumerate(keys) for who in ("anna", "ben")))
    path = _export(mined, tmp_path / "out", Preset.TAXINLI, form)
    found = read_kinds_file(path, released_taxonomy())
    assert (len(found.pairs), len(found.categories), found.models, found.unusable) == (len(keys), 18, (), 0)
    figures = kinds_figures(found.pairs, found.categories)
    causal = sum(figures.counts[found.categories.index("causal")])
    assert (causal, sum(figures.counts[found.categories.index("topic")])) == (len(keys) // 2, -(-len(keys) // 2))


def test_a_full_row_says_what_phrase_and_people_say_of_the_direction(mined: Project, tmp_path: Path) -> None:
    first, *_ = _keys(mined)
    _say(mined, (first, "anna", CAUSAL), (first, "ben", TOPIC), (first, "cleo", CAUSAL))
    rows = {row["pairID"]: row for row in _rows(_export(mined, tmp_path / "out", Preset.FULL))}
    row = rows[first]
    assert (row["direction"], row["distant_direction"], row["annotated_direction"]) == ("forward", "neither", "forward")
    assert row["kinds"] == ["causal", "world"]
    assert row["annotator_kinds"][:2] == ["contrasting forward causal world", "neutral neither topic"]


def test_kinds_of_another_taxonomy_are_refused_in_words(mined: Project, tmp_path: Path) -> None:
    first, *_ = _keys(mined)
    _say(mined, (first, "anna", CAUSAL._replace(categories=frozenset({"analogy"}))))
    with pytest.raises(UserError, match="analogy"):
        _export(mined, tmp_path / "out", Preset.TAXINLI)
    assert '"kinds":["analogy"]' in _export(mined, tmp_path / "full", Preset.FULL).read_text()


def test_kinds_come_in_as_answers_of_an_annotator_that_the_file_numbers(tmp_path: Path, project: Project) -> None:
    path = tmp_path / "kinds.tsv"
    head = ["prem", "hyp", "label", "annotated_label", *REASONING_COLUMNS.values(), *NEUTRAL_COLUMNS.values()]
    head += ["pairID", "genre"]
    rows = [
        ["Ice melts.", "Ice thaws.", "entailment", "neutral", "1", *"0" * 14, "-", "-", "-", "7e", "letters"],
        ["Ice melts.", "It is June.", "neutral", "-", *"0" * 15, "1.0", "0.0", "0.0", "8n", "letters"],
        ["Ice melts.", "It rains.", "not_entailment", "-", *"0" * 15, "-", "-", "-", "9n", "letters"],
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([head, *rows])
    found = _import(project, path)
    assert (found.new, found.with_kinds, found.bad) == (2, 2, 1)
    assert dict(found.reasons) == {"unknown label 'not_entailment'": 1}
    with project.read_transaction() as stores:
        [lexical] = stores.pair_table.keys(stores.pair_table.ids(PairFilter(kinds=frozenset({"lexical"}))))
        [topic] = stores.pair_table.keys(stores.pair_table.ids(PairFilter(kinds=frozenset({"topic"}))))
        said = counted_kinds(stores._connection, [lexical, topic])
        [event] = stores.kinds.history(lexical)
        assert event.annotator == "imported 01"
    assert said[lexical] == [PairKinds("neutral", frozenset({"lexical"}), None, complete=True)]
    assert said[topic] == [PairKinds("neutral", frozenset({"topic"}), None, complete=True)]
    again = _import(project, path)
    assert (again.new, again.known, again.remarks) == (0, 2, {})


@pytest.mark.parametrize("given", [["maybe forward"], {"Anna": "maybe"}])
def test_kinds_that_nobody_can_have_are_kept_as_columns(tmp_path: Path, project: Project, given: object) -> None:
    row = {"sentence1": "A b.", "sentence2": "C d.", "label": "neutral", "annotator_kinds": given}
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert (_import(project, path).new, _import(project, path).with_kinds) == (1, 0)
    with project.read_transaction() as stores:
        source = stores._connection.exec_driver_sql("SELECT source FROM pairs").scalar_one()
    assert "maybe" in source


@pytest.mark.skipif(not RELEASED.exists(), reason="the released files of TaxiNLI are not on this machine")
def test_a_released_file_comes_in_with_its_kinds(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "taxinli.tsv"
    path.write_bytes(b"".join((RELEASED / "taxinli10k.tsv").read_bytes().splitlines(keepends=True)[:601]))
    found = _import(project, path)
    assert (found.bad, found.with_kinds, found.new + found.duplicates) == (0, found.new, 600)
