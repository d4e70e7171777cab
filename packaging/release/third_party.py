"""The distributions that a release carries: whether their licences are allowed, and all their texts in one file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

TABLE = Path(__file__).with_name("third_party.toml")
_LICENCE_FILE = re.compile(r"(?i)^(licen[cs]es?|copying|notice|copyright|authors)\b")
_CLASSIFIER = "License :: "
_SHARES_SOURCES = re.compile(r"\b(L?GPL|MPL)-")


@dataclass(frozen=True)
class Library:
    """Shared libraries of the bundle, by file names and folders, with their licence; its text is in a `distribution`,
    in a Debian `package`, or in that one which the library is taken from. `version_of` is the distribution that has the
    library's own version, `source` the address of its sources."""

    name: str
    licence: str
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    distribution: str = ""
    package: str = ""
    version_of: str = ""
    source: str = ""


@dataclass(frozen=True)
class Table:
    """What may be shipped: the contents of third_party.toml."""

    licences: frozenset[str]
    symbols: dict[str, str]
    spelled: dict[str, str]
    texts: dict[str, list[str]]
    distributions: dict[str, dict[str, str]]
    materials: list[dict[str, Any]]
    forbidden: dict[str, str]
    libraries: list[Library]


def read_table(path: Path = TABLE) -> Table:
    """The tables of what may be shipped."""
    with path.open("rb") as file:
        values = tomllib.load(file)
    libraries = [
        Library(**row | {"files": tuple(row.get("files", ())), "folders": tuple(row.get("folders", ()))})
        for row in values.pop("libraries")
    ]
    return Table(**values | {"licences": frozenset(values["licences"]), "libraries": libraries})


def normalise(name: str) -> str:
    """A distribution's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed_in(site_packages: Path) -> dict[str, Distribution]:
    """The distributions in the folder, by normalised name."""
    return {normalise(found.name): found for found in distributions(path=[str(site_packages)])}


def required(names: Iterable[str], installed: Mapping[str, Distribution]) -> list[Distribution]:
    """The named distributions and those that they bring along, as far as they are installed, in order of name. A name
    may have extras and a version, such as `pairwright[window]`."""
    reached: dict[str, set[str]] = {}
    waiting = [Requirement(name) for name in names]
    while waiting:
        wanted = waiting.pop()
        name, extras = normalise(wanted.name), {"", *wanted.extras}
        if name not in installed or extras <= reached.get(name, set()):
            continue
        reached.setdefault(name, set()).update(extras)
        for text in installed[name].requires or ():
            needed = Requirement(text)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(needed)
    return [installed[name] for name in sorted(reached)]


def licence_of(distribution: Distribution, table: Table) -> str:
    """The licence as an SPDX expression; empty where neither the table nor the metadata say it."""
    if named := table.distributions.get(normalise(distribution.name)):
        return named["licence"]
    metadata: Any = distribution.metadata  # an email.message.Message, which has `get`
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classifiers = [
        line.split(" :: ")[-1] for line in metadata.get_all("Classifier", []) if line.startswith(_CLASSIFIER)
    ]
    field = str(metadata.get("License") or "").strip()
    for words in (field, " AND ".join(classifiers)):
        spelled = table.spelled.get(words, words)
        if is_allowed(spelled, table.licences):
            return spelled
    return field.splitlines()[0] if field else " AND ".join(classifiers)


def is_allowed(expression: str, licences: Container[str]) -> bool:
    """Whether an SPDX expression can be met with these licences alone. One with parentheses counts as not."""
    alternatives = [alternative.split(" AND ") for alternative in expression.split(" OR ")]
    return "(" not in expression and any(all(part in licences for part in parts) for parts in alternatives)


def problems(found: Iterable[Distribution], table: Table) -> list[str]:
    """A sentence for each distribution whose licence is not allowed, or whose text is nowhere."""
    sentences = []
    for distribution in found:
        name, licence = normalise(distribution.name), licence_of(distribution, table)
        by_name = name in table.distributions
        if not by_name and not is_allowed(licence, table.licences):
            sentences.append(f"{name}: “{licence or 'no licence'}” is not among the allowed licences")
        if not any(texts(distribution)) and not common_texts(licence, table):
            sentences.append(f"{name}: no text of its licence is in the distribution, nor named in {TABLE.name}")
    return sentences


def texts(distribution: Distribution) -> Iterator[tuple[str, str]]:
    """Title and text of each licence file of a distribution, in order of path."""
    for path in sorted(distribution.files or [], key=str):
        if path.suffix in (".py", ".pyc", ".so"):
            continue
        if _LICENCE_FILE.match(path.name) or "/licenses/" in f"/{path}":
            yield str(path), Path(str(path.locate())).read_text(encoding="utf-8", errors="replace")


def common_texts(expression: str, table: Table) -> set[str]:
    """The names of the texts that the licences of an SPDX expression have in common with all others under them."""
    parts = re.split(r" (?:AND|OR|WITH) |[()]", expression)
    return {name for part in parts for name in table.texts.get(part, ())}


def shares_sources(expression: str) -> bool:
    """Whether a licence of an SPDX expression asks to say where the sources are."""
    return _SHARES_SOURCES.search(expression) is not None
