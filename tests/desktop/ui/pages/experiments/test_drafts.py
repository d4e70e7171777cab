"""Drafts: past experiments as texts, also those that were kept without their file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desktop.ui.pages.experiments.drafts import open_stored
from miner.lab.experiments.experiment_file import experiment_of, parse_experiment
from storage.project import Project
from tests.desktop.experiment_factory import store_experiment


def test_an_experiment_without_its_file_opens_as_what_it_was(project: Project) -> None:
    id = store_experiment(project).id
    with project.read_transaction() as stores:
        stored = stores.experiments.get(id)
    assert stored.text == ""
    draft = open_stored(stored, Path("/home"))
    assert parse_experiment(draft.text) == experiment_of(stored.recipe)
    assert (draft.home, draft.is_edited) == (Path("/home"), False)
    unreadable = replace(stored, recipe={"name": 3})
    assert open_stored(unreadable, Path("/home")).text == ""
