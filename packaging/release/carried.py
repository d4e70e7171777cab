"""What a release carries of others: distributions, libraries of the bundle, and what lies in our own folders."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

from bundled_files import CompiledFile
from debian import Package, package_named, package_of
from source import Refused
from third_party import Library, Table, licence_of, normalise, shares_sources

_PYPI = "https://pypi.org/project/{name}/{version}/#files"


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

    def files(self, library: Library) -> list[str]:
        """The library's files in the bundle, in order of path."""
        return sorted({file.path for file in self.bundled if file.owner == library})

    def version(self, library: Library) -> str:
        """The library's version where a distribution or Python itself says it, or nothing."""
        if library.name == "CPython":
            return platform.python_version()
        if library.name == "PDFium":
            path = Path(str(self.installed["pypdfium2"].locate_file("pypdfium2_raw/version.json")))
            numbers = json.loads(path.read_text(encoding="utf-8"))
            return "{major}.{minor}.{build}.{patch}".format_map(numbers)
        return self.installed[library.version_of].version if library.version_of else ""

    def packages(self, library: Library) -> dict[str, Package]:
        """Of a library that is taken from the system, the Debian package of each file."""
        if library.distribution or library.package or library.name == "CPython":
            return {}
        return {path: package_of(path.rpartition("/")[2]) for path in self.files(library)}

    def licensed_as(self, library: Library) -> list[Package]:
        """The Debian packages that have the text of the library's licence, in order of name."""
        if library.package:
            return [package_named(library.package)]
        if library.name == "CPython":  # the library stands for the modules, too
            names = {path.rpartition("/")[2] for path in self.files(library)}
            return sorted({package_of(name) for name in names if name.startswith("lib")})
        return sorted(set(self.packages(library).values()))

    def sources(self) -> list[str]:
        """A line for each thing under a licence that asks to say where its sources are: name, version, address."""
        lines = []
        for entry in self.distributions:
            if shares_sources(licence_of(entry, self.table)):
                name = normalise(entry.name)
                address = str(self.table.distributions.get(name, {}).get("source", _PYPI))
                lines.append(f"{entry.name} {entry.version}: {_filled(address, name, entry.version)}")
        for library in self.libraries():
            if not shares_sources(library.licence):
                continue
            version = self.version(library)
            if library.source:
                title = f"{library.name} {version}".rstrip()
                lines.append(f"{title}: {_filled(library.source, library.name, version)}")
            elif packages := self.packages(library):
                built = sorted(
                    {(package.source, package.source_version, package.source_address) for package in packages.values()}
                )
                lines += [f"{library.name} ({source} {number}): {address}" for source, number, address in built]
            else:
                raise Refused(f"third_party.toml does not say where the sources of {library.name} are")
        return lines


def _filled(address: str, name: str, version: str) -> str:
    """An address with the name, the version and its first two numbers in it."""
    return address.format(name=name, version=version, series=".".join(version.split(".")[:2]))
