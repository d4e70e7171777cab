"""The models a project knows: those that made its suggestions, were trained in it, or were chosen for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from miner.records import Label


class ModelKind(StrEnum):
    """Where a model comes from: with the program, trained in this project, a folder, or the hub."""

    STARTER = "starter"
    PROJECT = "project"
    FOLDER = "folder"
    HUB = "hub"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model by its content (`digest`). `folder` as it was entered: for PROJECT relative to the project's models.

    `card` is what the model says of itself; `labels` the order of its classes, None where it is not known.
    """

    id: int
    digest: str
    name: str
    kind: ModelKind
    folder: str
    card: Mapping[str, Any]
    labels: tuple[Label, ...] | None
    added_at: datetime


class ModelStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def enter(
        self,
        digest: str,
        name: str,
        kind: ModelKind,
        folder: str,
        card: Mapping[str, Any],
        labels: tuple[Label, ...] | None,
    ) -> int:
        """The model's id. One known by its digest keeps it, and is called and found as said now."""
        raise NotImplementedError

    def get(self, id: int) -> KnownModel:
        """KeyError when there is none."""
        raise NotImplementedError

    def by_digest(self, digest: str) -> KnownModel | None:
        raise NotImplementedError

    def all(self) -> list[KnownModel]:
        """In the order they became known."""
        raise NotImplementedError
