"""Folders that hold a model, and all that can be wrong with them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from miner.classifier.checkpoints import (
    CARD,
    CONFIG,
    WEIGHTS,
    Checkpoint,
    UnknownClassOrder,
    find_checkpoint,
    inspect_checkpoint,
    read_header,
)
from miner.classifier.examples import LABELS
from miner.errors import UserError
from miner.records import Label
from tests.miner.classifier import factories
from tests.miner.classifier.factories import edit_json


@pytest.fixture
def folder(classifier: Path, tmp_path: Path) -> Path:
    """A sequence classifier's folder, to be damaged."""
    return Path(shutil.copytree(classifier, tmp_path / "model"))


def refused(folder: Path, words: str, labels: tuple[Label, ...] | None = None) -> UserError:
    with pytest.raises(UserError, match=words) as caught:
        inspect_checkpoint(folder, labels=labels)
    assert caught.value.hint or "names each" in str(caught.value) or "each of the four" in str(caught.value)
    return caught.value


def test_an_encoder_knows_no_classes(bert: Path) -> None:
    found = inspect_checkpoint(bert)
    assert (found.name, found.labels, found.can_suggest, found.card) == ("bert", None, False, None)


def test_a_classifier_that_names_its_classes_needs_no_order(classifier: Path) -> None:
    assert inspect_checkpoint(classifier).labels == LABELS


def test_names_in_another_order_give_another_order_and_another_digest(folder: Path) -> None:
    before = inspect_checkpoint(folder)
    edit_json(folder / CONFIG, id2label={"0": "Neutral", "1": "entailment", "2": "r", "3": "contrasting"})
    found = inspect_checkpoint(folder)
    assert found.labels == factories.order("neutral", "entailment", "reasoning", "contrasting")
    assert found.digest != before.digest


def test_ten_names_are_sorted_as_numbers_not_as_text(folder: Path) -> None:
    edit_json(folder / CONFIG, id2label={str(n): f"class {n}" for n in range(11)})
    refused(folder, "has 11 classes, not 4")


def test_unnamed_classes_need_an_order(tmp_path: Path) -> None:
    folder = factories.bert_classifier(tmp_path / "model", None)
    problem = refused(folder, r"does not say which of its classes is which relation \(LABEL_0, LABEL_1")
    assert isinstance(problem, UnknownClassOrder)
    assert "--labels" in problem.hint
    asked = factories.order("neutral", "contrasting", "entailment", "reasoning")
    assert inspect_checkpoint(folder, labels=asked).labels == asked
    assert inspect_checkpoint(folder, labels=asked).digest != inspect_checkpoint(folder, labels=LABELS).digest


def test_an_order_that_names_a_relation_twice_is_refused(folder: Path) -> None:
    refused(folder, "each of the four relations once", factories.order("neutral", "neutral", "reasoning", "entailment"))


@pytest.mark.parametrize("name", ["contradiction", "NEUTRAL2", "", "reasoning"])
def test_names_of_another_task_are_not_guessed(folder: Path, name: str) -> None:
    edit_json(folder / CONFIG, id2label={"0": name, "1": "reasoning", "2": "entailment", "3": "neutral"})
    refused(folder, "does not say which")


@pytest.mark.parametrize("names", [[], "x", 3, {"a": "contrasting", "b": "r", "c": "e", "d": "n"}])
def test_names_that_are_no_names_are_refused(folder: Path, names: object) -> None:
    edit_json(folder / CONFIG, id2label=names)
    refused(folder, "classes")


def test_three_classes_are_refused(tmp_path: Path) -> None:
    names = {0: "contradiction", 1: "neutral", 2: "entailment"}
    refused(factories.bert_classifier(tmp_path / "nli", names), "nli has 3 classes, not 4")


def test_pickled_weights_are_refused_unopened(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'touch /tmp/opened'\ntR.")
    assert "any program" in refused(folder, "only as a pickle").hint


def test_weights_that_are_cut_off_are_told_by_their_size(folder: Path) -> None:
    size = (folder / WEIGHTS).stat().st_size
    os.truncate(folder / WEIGHTS, size - 100)
    refused(folder, f"is cut off: {size - 100:,} of {size:,} bytes")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x05",
        b"\xff" * 8 + b"{}",
        b"\x02" + b"\0" * 7 + b"[]",
        b"\x04" + b"\0" * 7 + b"null",
        b"\x08" + b"\0" * 7 + b'{"a": 1}',
        b"\x18" + b"\0" * 7 + b'{"a":{"data_offsets":[]}}'[:24],
        b"\x19" + b"\0" * 7 + b'{"a":{"data_offsets":[]}}',
        b"\x1e" + b"\0" * 7 + b'{"a":{"data_offsets":[0,"9"]}}',
        (100_000).to_bytes(8, "little") + b"[" * 100_000,
        b"<!DOCTYPE html><html>not found</html>",
    ],
)
def test_weights_with_a_damaged_header_are_told(folder: Path, content: bytes) -> None:
    (folder / WEIGHTS).write_bytes(content)
    refused(folder, "is damaged")


def test_weights_with_something_behind_them_are_damaged(folder: Path) -> None:
    with (folder / WEIGHTS).open("ab") as file:
        file.write(b"more")
    refused(folder, "is damaged")


def test_an_empty_set_of_tensors_is_read(tmp_path: Path) -> None:
    (tmp_path / WEIGHTS).write_bytes(b"\x02" + b"\0" * 7 + b"{}")
    assert read_header(tmp_path / WEIGHTS) == {}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "There is no .*config.json"),
        ("{", "cannot be read"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "not a file of a model"),
    ],
)
def test_a_config_that_is_missing_or_damaged_is_told(folder: Path, content: str | None, words: str) -> None:
    (folder / CONFIG).unlink()
    if content is not None:
        (folder / CONFIG).write_text(content)
    refused(folder, words)


def test_a_config_without_architecture_and_one_with_code_of_its_own_are_refused(folder: Path) -> None:
    edit_json(folder / CONFIG, auto_map={"AutoModel": "evil.Model"})
    refused(folder, "needs code of its own")
    edit_json(folder / CONFIG, auto_map=None, model_type=None)
    refused(folder, "which architecture")


def test_an_empty_folder_and_none_are_told_apart(tmp_path: Path) -> None:
    refused(tmp_path, "There are no weights")
    refused(tmp_path / "gone", "There is no folder")


def test_sharded_weights_are_found_and_a_missing_part_is_told(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "model-00001-of-00002.safetensors")
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "../../model-00001-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert inspect_checkpoint(folder).labels == LABELS
    (folder / "model-00001-of-00002.safetensors").unlink()
    refused(folder, "There are no weights")
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"a": 1}}')
    refused(folder, "There are no weights")


def test_files_that_are_links_are_followed_as_in_the_hubs_cache(classifier: Path, tmp_path: Path) -> None:
    for file in classifier.iterdir():
        (tmp_path / file.name).symlink_to(file)
    assert inspect_checkpoint(tmp_path).digest == inspect_checkpoint(classifier).digest
    (tmp_path / WEIGHTS).unlink()
    (tmp_path / WEIGHTS).symlink_to(tmp_path / WEIGHTS)
    refused(tmp_path, "There are no weights")


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": ["neutral"]},
        {"labels": 3},
        {"labels": None},
        {"temperature": 0},
        {"temperature": "hot"},
        {"max_tokens": 0},
        {"of_a_later_version": 1},
        {"evidence": [1.0, 2.0]},
        {"evidence": [1.0, 1.0, 1.0, -1.0]},
        {"least_probabilities": {"20": [0.1, 0.2]}},
        {"least_probabilities": {"20": [0.1, 0.2, 0.3, 7.0]}},
        {"name": None},
    ],
)
def test_a_card_that_makes_no_sense_is_refused(ours: Checkpoint, tmp_path: Path, changes: dict[str, object]) -> None:
    folder = Path(shutil.copytree(ours.path, tmp_path / "model"))
    edit_json(folder / CARD, **changes)
    refused(folder, "not a model's card")


def test_a_models_name_is_its_cards_unless_it_is_called_otherwise(ours: Checkpoint) -> None:
    assert (inspect_checkpoint(ours.path).name, inspect_checkpoint(ours.path, name="run 3").name) == ("tiny", "run 3")


def test_what_is_asked_for_is_found_in_the_projects_models_or_as_a_folder(ours: Checkpoint, tmp_path: Path) -> None:
    shutil.copytree(ours.path, tmp_path / "run-1" / "checkpoint")
    inside = find_checkpoint("run-1", models=tmp_path)
    assert (inside.path, inside.name, inside.digest) == (tmp_path / "run-1" / "checkpoint", "run-1", ours.digest)
    assert find_checkpoint(str(ours.path)).digest == ours.digest


def test_a_checkpoint_is_found_though_saving_it_was_broken_off_between_its_two_last_steps(
    ours: Checkpoint, tmp_path: Path
) -> None:
    run = tmp_path / "run-1"
    shutil.copytree(ours.path, run / "checkpoint.old")
    edit_json(run / "checkpoint.old" / CARD, name="old")
    shutil.copytree(ours.path, run / "checkpoint.part")
    found = find_checkpoint("run-1", models=tmp_path)
    assert (found.digest, found.card and found.card.name) == (ours.digest, "tiny")
    assert inspect_checkpoint(run / "checkpoint").digest == ours.digest
    shutil.rmtree(run / "checkpoint.part")
    assert find_checkpoint("run-1", models=tmp_path).card.name == "old"  # type: ignore[union-attr]


def test_a_first_saving_that_was_broken_off_is_no_checkpoint(ours: Checkpoint, tmp_path: Path) -> None:
    shutil.copytree(ours.path, tmp_path / "run-1" / "checkpoint.part")
    with pytest.raises(UserError):
        find_checkpoint("run-1", models=tmp_path)


@pytest.mark.parametrize("reference", ["", "no such model", "a/b/c", "~nobody-of-that-name/x", "x" * 5_000, "a\0b"])
def test_what_is_nowhere_is_a_sentence(reference: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="model at"):
        find_checkpoint(reference, models=tmp_path)


def test_a_file_is_no_folder(classifier: Path) -> None:
    with pytest.raises(UserError, match="is a file") as caught:
        find_checkpoint(str(classifier / WEIGHTS))
    assert "folder" in caught.value.hint


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The hub's cache, and no network."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub._snapshot_download.constants.HF_HUB_CACHE", str(tmp_path))
    return tmp_path


def cached(hub: Path, name: str) -> Path:
    """Where a model of the hub lies once it has been fetched."""
    place = hub / f"models--{name.replace('/', '--')}"
    (place / "refs").mkdir(parents=True)
    (place / "refs" / "main").write_text("0" * 40)
    (place / "snapshots").mkdir()
    return place / "snapshots" / ("0" * 40)


def test_a_hub_that_cannot_be_reached_tells_where_it_looked_and_how_to_place_files(hub: Path) -> None:
    with pytest.raises(UserError) as caught:
        find_checkpoint("allenai/scibert")
    assert str(caught.value) == (
        f"allenai/scibert is not in {hub / 'models--allenai--scibert'}, and the hub cannot be reached."
    )
    assert "model.safetensors, config.json and tokenizer.json" in caught.value.hint


def test_a_model_of_the_hub_that_was_fetched_before_needs_no_network(hub: Path, classifier: Path) -> None:
    shutil.copytree(classifier, cached(hub, "owner/tiny"))
    found = find_checkpoint("owner/tiny")
    assert (found.name, found.labels) == ("owner/tiny", LABELS)


def test_a_model_of_the_hub_that_is_there_as_a_pickle_is_told_as_such(hub: Path, classifier: Path) -> None:
    place = Path(shutil.copytree(classifier, cached(hub, "owner/tiny")))
    (place / WEIGHTS).rename(place / "pytorch_model.bin")
    with pytest.raises(UserError, match="only as a pickle"):
        find_checkpoint("owner/tiny")


@pytest.mark.parametrize("name", ["owner/..", "owner/-x-", "own--er/x"])
def test_what_cannot_be_a_name_at_the_hub_is_told(hub: Path, name: str) -> None:
    with pytest.raises(UserError, match="not a valid name at the hub"):
        find_checkpoint(name)
