"""Reads experiment files (TOML) and the canonical JSON that a project keeps of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from enum import EnumType
from importlib.resources import files
from typing import Any, TypeVar, get_args, get_type_hints

from miner import codec
from miner.errors import UserError
from miner.lab.experiments.experiment import (
    FOUR_CLASSES,
    MAX_SEEDS,
    MAX_SETS,
    MAX_SYSTEMS,
    MAX_TABLES,
    OTHERS,
    PARTS,
    Cartography,
    DataSet,
    Experiment,
    Part,
    Table,
)
from miner.lab.experiments.system_kinds import (
    Architecture,
    CosineSystem,
    EncoderSystem,
    FrequencySystem,
    GraphSystem,
    LexicalSystem,
    ModelSystem,
    NaiveBayesSystem,
    NeuralSystem,
    PeopleSystem,
    PredictionsSystem,
    PromptSystem,
    System,
    TfidfSystem,
)

T = TypeVar("T")

SYSTEM_KINDS: Mapping[str, type[System]] = {
    "lexical": LexicalSystem,
    "naive_bayes": NaiveBayesSystem,
    "tfidf": TfidfSystem,
    "encoder": EncoderSystem,
    "model": ModelSystem,
    "prompt": PromptSystem,
    "predictions": PredictionsSystem,
    "people": PeopleSystem,
    "cosine": CosineSystem,
    "graph": GraphSystem,
    "frequency": FrequencySystem,
    **dict.fromkeys(Architecture, NeuralSystem),
}
"""The `kind` of a system in a file; those of `NeuralSystem` are its architecture."""
_READY = files("miner.lab.experiments") / "ready"
_MAX_CHARACTERS = 1_000_000
_NAMES = {"data": "data", "systems": "system", "tables": "table"}  # of fields in files
_FOUND = "found"
"""As `classes`: the labels that are found in the data."""


def ready_names() -> tuple[str, ...]:
    """The names of the experiments that come with the program."""
    return tuple(sorted(one.name.removesuffix(".toml") for one in _READY.iterdir() if one.name.endswith(".toml")))


def ready_text(name: str) -> str:
    """The file of a ready experiment, as TOML; `UserError` where there is none of that name."""
    if name not in ready_names():
        near = get_close_matches(name, ready_names(), 1)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(ready_names())}; or name a file."
        raise UserError(f"There is no experiment {name}.", hint=hint)
    return (_READY / f"{name}.toml").read_text(encoding="utf-8")


def parse_experiment(text: str) -> Experiment:
    """The experiment of a TOML text; `UserError` says which key or value cannot be right."""
    if len(text) > _MAX_CHARACTERS:
        raise UserError("This experiment file is too long.", hint="An experiment is a page of text.")
    try:
        values = codec.parse_toml(text)
    except ValueError as exc:
        raise UserError(f"This experiment file is not TOML: {exc}.", hint="Correct the line and try again.") from exc
    return experiment_of(values)


def experiment_of(values: Mapping[str, Any]) -> Experiment:
    """The experiment of a file's values; `UserError` as `parse_experiment`."""
    known = [_NAMES.get(name, name) for name in _fields(Experiment)]
    _refuse_unknown(values, known, "The experiment")
    fields: dict[str, Any] = {
        name: values[name] for name in ("name", "question", "seeds", "allow_overlap") if name in values
    }
    fields.setdefault("name", "")  # refused in words below
    fields["data"] = {
        str(name): _data_set(one, f"The set {name}") for name, one in _table(values, "data", MAX_SETS).items()
    }
    fields["systems"] = tuple(
        _system(one, f"System {number}") for number, one in enumerate(_list(values, "system", MAX_SYSTEMS), 1)
    )
    if "table" in values:
        fields["tables"] = tuple(
            _value(Table, one, f"Table {number}") for number, one in enumerate(_list(values, "table", MAX_TABLES), 1)
        )
    if "cartography" in values:
        fields["cartography"] = _value(Cartography, values["cartography"], "The cartography")
    fields["classes"] = _classes(values)
    if "seeds" in fields:
        fields["seeds"] = _seeds(fields["seeds"])
    experiment = _made(lambda: _checked_text(Experiment(**fields)), "The experiment")
    _check(experiment)
    return experiment


def to_data(experiment: Experiment) -> dict[str, Any]:
    """The experiment as a file has it, with all defaults; `experiment_of` reads it.

    Sets and classes stay in their order, which tables and stored classes have.
    """
    data = codec.to_data(experiment)
    data["classes"] = {name: list(labels) for name, labels in experiment.classes.items()} or _FOUND
    systems = [
        {"kind": kind_of(one), **values} for one, values in zip(experiment.systems, data["systems"], strict=True)
    ]
    for one in systems:
        one.pop("architecture", None)
    sets = {name: _without_empty(data["data"][name]) for name in experiment.data}
    return {
        **{name: value for name, value in _without_empty(data).items() if name not in ("systems", "tables")},
        "data": sets,
        "system": [_without_empty(one) for one in systems],
        "table": data["tables"],
    }


def kind_of(system: System) -> str:
    """The system's `kind` in a file."""
    if isinstance(system, NeuralSystem):
        return system.architecture.value
    return next(name for name, kind in SYSTEM_KINDS.items() if type(system) is kind)


def _data_set(values: Any, where: str) -> DataSet:
    values = _mapping(values, where)
    _refuse_unknown(values, _fields(DataSet), where)
    fields = dict(values)
    for part in PARTS:
        if part in fields:
            fields[part] = _value(Part, fields[part], f"{where}, {part}")
    plain = {name: value for name, value in fields.items() if name not in PARTS}
    base = _value(DataSet, plain, where)
    parts = {part: fields[part] for part in PARTS if part in fields}
    return _made(lambda: dataclasses.replace(base, **parts), where)


def _system(values: Any, where: str) -> System:
    values = dict(_mapping(values, where))
    kind = values.pop("kind", None)
    if not isinstance(kind, str) or kind not in SYSTEM_KINDS:
        near = get_close_matches(str(kind), SYSTEM_KINDS, 1)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(map(str, SYSTEM_KINDS))}."
        raise UserError(f"{where} is of no known kind: {kind}.", hint=hint)
    made = SYSTEM_KINDS[kind]
    known = [name for name in _fields(made) if name != "architecture"]
    _refuse_unknown(values, known, where)
    if made is NeuralSystem:
        values["architecture"] = kind
    return _value(made, values, where)


def _classes(values: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    if values.get("classes") == _FOUND:
        return {}
    given = _table(values, "classes", 1_000)
    if not given:
        return dict(FOUR_CLASSES)
    classes: dict[str, tuple[str, ...]] = {}
    for name, labels in given.items():
        listed = [labels] if isinstance(labels, str) else labels
        if not isinstance(listed, list | tuple) or not listed or not all(isinstance(one, str) for one in listed):
            raise UserError(f"The class {name} has no labels.", hint=f'List them, or write "{OTHERS}" for all others.')
        classes[name] = tuple(listed)
    used = [label for labels in classes.values() for label in labels]
    if len(classes) < 2 or len(set(used)) < len(used):
        raise UserError("Classes must be two or more, and share no label.")
    return classes


def _seeds(values: Any) -> tuple[int, ...]:
    fits = isinstance(values, list | tuple) and all(type(one) is int and 0 <= one < 2**32 for one in values)
    if not fits or not 1 <= len(values) <= MAX_SEEDS or len(set(values)) < len(values):
        raise UserError("`seeds` must be a list of different whole numbers.", hint="For example [1, 2, 3].")
    return tuple(values)


def _check(experiment: Experiment) -> None:
    """What the parts of an experiment say of each other."""
    if not experiment.data or not experiment.systems:
        missing = "data" if not experiment.data else "system"
        raise UserError(f"The experiment names no {missing}.", hint="`pairwright experiment --list` shows ready ones.")
    for name, one in experiment.data.items():
        for other in (*one.union, *([one.of] if one.of else [])):
            _known_set(experiment, other, f"The set {name}")
            if experiment.data[other].union or experiment.data[other].of:
                raise UserError(f"The set {name} is made of {other}, which is itself made of another set.")
            if (train := experiment.data[other].train) is not None and train.samples:
                hint = f"Name it without `samples`, beside {other}."
                raise UserError(
                    f"The set {name} is made of {other}, which is a set for each of its samples.", hint=hint
                )
        if one.of and experiment.cartography is None:
            hint = "Add [cartography] with the system that maps the pairs."
            raise UserError(f"The set {name} is a subset by training dynamics, but nothing maps them.", hint=hint)
    titles = [system.title for system in experiment.systems]
    for number, system in enumerate(experiment.systems, 1):
        for needed in system.needed_sets:
            _known_set(experiment, needed, f"System {number}")
        if titles.count(system.title) > 1:
            hint = "Give them a `name`."
            raise UserError(f"Two systems are called {system.title}.", hint=hint)
    if experiment.cartography and experiment.cartography.system not in titles:
        near = get_close_matches(experiment.cartography.system, titles, 1)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(titles)}."
        raise UserError(f"The cartography is of no system: {experiment.cartography.system}.", hint=hint)
    if experiment.cartography:
        mapping = experiment.systems[titles.index(experiment.cartography.system)]
        if not isinstance(mapping, EncoderSystem):
            hint = 'Name a system of the kind "encoder".'
            raise UserError(f"{mapping.title} cannot map pairs: only encoders record their training.", hint=hint)
    if experiment.classes and len(experiment.classes) != 2 and any(table.of.is_of_curve for table in experiment.tables):
        raise UserError("An area under a curve is of two classes, the first of which is the positive one.")


def _known_set(experiment: Experiment, name: str, where: str) -> None:
    if name not in experiment.data:
        near = get_close_matches(name, experiment.data, 1)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(experiment.data)}."
        raise UserError(f"{where} names the set {name}, which the experiment does not have.", hint=hint)


def _checked_text(experiment: Experiment) -> Experiment:
    if not isinstance(experiment.name, str) or not experiment.name.strip() or not isinstance(experiment.question, str):
        raise ValueError("it needs a `name`, which is a text")
    if not isinstance(experiment.allow_overlap, bool):
        raise ValueError("`allow_overlap` must be true or false")
    return experiment


def _value(kind: type[T], values: Any, where: str) -> T:
    _refuse_unknown(_mapping(values, where), _fields(kind), where)
    _refuse_unknown_choices(kind, values, where)
    return _made(lambda: codec.from_data(kind, values), where)


def _refuse_unknown_choices(kind: type, values: Mapping[str, Any], where: str) -> None:
    """`UserError` with the nearest choice, for a field that is one of several words and has another one."""
    for name, hint in get_type_hints(kind).items():
        choices = next((one for one in (hint, *get_args(hint)) if isinstance(one, EnumType)), None)
        known = list(map(str, choices.__members__.values())) if choices else []
        value = values.get(name)
        if not known or not isinstance(value, str) or value in known:
            continue
        near = get_close_matches(value, known, 1)
        advice = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
        raise UserError(f"{where}: `{name}` cannot be {value[:80]}.", hint=advice)


def _made(make: Callable[[], T], where: str) -> T:
    try:
        return make()
    except (ValueError, TypeError) as exc:
        raise UserError(f"{where} cannot be used: {exc}.", hint="Correct the value in the file.") from exc


def _refuse_unknown(values: Mapping[str, Any], known: list[str], where: str) -> None:
    for name in values:
        if name not in known:
            near = get_close_matches(str(name), known, 1)
            hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
            raise UserError(f"{where} has an unknown key: {name}.", hint=hint)


def _mapping(values: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(values, Mapping):
        raise UserError(f"{where} must be a table of keys and values.")
    return values


def _table(values: Mapping[str, Any], name: str, most: int) -> Mapping[str, Any]:
    found = _mapping(values.get(name, {}), f"`{name}`")
    if len(found) > most:
        raise UserError(f"`{name}` has {len(found):,} entries, more than {most:,}.")
    return found


def _list(values: Mapping[str, Any], name: str, most: int) -> list[Any]:
    found = values.get(name, [])
    if not isinstance(found, list | tuple) or len(found) > most:
        raise UserError(f"`{name}` must be at most {most:,} tables: write [[{name}]] before each.")
    return list(found)


def _fields(kind: Any) -> list[str]:
    return [one.name for one in dataclasses.fields(kind)]


def _without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}
