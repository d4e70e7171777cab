"""Files of a job in somebody's folder: only its own, unchanged, are replaced or removed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from miner.errors import UserError
from storage.exchange.listed_files import write_listed


def visible(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if not path.name.startswith(".")}


def write(folder: Path, contents: Mapping[str, str]) -> None:
    assert write_listed(folder, "run", contents, r"\d\.txt") == tuple(folder / name for name in contents)


def test_a_run_replaces_the_files_of_the_one_before_and_removes_those_it_no_longer_has(tmp_path: Path) -> None:
    (tmp_path / "3.txt").write_text("mine", encoding="utf-8")
    write(tmp_path, {"a.txt": "a\n", "1.txt": "1\n", "2.txt": "2\n", "b.txt": "b\n"})
    write(tmp_path, {"a.txt": "anew\n", "1.txt": "1\n"})
    found = visible(tmp_path)
    assert found.pop("run.sha256").count("\n") == 2
    assert found == {"a.txt": "anew\n", "1.txt": "1\n", "b.txt": "b\n", "3.txt": "mine"}


@pytest.mark.parametrize("name", ["a.txt", "1.txt"])
def test_what_somebody_changed_is_neither_replaced_nor_removed(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"a.txt": "a\n", "1.txt": "1\n"})
    (tmp_path / name).write_text("judged", encoding="utf-8")
    before = visible(tmp_path)
    with pytest.raises(UserError, match=rf"{name} would be replaced"):
        write(tmp_path, {"a.txt": "b\n"})
    assert visible(tmp_path) == before


def test_files_of_others_stay_whatever_a_list_says(tmp_path: Path) -> None:
    for foreign in ("", "0" * 64 + "  ../b.txt\n", "\udcff", "x\0\n" * 9):
        (tmp_path / "run.sha256").write_bytes(foreign.encode("utf-8", "surrogateescape"))
        (tmp_path / "a.txt").write_text("mine", encoding="utf-8")
        with pytest.raises(UserError, match=r"did not write it"):
            write(tmp_path, {"a.txt": "a\n"})
    (tmp_path / "a.txt").unlink()
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(UserError, match=r"did not write it"):
        write(tmp_path, {"a.txt": "a\n"})


def test_after_a_kill_between_two_files_the_same_run_completes(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "a\n", "b.txt": "b\n"})
    (tmp_path / "a.txt").write_text("anew\n", encoding="utf-8")  # it had its name already
    write(tmp_path, {"a.txt": "anew\n", "b.txt": "bnew\n"})
    assert visible(tmp_path)["b.txt"] == "bnew\n"
