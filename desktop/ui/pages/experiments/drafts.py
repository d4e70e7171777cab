"""The experiments that are open on the page, as edited texts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from miner.errors import UserError
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.experiment_file import experiment_of, parse_experiment
from miner.lab.experiments.experiment_toml import toml_text
from storage.lab.experiments import StoredExperiment


@dataclass(slots=True)
class Draft:
    """An edited experiment. home: the base of its relative paths. original: its text when it was opened."""

    text: str
    home: Path
    original: str

    @property
    def is_edited(self) -> bool:
        return self.text != self.original

    @property
    def experiment(self) -> Experiment | None:
        """The experiment that the text describes; None where it is not valid."""
        try:
            return parse_experiment(self.text)
        except UserError:
            return None


class Drafts:
    """Drafts by the key of their entry in the list.

    new_names: of experiments that were not run yet, the newest first.
    """

    def __init__(self) -> None:
        self._drafts: dict[str, Draft] = {}
        self.new_names: dict[str, str] = {}

    def get(self, key: str) -> Draft | None:
        return self._drafts.get(key)

    def edited_keys(self) -> set[str]:
        """The keys of the drafts whose text was changed."""
        return {key for key, draft in self._drafts.items() if draft.is_edited}

    def keep(self, key: str, draft: Draft) -> None:
        self._drafts[key] = draft

    def add_new(self, name: str, draft: Draft) -> str:
        """Add an experiment that has not been run, and return its key."""
        key = next(f"new:{n}" for n in range(1, 10_000) if f"new:{n}" not in self.new_names)
        self.new_names = {key: name} | self.new_names
        self._drafts[key] = draft
        return key

    def drop(self, key: str) -> None:
        self.new_names.pop(key, None)
        self._drafts.pop(key, None)

    def move(self, key: str, to: str) -> None:
        """Move a draft to the key of the past experiment that it has become, where it counts as unedited."""
        draft = self._drafts.get(key)
        self.drop(key)
        if draft is not None:
            self._drafts[to] = replace(draft, original=draft.text)


def open_stored(stored: StoredExperiment, home: Path) -> Draft:
    """A past experiment as a draft. home: used for an experiment that was stored without the folder of its file."""
    text = stored.text or _written(stored)
    return Draft(text, Path(stored.folder) if stored.folder else home, text)


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, followed by the first number from 2 on that makes it free."""
    return next(f"{name} {number}" for number in range(2, 10_000) if f"{name} {number}" not in taken)


def _written(stored: StoredExperiment) -> str:
    """The file of an experiment that was stored without it; "" if this version cannot read the experiment."""
    try:
        return toml_text(experiment_of(stored.recipe))
    except UserError:
        return ""
