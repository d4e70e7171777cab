"""Bills of materials (SBOM) as CycloneDX JSON: of the package with all that it asks for, and of each bundle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bundled_files import INTERNAL
from carried import Carried
from third_party import licence_of, normalise

_ROOT = "root-component"
_Values = dict[str, Any]


def write_sbom(python: Path, path: Path, carried: Carried, *, epoch: int) -> None:
    """Write what is installed for `python`, and what others made in the package itself. The same environment gives the
    same bytes. Licences are those that the notices say."""
    tool = Path(sys.executable).parent / "cyclonedx-py"
    command: list[str | Path] = [tool, "environment", "--output-reproducible"]
    command += ["--pyproject", carried.root / "pyproject.toml", "--output-file", path, python]
    subprocess.run(command, check=True, env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch)})
    bill = json.loads(path.read_text(encoding="utf-8"))
    for component in bill["components"]:
        distribution = carried.installed[normalise(component["name"])]
        component["licenses"] = _concluded(licence_of(distribution, carried.table))
    _add(bill, [_component("data", row["name"], licence=row["licence"]) for row in carried.table.materials])
    _write(path, bill)


def write_bundle_sbom(path: Path, package: Path, name: str, bundle: Path, carried: Carried) -> None:
    """Write what the bundle called `name` holds: what it has of the bill of the `package`, and its libraries."""
    bill = json.loads(package.read_text(encoding="utf-8"))
    inside = {normalise(folder.name.split("-")[0]) for folder in (bundle / INTERNAL).glob("*.dist-info")}
    bill["metadata"]["component"]["name"] = name
    left_out = {
        component["bom-ref"]
        for component in bill["components"]
        if component.get("purl", "").startswith("pkg:pypi/") and normalise(component["name"]) not in inside
    }
    bill["components"] = [one for one in bill["components"] if one["bom-ref"] not in left_out]
    bill["dependencies"] = [one for one in bill["dependencies"] if one["ref"] not in left_out]
    for entry in bill["dependencies"]:
        entry["dependsOn"] = [ref for ref in entry.get("dependsOn", ()) if ref not in left_out]
    _add(bill, list(_libraries(carried)))
    _write(path, bill)


def problems(path: Path) -> list[str]:
    """A sentence if CycloneDX's schema does not allow the bill."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = path.read_text(encoding="utf-8")
    version = json.loads(text)["specVersion"]
    fault = JsonStrictValidator(SchemaVersion.from_version(version)).validate_str(text)
    return [f"{path.name}: no CycloneDX {version}: {fault}"] if fault else []


def _libraries(carried: Carried) -> Iterator[_Values]:
    """A component for each library of a wheel, and for each Debian package that libraries are of; with their files."""
    for library in carried.libraries():
        packages = carried.packages(library)
        for package in sorted(set(packages.values())):
            files = [path for path, owner in packages.items() if owner == package]
            known = {"version": package.version, "purl": package.purl, "description": library.name}
            yield _component("library", package.name, licence=library.licence, files=files, **known)
        if not packages:
            version = carried.version(library)
            known = {"version": version} if version else {}
            yield _component("library", library.name, licence=library.licence, files=carried.files(library), **known)


def _component(kind: str, name: str, *, licence: str, files: list[str] | None = None, **known: str) -> _Values:
    """A component, whose reference is its purl or its name."""
    component: _Values = {"type": kind, "name": name, "bom-ref": known.get("purl", name), **known}
    component["licenses"] = _concluded(licence)
    if files:
        component["evidence"] = {"occurrences": [{"location": path} for path in files]}
    return component


def _concluded(licence: str) -> list[_Values]:
    return [{"expression": licence, "acknowledgement": "concluded"}]


def _add(bill: _Values, components: list[_Values]) -> None:
    """Add components, which the program depends on."""
    bill["components"] = sorted([*bill["components"], *components], key=lambda one: str(one["bom-ref"]))
    refs = [component["bom-ref"] for component in components]
    bill["dependencies"] = sorted(
        [*bill["dependencies"], *({"ref": ref} for ref in refs)], key=lambda one: str(one["ref"])
    )
    (root,) = (entry for entry in bill["dependencies"] if entry["ref"] == _ROOT)
    root["dependsOn"] = sorted([*root.get("dependsOn", ()), *refs])


def _write(path: Path, bill: _Values) -> None:
    path.write_text(json.dumps(bill, indent=2, sort_keys=True) + "\n", encoding="utf-8")
