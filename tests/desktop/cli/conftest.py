"""How tests run commands: in this process, or in one of their own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from desktop.cli.main import main


class Ran(NamedTuple):
    """One command: exit code, what it printed, and its JSON."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:  # whatever the command has to say
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder of its own; without `--jobs`, in one process, and without `--model` mined by rules."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str | Path) -> Ran:
        given = [str(word) for word in words]
        if given[0] in ("add", "mine") and "--jobs" not in given:
            given += ["--jobs", "1"]
        if given[0] == "mine" and "--model" not in given:
            given += ["--model", "none"]
        try:
            code = main(given)
        except SystemExit as exc:
            code = int(exc.code or 0)
        return Ran(code, *capsys.readouterr())

    return run


def python_command(*words: str | Path) -> list[str]:
    """The command as a process of its own."""
    return [sys.executable, "-m", "desktop", *map(str, words)]
