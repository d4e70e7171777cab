"""Writes an experiment as a file, with what differs from the defaults alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from miner import codec
from miner.lab.experiments.experiment import PARTS, Experiment
from miner.lab.experiments.experiment_file import kind_of, to_data


def toml_text(experiment: Experiment) -> str:
    """The file of an experiment, as TOML; `parse_experiment` gives the experiment again."""
    import tomli_w

    whole = to_data(experiment)
    values: dict[str, Any] = {
        name: whole[name] for name in ("name", "question", "seeds", "allow_overlap") if whole.get(name)
    }
    if "classes" in whole and experiment.classes != _default(Experiment, "classes"):
        values["classes"] = whole["classes"]
    values["data"] = {name: _data_set(one) for name, one in experiment.data.items()}
    if experiment.cartography is not None:
        values["cartography"] = codec.to_data(experiment.cartography)
    values["system"] = [{"kind": kind_of(one), **_differing(one, ("architecture",))} for one in experiment.systems]
    values["table"] = [_differing(one) for one in experiment.tables]
    return tomli_w.dumps(values)


def _data_set(one: Any) -> dict[str, Any]:
    parts = {part: _differing(given) for part in PARTS if (given := getattr(one, part)) is not None}
    return {**_differing(one, PARTS), **parts}


def _differing(value: Any, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of a dataclass that differ from their defaults, as data without None."""
    data = codec.to_data(value)
    names = [one.name for one in dataclasses.fields(value) if one.name not in without]
    return {
        name: _without_none(data[name])
        for name in names
        if getattr(value, name) != _default(type(value), name) and data[name] is not None
    }


def _default(kind: Any, name: str) -> Any:
    """The default of a field; for a required field, a value that equals no other."""
    field = next(one for one in dataclasses.fields(kind) if one.name == name)
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_none(one) for name, one in value.items() if one is not None}
    return value
