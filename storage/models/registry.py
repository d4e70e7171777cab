"""The registry of models that were trained in a project or that made its suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Result, func, select
from sqlalchemy.dialects.sqlite import insert

from miner import codec
from miner.records import Label
from storage.convert import read_all
from storage.schema import columns_of, table_of
from storage.untrusted import safe_folder_name, safe_hub_name, safe_local_folder


class ModelKind(StrEnum):
    """STARTER: part of the program. PROJECT: trained in this project. FOLDER: on this computer. HUB: Hugging Face."""

    STARTER = "starter"
    PROJECT = "project"
    FOLDER = "folder"
    HUB = "hub"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model, identified by the digest of its content.

    folder: for PROJECT the name in the project's models folder, for FOLDER an absolute path, for HUB the name there; ""
    if the name in the project file is not valid. card: the model card. labels: the order of its classes, if known.
    """

    id: int
    digest: str
    name: str
    kind: ModelKind
    folder: str
    card: Mapping[str, Any]
    labels: tuple[Label, ...] | None
    added_at: datetime


MODELS = table_of("models", KnownModel, checksum=int | None)
_NOW = func.strftime("%Y-%m-%dT%H:%M:%f+00:00", "now")


class ModelStore:
    """The models that the project knows."""

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
        """Add a model, or update the one with this digest; returns its id."""
        values = {
            "name": name,
            "kind": kind,
            "folder": folder,
            "card": codec.encode(card),
            "labels": labels,
        }
        statement = insert(MODELS).values(digest=digest, added_at=_NOW, **values)
        statement = statement.on_conflict_do_update(["digest"], set_=values)
        return int(self._connection.execute(statement.returning(MODELS.c.id)).scalar_one())

    def get(self, id: int) -> KnownModel:
        """The model with this id, or `KeyError`."""
        found = _models(self._connection.execute(select(*columns_of(MODELS, KnownModel)).where(MODELS.c.id == id)))
        if not found:
            raise KeyError(id)
        return found[0]

    def all(self) -> list[KnownModel]:
        """All models in the order in which they were added."""
        return _models(self._connection.execute(select(*columns_of(MODELS, KnownModel)).order_by(MODELS.c.id)))


_FOLDERS = {ModelKind.PROJECT: safe_folder_name, ModelKind.FOLDER: safe_local_folder, ModelKind.HUB: safe_hub_name}


def _models(rows: Result[Any]) -> list[KnownModel]:
    """The models of these rows, each with its folder only if that is a valid name."""
    return [
        replace(model, folder=_FOLDERS[model.kind](model.folder) if model.kind in _FOLDERS else "")
        for model in read_all(KnownModel, rows)
    ]
