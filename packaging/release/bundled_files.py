"""The compiled files of the bundle: whose they are, which C library they need, and which may not be there."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import Distribution
from itertools import chain
from pathlib import Path

from third_party import Library, Table, normalise

INTERNAL = "_internal"
_NEEDED = re.compile(r"\b(GLIBC|GLIBCXX)_(\d+(?:\.\d+)+)$", re.MULTILINE)


@dataclass(frozen=True)
class CompiledFile:
    """A compiled file of the bundle, its path below the bundle's library folder, and whose it is: of a library of the
    table, or of a distribution; of neither, `owner` is None."""

    path: str
    owner: Library | str | None


def compiled_files(bundle: Path) -> Iterator[Path]:
    """Every ELF file of the folder, links left out, in order of path."""
    for path in sorted(bundle.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def owners(bundle: Path, carried: Iterable[Distribution], table: Table) -> list[CompiledFile]:
    """Whose each compiled file is. What auditwheel puts beside a distribution (`NAME.libs`) is not its own."""
    recorded = {
        str(path): normalise(distribution.name) for distribution in carried for path in distribution.files or ()
    }
    found = []
    for path in compiled_files(bundle):
        relative = path.relative_to(bundle).as_posix().removeprefix(f"{INTERNAL}/")
        own = None if ".libs/" in relative else recorded.get(relative)
        found.append(CompiledFile(relative, library_of(relative, table.libraries) or own))
    return found


def library_of(path: str, libraries: Iterable[Library]) -> Library | None:
    """The first library in the table that has this file."""
    name = path.rpartition("/")[2]
    for library in libraries:
        if any(fnmatch(name, pattern) for pattern in library.files) or path.startswith(library.folders or ("\0",)):
            return library
    return None


def problems(found: Iterable[CompiledFile], table: Table) -> list[str]:
    """A sentence for each file that may not be there, or that is nobody's."""
    sentences = []
    for file in found:
        name = file.path.rpartition("/")[2]
        forbidden = [why for pattern, why in table.forbidden.items() if fnmatch(name, pattern)]
        if forbidden:
            sentences.append(f"{file.path}: may not be in a bundle ({forbidden[0]})")
        elif file.owner is None:
            sentences.append(f"{file.path}: belongs to no distribution, and to no library in third_party.toml")
    return sentences


def unused(found: Iterable[CompiledFile], table: Table) -> list[str]:
    """The names of the table's libraries that have none of the files, in the table's order."""
    used = {file.owner.name for file in found if isinstance(file.owner, Library)}
    return [library.name for library in table.libraries if library.name not in used]


def needed_symbols(bundle: Path) -> dict[str, tuple[str, str]]:
    """Of GLIBC and GLIBCXX the highest version that a file of the bundle needs, with one such file."""
    files = list(compiled_files(bundle))
    with ThreadPoolExecutor(4) as pool:
        needed = zip(files, pool.map(_version_references, files), strict=True)
        every = chain.from_iterable(((kind, version, path) for kind, version in versions) for path, versions in needed)
        highest: dict[str, tuple[str, str]] = {}
        for kind, version, path in every:
            if kind not in highest or version_key(version) > version_key(highest[kind][0]):
                highest[kind] = (version, path.relative_to(bundle).as_posix())
    return highest


def symbol_problems(needed: dict[str, tuple[str, str]], table: Table) -> list[str]:
    """A sentence for each system library of which a newer version is needed than the oldest supported system has."""
    return [
        f"{path} needs {kind} {version}; the oldest system we support has {table.symbols[kind]}"
        for kind, (version, path) in sorted(needed.items())
        if version_key(version) > version_key(table.symbols[kind])
    ]


def version_key(version: str) -> tuple[int, ...]:
    """For comparing versions: 2.4 is lower than 2.36."""
    return tuple(map(int, version.split(".")))


def parse_references(objdump: str) -> set[tuple[str, str]]:
    """Kind and version of the symbol versions that a file needs, in what `objdump -p` prints of it."""
    return set(_NEEDED.findall(objdump.partition("Version References:")[2]))


def _version_references(path: Path) -> set[tuple[str, str]]:
    done = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, errors="replace", check=True)
    return parse_references(done.stdout)
