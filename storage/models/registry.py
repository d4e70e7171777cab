"""The registry of models that were trained in a project or that made its suggestions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert

from miner.records import Label
from storage.errors import translate_decoding_errors
from storage.schema import ModelRow
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
            "kind": kind.value,
            "folder": folder,
            "card": json.dumps(dict(card), ensure_ascii=False, sort_keys=True),
            "labels": None if labels is None else json.dumps(labels),
        }
        statement = insert(ModelRow).values(digest=digest, added_at=_NOW, **values)
        statement = statement.on_conflict_do_update(["digest"], set_=values)
        return self._connection.execute(statement.returning(ModelRow.id)).scalar_one()

    def get(self, id: int) -> KnownModel:
        """The model with this id, or `KeyError`."""
        row = self._connection.execute(select(ModelRow.__table__).where(ModelRow.id == id)).first()
        if row is None:
            raise KeyError(id)
        return _model(row)

    def all(self) -> list[KnownModel]:
        """All models in the order in which they were added."""
        return [_model(row) for row in self._connection.execute(select(ModelRow.__table__).order_by(ModelRow.id))]


_FOLDERS = {ModelKind.PROJECT: safe_folder_name, ModelKind.FOLDER: safe_local_folder, ModelKind.HUB: safe_hub_name}


@translate_decoding_errors()
def _model(row: Any) -> KnownModel:
    kind = ModelKind(row.kind)
    return KnownModel(
        row.id,
        row.digest,
        row.name,
        kind,
        _FOLDERS[kind](row.folder) if kind in _FOLDERS else "",
        json.loads(row.card),
        None if row.labels is None else tuple(map(Label, json.loads(row.labels))),
        datetime.fromisoformat(row.added_at),
    )
