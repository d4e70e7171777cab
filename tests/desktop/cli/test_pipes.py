"""A pipe or device in place of a file is refused: reading it may never end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from miner.classifier.checkpoints import inspect_checkpoint
from miner.classifier.vectors import load_vectors
from miner.errors import UserError
from miner.lab.experiments.prompting.kept_replies import read_replies
from storage.exchange.annotations_file import read_annotations
from storage.exchange.labelled_files import is_triples_file
from storage.exchange.parquet_rows import is_parquet_file
from tests.desktop.cli.conftest import Run

pytestmark = [pytest.mark.posix, pytest.mark.timeout(60)]
ORDINARY = "ordinary file (a pipe, socket or device)"


@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("pairs.csv", ("import", "{}"), "is not a file"),
        ("pairs.jsonl", ("import", "{}"), "is not a file"),
        ("pairs.parquet", ("import", "{}"), "is not a file"),
        ("pairs.csv", ("evaluate", "--data", "{}"), "is not a file"),
        ("own.toml", ("experiment", "{}"), ORDINARY),
        ("settings.json", ("mine", "--settings", "{}"), ORDINARY),
        ("manifest.json", ("rebuild", "{}", "--papers", ".", "--out", "out"), ORDINARY),
        ("papers.jsonl", ("corpus", "mine", "{}", "--out", "corpus"), ORDINARY),
        ("kinds.toml", ("kinds", "--taxonomy", "{}"), "cannot be read"),
    ],
)
@pytest.mark.parametrize("device", ["", "/dev/zero"])
def test_a_command_refuses_a_pipe_and_a_device(
    name: str, words: tuple[str, ...], expected: str, device: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / name
    path.symlink_to(device) if device else os.mkfifo(path)
    run("new", "a.pairwright")
    at = () if words[0] in ("rebuild", "corpus") else ("--project", "a.pairwright")
    ran = run(*(word.format(path) for word in words), *at)
    assert ran.code == 1
    assert f"{path}" in ran.out + ran.err
    assert expected in ran.out + ran.err


def test_what_another_file_or_folder_names_is_no_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.parquet"
    os.mkfifo(pipe)
    for read in (read_annotations, read_replies, lambda path: load_vectors(str(path), [("sand", "sand")], 2, 1)):
        with pytest.raises(UserError, match="cannot be read"):
            read(pipe)
    assert not is_parquet_file(pipe)
    assert not is_triples_file(pipe)
    (tmp_path / "model.safetensors").write_bytes(len(b"{}").to_bytes(8, "little") + b"{}")
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(UserError, match="no ordinary file"):
        inspect_checkpoint(tmp_path)


def test_a_settings_file_has_a_limit(tmp_path: Path, run: Run) -> None:
    run("new", "a.pairwright")
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(20_000_000)
    ran = run("mine", "--settings", "large.json", "--project", "a.pairwright")
    assert ran.code == 1
    assert "large.json cannot be read: it has more than 10 MB." in ran.err
