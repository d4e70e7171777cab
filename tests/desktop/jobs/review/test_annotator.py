"""Who annotates is remembered for an account on a machine, not for whoever opens the file next."""

from __future__ import annotations

import getpass
from pathlib import Path

import pytest

from desktop.jobs.review.annotator import annotator, load_annotators, set_annotator
from desktop.jobs.review.people import add_person
from miner.progress import Progress
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.storage.annotation.round_factory import C, add_pairs, answer_as


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


def test_a_name_that_was_only_tried_is_removed_when_another_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        add_pairs(project, {"ecology": {C: 1}})
        for name in ("An", "Ana", "Ana", "Anna"):
            set_annotator(project, name).work(Progress())
        assert names(project) == {"Anna"}
        with project.transaction() as stores:
            answer_as(stores, "Anna", stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[0], C)
        add_person(project, "Ben").work(Progress())  # somebody has decided that he is in the project
        for name in ("Ben", "Cy"):
            set_annotator(project, name).work(Progress())
        monkeypatch.setattr(getpass, "getuser", lambda: "colleague")
        for name in ("Cy", "Dee"):  # Cy is chosen on two accounts
            set_annotator(project, name).work(Progress())
        assert names(project) == {"Anna", "Ben", "Cy", "Dee"}


def names(project: Project) -> set[str]:
    with project.read_transaction() as stores:
        return set(stores.annotators.names().values())
