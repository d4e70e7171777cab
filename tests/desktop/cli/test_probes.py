"""The command `probe`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.storage.factories import mine, paper, pdf

KINDS = (
    ("reasoning", "Therefore"),
    ("entailment", "In other words"),
    ("neutral", ""),
    ("entailment", "Specifically"),
)


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        with project.transaction() as stores:
            for name in "abcdefghij":
                stores.papers.save(paper(name, domain="ecology"), pdf(name))
        mine(project)
    return path


def test_too_few_directed_pairs_are_said(run: Run, project: Path) -> None:
    said = run("probe", "mesh")
    assert said.code == 1
    assert "directed pairs; the probe needs 30" in said.err


def test_the_mesh_is_written_by_split_and_group(run: Run, tmp_path: Path) -> None:
    rows = []
    for number in range(400):
        label, phrase = KINDS[number % 4]
        row = {"sentence1": f"The reef {number} grew.", "sentence2": f"the coast {number} was safe.", "label": label}
        rows.append(json.dumps(row | {"linking_phrase": phrase, "paper_id": f"paper {number % 50}"}))
    (tmp_path / "train.jsonl").write_text("\n".join(rows), encoding="utf-8")
    path = tmp_path / "b.pairwright"
    assert run("--project", str(path), "new").code == 0 or run("new", str(path)).code == 0
    assert run("--project", str(path), "import", str(tmp_path / "train.jsonl")).code == 0
    said = run("--project", str(path), "probe", "mesh", "--out", str(tmp_path / "mesh"), "--json")
    assert said.code == 0, said.err
    counts = said.data["counts"]
    assert all(len(set(by.values())) == 1 for by in counts.values())
    assert sum(counts["train"].values()) > 100
    found = [json.loads(line) for line in (tmp_path / "mesh" / "train.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter(row["group"] for row in found) == counts["train"]
    assert {row["label"] for row in found} == {"holds", "does not hold"}
