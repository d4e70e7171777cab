"""The files of an export: they appear whole or not at all, and files of others stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from miner.errors import UserError
from miner.progress import Cancelled, Progress
from storage.dataset.options import ExportOptions, FileFormat
from storage.exchange.export_files import NewFile, locked_export_folder
from storage.exchange.pair_export import ExportReceipt, export_pairs
from storage.project import Project
from tests.storage.factories import add, mine

if sys.platform != "win32":
    import resource

ONE_FILE = ExportOptions()
SPLIT = (("train", 50.0), ("test", 50.0))


def export(project: Project, folder: Path, options: ExportOptions = ONE_FILE) -> ExportReceipt:
    return export_pairs(project, folder, options, Progress())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_files_of_an_earlier_export_are_removed_and_others_stay(project: Project, out: Path) -> None:
    add(project, "ab")
    mine(project)
    export(project, out, ExportOptions(shares=SPLIT))
    (out / "mine.jsonl").write_text("{}")
    export(project, out)
    assert {file.name for file in out.iterdir()} == {"pairs.jsonl", "receipt.json", "mine.jsonl"}


def test_an_export_that_is_cancelled_leaves_the_earlier_one(project: Project, out: Path) -> None:
    add(project, "ab")
    mine(project)
    export(project, out)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        export_pairs(project, out, ExportOptions(), progress)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before


class _CancelledLater(Progress):
    """Cancelled while rows are written."""

    def tick(self, *told: Any) -> None:
        if told[1:2] != (None,) and told[0]:
            self.cancel()
        super().tick(*told)


@pytest.mark.parametrize("kind", FileFormat)
def test_an_export_that_is_cancelled_in_the_middle_leaves_the_earlier_one(
    project: Project, out: Path, kind: FileFormat
) -> None:
    add(project, "ab")
    mine(project)
    options = ExportOptions(format=kind, card=True)
    export(project, out, options)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    with pytest.raises(Cancelled):
        export_pairs(project, out, options, _CancelledLater())
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before


@pytest.mark.posix
@pytest.mark.parametrize("kind", FileFormat)
@pytest.mark.parametrize("room", [1_000, 4_500])
def test_a_full_disk_leaves_the_earlier_export_with_its_card(
    project: Project, out: Path, kind: FileFormat, room: int
) -> None:
    add(project, "abcdefgh")
    mine(project)
    options = ExportOptions(format=kind, card=True)
    export(project, out, options)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        with pytest.raises(UserError, match="cannot be written"):
            export(project, out, options)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before


@pytest.mark.posix
def test_a_full_disk_is_reported_and_leaves_the_earlier_export(project: Project, out: Path) -> None:
    add(project, "ab")
    mine(project)
    export(project, out)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(UserError, match="cannot be written"):
            export(project, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before


def test_a_folder_that_cannot_be_created_is_reported(project: Project, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        export(project, tmp_path / "file" / "out")


def test_files_that_no_export_wrote_stay(project: Project, out: Path) -> None:
    add(project, ["a"])
    mine(project)
    out.mkdir()
    (out / "pairs.jsonl").write_text("by hand")
    (out / "receipt.json").write_text('{"files": [{"name": 5}]}')
    with pytest.raises(UserError, match="no export of Pairwright wrote"):
        export(project, out)
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "pairs.jsonl": "by hand",
        "receipt.json": '{"files": [{"name": 5}]}',
    }


@pytest.mark.posix
def test_a_disk_that_fills_with_the_receipt_leaves_the_earlier_export(project: Project, out: Path) -> None:
    add(project, "a")
    mine(project)
    export(project, out, ExportOptions(shares=SPLIT))
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    options = ExportOptions(shares=tuple((f"part{n}", 1.0) for n in range(40)))  # small files, a long receipt
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        with pytest.raises(UserError, match="cannot be written"):
            export(project, out, options)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before


@pytest.mark.parametrize("name", ["pairs.jsonl", "receipt.json"])
@pytest.mark.parametrize("content", ["by hand", '{"files": [{"name": "pairs.jsonl"}]}'])
def test_a_file_that_no_export_wrote_is_not_written_over(project: Project, out: Path, name: str, content: str) -> None:
    add(project, "a")
    mine(project)
    out.mkdir()
    (out / name).write_text(content)
    with pytest.raises(UserError, match=f"a {name} that no export"):
        export(project, out)
    assert {file.name: file.read_text() for file in out.iterdir()} == {name: content}


@pytest.mark.parametrize("files", ["5", "null", '[], "rows": Infinity', '[{"name": 5}]', '["x"]', '{"name": 1}'])
def test_a_receipt_that_makes_no_sense_is_not_ours(project: Project, out: Path, files: str) -> None:
    out.mkdir()
    (out / "receipt.json").write_text(f'{{"mining_run": null, "files": {files}}}')
    with pytest.raises(UserError, match="no export"):
        export(project, out)


def test_two_exports_into_one_folder_do_not_share_a_file(out: Path) -> None:
    out.mkdir()
    with NewFile(out, "pairs.jsonl") as one, NewFile(out, "pairs.jsonl") as other:
        one.write_lines([b"one"])
        other.write_lines([b"other"])
        one.finish()
        one.publish()
        other.finish()
        assert (out / "pairs.jsonl").read_bytes() == b"one\n"
        other.publish()
    assert {file.name: file.read_bytes() for file in out.iterdir()} == {"pairs.jsonl": b"other\n"}


def test_files_of_other_programs_are_not_cleared_away(project: Project, out: Path) -> None:
    add(project, "a")
    mine(project)
    out.mkdir()
    others = {".holiday video.999999.mp4.part", ".pairs.jsonl.999999.x1.part", ".pairwright-export-notes.part"}
    for name in others:
        (out / name).write_text("of another program")
    export(project, out)
    assert {file.name for file in out.iterdir()} == {"pairs.jsonl", "receipt.json", *others}


_KILLED = """
import os, sys
from pathlib import Path
from storage.exchange.export_files import NewFile, locked_export_folder
with locked_export_folder(Path(sys.argv[1])), NewFile(Path(sys.argv[1]), "pairs.jsonl") as file:
    file.write_lines([b"half"])
    os._exit(0)
"""


def test_what_a_killed_export_left_is_cleared_away(project: Project, out: Path) -> None:
    add(project, "a")
    mine(project)
    subprocess.run([sys.executable, "-c", _KILLED, out], check=True, env={**os.environ, "PYTHONPATH": str(Path.cwd())})
    assert len(list(out.glob(".*.part"))) == 1
    export(project, out)
    assert {file.name for file in out.iterdir()} == {"pairs.jsonl", "receipt.json"}


def test_a_second_export_into_the_folder_is_refused_and_clears_nothing(project: Project, out: Path) -> None:
    add(project, "a")
    mine(project)
    with locked_export_folder(out), NewFile(out, "pairs.jsonl") as first:
        first.write_lines([b"first"])
        with pytest.raises(UserError, match="Another export"):
            export(project, out)
        first.finish()
        first.publish()
    assert {file.name: file.read_bytes() for file in out.iterdir()} == {"pairs.jsonl": b"first\n"}


def test_a_new_folder_goes_again_if_nothing_was_exported(project: Project, tmp_path: Path) -> None:
    add(project, "ab")
    mine(project)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        export_pairs(project, tmp_path / "new" / "out", ExportOptions(), progress)
    assert not (tmp_path / "new" / "out").exists()
