"""What a release carries of others: THIRD-PARTY-LICENSES, with all texts, and the bill of materials (SBOM)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

from bundled_files import CompiledFile
from source import Refused
from third_party import Library, Table, licence_of, normalise, texts

_RULE = "=" * 100
_PYTHON_LICENCE = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"


@dataclass(frozen=True)
class Carried:
    """What a release carries of others: distributions (`installed` also has those that only build), files of the
    bundle, and what others made in our own folders below `root`."""

    root: Path
    distributions: Sequence[Distribution]
    installed: Mapping[str, Distribution]
    bundled: Sequence[CompiledFile]
    table: Table

    def libraries(self) -> list[Library]:
        """The libraries of the table that are in the bundle, in order of name."""
        named = {file.owner.name: file.owner for file in self.bundled if isinstance(file.owner, Library)}
        return [named[name] for name in sorted(named)]


def write_notices(path: Path, carried: Carried) -> None:
    """Write names, versions and licences, then all the texts; each text once, however many have it."""
    lines = ["What Pairwright comes with that others made, and under which licences. The texts follow.", ""]
    lines += [f"{entry.name} {entry.version}: {licence_of(entry, carried.table)}" for entry in carried.distributions]
    lines += [f"{library.name}: {library.licence}" for library in carried.libraries()]
    lines += [f"{row['name']}: {row['licence']}" for row in carried.table.materials]
    titles: dict[str, list[str]] = {}
    for title, text in _texts(carried):
        titles.setdefault(text.strip(), []).append(title)
    for text, having_it in titles.items():
        lines += ["", _RULE, *having_it, _RULE, text]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_sbom(python: Path, pyproject: Path, path: Path, *, epoch: int) -> None:
    """Write what is installed for `python` as CycloneDX JSON. The same environment gives the same bytes."""
    command: list[str | Path] = [
        Path(sys.executable).parent / "cyclonedx-py",
        "environment",
        "--output-reproducible",
        "--pyproject",
        pyproject,
    ]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
    subprocess.run([*command, "--output-file", path, python], check=True, env=environment)


def _texts(carried: Carried) -> Iterator[tuple[str, str]]:
    """Title and text of every licence, in the order of the list above them."""
    for entry in carried.distributions:
        for title, text in texts(entry, carried.table):
            yield f"{entry.name} {entry.version}, {title}", text
    own = {normalise(entry.name) for entry in carried.distributions}
    for library in carried.libraries():
        if library.distribution in own:
            continue  # the texts are above
        if library.distribution:
            for title, text in texts(carried.installed[library.distribution], carried.table):
                yield f"{library.name}, {title}", text
        elif library.name == "CPython" and _PYTHON_LICENCE.exists():
            yield library.name, _PYTHON_LICENCE.read_text(encoding="utf-8")
        else:
            for package in _packages(library, carried):
                path = Path(f"/usr/share/doc/{package}/copyright")
                yield (
                    f"{library.name}, of the Debian package {package}",
                    path.read_text(encoding="utf-8", errors="replace"),
                )
    for row in carried.table.materials:
        yield str(row["name"]), (carried.root / row["file"]).read_text(encoding="utf-8")


def _packages(library: Library, carried: Carried) -> list[str]:
    """The Debian packages that have the library's files, or the one that the table names."""
    names = {file.path.rpartition("/")[2] for file in carried.bundled if file.owner == library}
    shared = {
        name for name in names if name.startswith("lib")
    }  # not the modules of CPython, which its library stands for
    return [library.package] if library.package else sorted({package_of(name) for name in shared})


def package_of(library: str) -> str:
    """The Debian package that has a library of this file name; Refused where none has."""
    done = subprocess.run(["dpkg", "--search", f"*/{library}"], capture_output=True, text=True)
    owners = sorted(
        set(re.findall(rf"^([^:\s]+)(?::\w+)?: /(?:usr/)?lib/[\w-]+/{re.escape(library)}$", done.stdout, re.M))
    )
    if not owners:
        raise Refused(f"no Debian package has {library}, so the text of its licence is not known")
    return str(owners[0])
