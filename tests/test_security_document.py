"""SECURITY.md names files and targets that are there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_what_it_names_is_there() -> None:
    paths = {path for path in re.findall(r"`([\w./-]+/[\w./-]+)`", TEXT) if path != "owner/name"}
    made = {"packaging/hashes/torch-cpu.txt"}  # where PyTorch's index can be reached
    assert len(paths) >= 4
    assert [path for path in sorted(paths - made) if not (ROOT / path).exists()] == []
    targets = set(re.findall(r"`make ([\w-]+)", TEXT))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [target for target in sorted(targets) if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_reports_go_to_the_repository_that_the_package_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"<{project['urls']['Homepage']}/security/advisories/new>" in TEXT
    assert "@" not in TEXT  # nobody reads mail for it
