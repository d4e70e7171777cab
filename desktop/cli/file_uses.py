"""Which command takes a file that was given to a command that cannot take it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from miner.errors import UnreadableFile
from miner.parsing.files import FileKind, find_files
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.paths import ANSWER_TABLE_SUFFIXES, ANSWERS_SUFFIX, PROJECT_SUFFIX, is_file, is_folder
from miner.references.recognition import is_bibliography
from storage.exchange.answer_tables.row_ids import holds_row_ids
from storage.exchange.earlier_export import RECEIPT
from storage.exchange.labelled_files import is_labelled_file

_URL = re.compile(r"(?i)https?:/+\S")  # a path has one slash of two
_MODEL_FILES = ("model.safetensors", "head.safetensors", "pytorch_model.bin")
_MANIFEST = re.compile(rb'"kind"\s*:\s*"pairwright manifest"')
_SEARCHED_BYTES = 1_000_000  # at the start of a JSON file


class FileUse(Enum):
    """What a file is, and the command that takes it; {} stands for the file."""

    URL = "is an address on the web, and Pairwright downloads nothing", "Download it, then: pairwright add FILE"
    ANSWERS = "is an answer file", "To merge it: pairwright merge {}"
    ANSWER_TABLE = "is a table of a round, with an annotator's answers", "To merge it: pairwright merge {}"
    PROJECT = "is a project", "To work on it: pairwright --project {} COMMAND"
    MODEL = "is a model", "To have it suggest labels: pairwright suggest --model {}"
    MANIFEST = (
        "is the manifest of an exported data set",
        ("To make the data set again from its papers: pairwright rebuild {} --papers DIR --out OUT"),
    )
    EXPERIMENT = "is the file of an experiment", "To run it: pairwright experiment {}"
    BIBLIOGRAPHY = "is a bibliography", "To take the papers' metadata from it: pairwright references {}"
    DATA_SET = "is a data set of labelled pairs", "To import it: pairwright import {}"
    PAPER = "holds the text of papers", "To add it: pairwright add {}"

    def __init__(self, text: str, hint: str) -> None:
        self.text = text
        self.hint = hint


class MisplacedFile(NamedTuple):
    """A file that is for another command: what it is, and which command takes it."""

    path: Path
    reason: str
    hint: str


def sort_paths(paths: Sequence[Path], other_uses: Collection[FileUse]) -> tuple[list[Path], list[MisplacedFile]]:
    """The paths for this command, and the files for other commands, told apart by their names and first bytes.

    An unknown file counts as one for this command, which will report what is wrong with it.
    """
    uses = {path: find_use(path) for path in paths}
    misplaced = [
        MisplacedFile(path, f"{path} {use.text}.", use.hint.format(_quoted(_named(path, use))))
        for path, use in uses.items()
        if use is not None and use in other_uses
    ]
    return [path for path in uses if uses[path] not in other_uses], misplaced


def find_use(path: Path) -> FileUse | None:
    """What a file or folder is for; None if that is not known, and for a folder of papers or data sets."""
    if _URL.match(str(path)):
        return FileUse.URL
    with suppress(OSError):  # the command will report it
        return _use_of_folder(path) if is_folder(path) else _use_of_file(path) if is_file(path) else None
    return None


def _use_of_folder(path: Path) -> FileUse | None:
    is_model = is_file(path / "config.json") and any(is_file(path / name) for name in _MODEL_FILES)
    if is_model:
        return FileUse.MODEL
    return FileUse.DATA_SET if is_file(path / RECEIPT) else None


def _use_of_file(path: Path) -> FileUse | None:
    name, suffix = path.name.lower(), path.suffix.lower()
    if name.endswith(ANSWERS_SUFFIX):
        return FileUse.ANSWERS
    if suffix == PROJECT_SUFFIX:
        return FileUse.PROJECT
    if name in _MODEL_FILES or (suffix == ".json" and _use_of_folder(path.parent)):
        return FileUse.MODEL
    if suffix == ".toml":
        return FileUse.EXPERIMENT
    if suffix in ANSWER_TABLE_SUFFIXES and holds_row_ids(path):
        return FileUse.ANSWER_TABLE
    if is_bibliography(path):
        return FileUse.BIBLIOGRAPHY
    if suffix == ".json" and _is_manifest(path):
        return FileUse.MANIFEST
    if is_labelled_file(path):
        return FileUse.DATA_SET
    return FileUse.PAPER if _holds_papers(path) else None


def _is_manifest(path: Path) -> bool:
    with path.open("rb") as file:
        return _MANIFEST.search(file.read(_SEARCHED_BYTES)) is not None


def _holds_papers(path: Path) -> bool:
    for _, kind in find_files([path]).files:
        if kind is not FileKind.PAPERS:
            return True
        with suppress(UnreadableFile):
            return any(parse_json_line(line) for line in islice(read_json_lines(path), 1))
    return False


def _named(path: Path, use: FileUse) -> Path:
    """The path to give to the command that takes the file: for a file of a model, its folder."""
    return path.parent if use is FileUse.MODEL and not is_folder(path) else path


def _quoted(path: Path) -> str:
    text = str(path)
    return f'"{text}"' if " " in text else text
