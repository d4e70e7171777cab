"""Who annotates is remembered for an account on a machine, not for whoever opens the file next."""

from __future__ import annotations

import getpass
from pathlib import Path

import pytest

from desktop.jobs.review.annotator import annotator, load_annotators, set_annotator
from miner.progress import Progress
from storage.project import Project


def test_a_colleague_who_opens_the_file_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        set_annotator(project, "mk").work(Progress())
        assert annotator(project).work(Progress()) == "mk"
        monkeypatch.setattr(getpass, "getuser", lambda: "colleague")
        assert annotator(project).work(Progress()) == ""
        set_annotator(project, "ada").work(Progress())
        monkeypatch.undo()
        assert annotator(project).work(Progress()) == "mk"


def test_those_who_annotate_elsewhere_are_told_from_those_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        set_annotator(project, "mk").work(Progress())
        monkeypatch.setattr(getpass, "getuser", lambda: "colleague")
        set_annotator(project, "ada").work(Progress())
        with project.transaction() as stores:
            stores.annotators.rename("mk", "Mika")
            stores.annotators.ensure("ben")
        known = load_annotators(project).work(Progress())
        assert (known.own, known.elsewhere) == ("ada", frozenset({"mk"}))
        assert known.names == {"mk": "Mika", "ada": "ada", "ben": "ben"}
