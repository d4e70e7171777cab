"""The card of an exported data set: the hub's library and Croissant's open the folder, offline, with the same rows."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from miner.progress import Progress
from miner.records import Answer, Strategy
from storage.annotation.answers import NewAnswer
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange.card_files import CARD_FILES, SUMS
from storage.exchange.data_card import CARD
from storage.exchange.manifest import MANIFEST, load_manifest
from storage.exchange.pair_export import ExportReceipt, export_pairs
from storage.project import Project
from tests.data_set_reader import opened
from tests.precision_factory import answer_sample
from tests.storage.factories import mine, paper, pdf

SHARES = (("train", 60.0), ("dev", 20.0), ("test", 20.0))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def project_with_answers(project: Project) -> Project:
    with project.transaction() as stores:
        for number, name in enumerate("abcdefgh"):
            made = replace(paper(name, domain="nlp" if number % 2 else "<b>ök|o</b>"), licence="CC-BY-4.0")
            stores.papers.save(replace(made, title=f"On `{name}` | *and* more", doi="10.5555/x"), pdf(name))
    mine(project)
    with project.transaction() as stores:
        keys = [row[0] for row in stores._connection.exec_driver_sql("SELECT key FROM pairs ORDER BY key")]
        now = datetime.now(UTC)
        stores.answers.append(NewAnswer(keys[0], who, now, Answer.REASONING) for who in ("Zoë", "anna"))
    return project


def export(project: Project, folder: Path, **options: Any) -> ExportReceipt:
    chosen = ExportOptions(card=True, name="Öffentliche “pairs”: a test", strategies=frozenset(Strategy), **options)
    return export_pairs(project, folder, chosen, Progress())


@pytest.mark.parametrize(
    ("preset", "kind"),
    [
        (Preset.FULL, FileFormat.PARQUET),
        (Preset.FULL, FileFormat.JSONL),
        (Preset.SNLI, FileFormat.CSV),
        (Preset.INTEGERS, FileFormat.TSV),
    ],
)
def test_datasets_and_croissant_open_the_folder_offline(
    project_with_answers: Project, out: Path, tmp_path: Path, preset: Preset, kind: FileFormat
) -> None:
    receipt = export(project_with_answers, out, preset=preset, format=kind, shares=SHARES)
    found = opened(out)
    assert (found["errors"], found["warnings"]) == ([], ["citeAs", "datePublished"])  # there is no clock in an export
    names = {"train": "train", "dev": "validation", "test": "test"}
    sizes = {Path(file.name).stem: file.rows for file in receipt.files if file.name not in CARD_FILES}
    assert {names[split]: rows for split, rows in sizes.items()} == {
        name: len(rows) for name, rows in found["hub"].items()
    }
    assert sum(sizes.values()) == receipt.rows > 0
    for split, name in names.items():
        assert len(found["croissant"][split]) == sizes[split]
        keys = {"sentence1", "sentence2"} if preset is not Preset.INTEGERS else {"premise", "hypothesis"}
        for row, other in zip(found["hub"][name], found["croissant"][split], strict=True):
            assert {key: row[key] for key in keys} == {key: other[key] for key in keys}
    if preset is Preset.FULL:
        assert found["features"]["annotator_labels"] == "List(Value('string'))"
        told = [row["annotator_labels"] for rows in found["hub"].values() for row in rows]
        assert ["reasoning", "reasoning"] in told
    if preset is Preset.INTEGERS:
        assert found["features"]["label"].startswith("ClassLabel(names=['contrasting', 'reasoning'")


@pytest.mark.parametrize("kind", [FileFormat.JSONL, FileFormat.CSV, FileFormat.PARQUET])
def test_an_empty_split_keeps_the_others_from_nothing(
    project_with_answers: Project, out: Path, kind: FileFormat
) -> None:
    shares = (("train", 98.0), ("dev", 1.0), ("test", 1.0))
    receipt = export(project_with_answers, out, preset=Preset.FULL, format=kind, shares=shares)
    found = opened(out)
    assert {name: len(rows) for name, rows in found["hub"].items()} == {"train": receipt.rows}
    assert {name: len(rows) for name, rows in found["croissant"].items()} == {
        "train": receipt.rows,
        "dev": 0,
        "test": 0,
    }


def test_a_card_is_the_same_however_often_it_is_written(project_with_answers: Project, tmp_path: Path) -> None:
    for name in ("a", "b"):
        export(project_with_answers, tmp_path / name, shares=SHARES, preset=Preset.FULL)
    one, other = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir() if path.is_file()} for name in ("a", "b")
    )
    assert {*CARD_FILES} <= one.keys()
    assert one == other


def test_the_sums_are_those_of_the_files(project_with_answers: Project, out: Path) -> None:
    export(project_with_answers, out, shares=SHARES)
    lines = [line.split("  ") for line in (out / SUMS).read_text().splitlines()]
    assert {name for _, name in lines} == {path.name for path in out.iterdir()} - {
        SUMS,
        "receipt.json",
        ".pairwright-export.lock",
    }
    for sha256, name in lines:
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == sha256


def test_no_name_of_an_annotator_and_no_markup_of_a_paper_is_in_the_card(
    project_with_answers: Project, out: Path
) -> None:
    with project_with_answers.transaction() as stores:
        action = stores.actions.begin("anna", "Set a licence", datetime(2026, 7, 1, tzinfo=UTC))
        stores.paper_edits.edit(action, stores.papers.md5s()[:1], {"licence": "<b>mine</b> | yours"})
    export(project_with_answers, out, preset=Preset.FULL)
    texts = {path.name: path.read_text() for path in out.iterdir() if path.suffix in (".md", ".json", ".jsonl", "")}
    assert not any("Zoë" in text or "anna" in text for name, text in texts.items() if name != "pairs.jsonl")
    assert "<b>" not in texts[CARD]
    assert "On \\`a\\` \\| \\*and\\* more" in texts[CARD]
    assert "| \\<b\\>mine\\</b\\> \\| yours |" in texts[CARD]
    assert "2 annotator" in texts[CARD]


def test_a_manifest_says_what_the_files_were_made_of(project_with_answers: Project, out: Path) -> None:
    receipt = export(project_with_answers, out, preset=Preset.FULL, shares=SHARES)
    manifest = load_manifest(out / MANIFEST)
    assert manifest.export_options == receipt.options
    assert [one.md5 for one in manifest.papers] == sorted(paper(name).md5 for name in "abcdefgh")
    assert {one.name: one.sha256 for one in manifest.files}.items() <= {
        one.name: one.sha256 for one in receipt.files
    }.items()


def test_an_earlier_export_with_a_card_is_replaced_whole(project_with_answers: Project, out: Path) -> None:
    export(project_with_answers, out)
    receipt = export_pairs(project_with_answers, out, ExportOptions(), Progress())
    assert {path.name for path in out.iterdir() if not path.name.startswith(".")} == {"pairs.jsonl", "receipt.json"}
    assert set(receipt.removed) == set(CARD_FILES)


def test_the_card_and_the_manifest_say_how_many_distant_labels_are_right_once_a_sample_is_answered(
    project_with_answers: Project, out: Path, tmp_path: Path
) -> None:
    export(project_with_answers, out)
    assert "How many distant labels are right" not in (out / CARD).read_text(encoding="utf-8")
    assert "precision" not in (out / MANIFEST).read_text(encoding="utf-8")
    answer_sample(project_with_answers, 24, right=0.8)
    for folder in (out, tmp_path / "again"):
        export(project_with_answers, folder)
    card = (out / CARD).read_text(encoding="utf-8")
    assert card == (tmp_path / "again" / CARD).read_text(encoding="utf-8")
    section = card.partition("## How many distant labels are right\n")[2].partition("\n## ")[0]
    with project_with_answers.read_transaction() as stores:
        pairs = stores.pairs.count()
    assert f"People answered 24 pairs of a random sample of these {pairs} pairs, exported or not" in section
    assert "of 1 pair that several people answered, 1 (100 %) have the same answers" in section
    assert "| \\<b\\>ök\\|o\\</b\\> | all |" in section
    assert "They do not cover answers that are wrong" in section
    manifest = load_manifest(out / MANIFEST)
    [overall] = [one for one in manifest.precision if (one.label, one.domain, one.phrase) == (None, None, None)]
    assert (overall.pairs, overall.answers) == (pairs, 24)
    assert overall.low < overall.share < overall.high
    answer_sample(project_with_answers, pairs, right=0.8)
    export(project_with_answers, out)
    assert f"are right: people answered all {pairs} pairs, exported or not." in (out / CARD).read_text(encoding="utf-8")
