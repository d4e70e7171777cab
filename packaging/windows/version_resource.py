"""The version that Windows shows of `pairwright.exe`, made of pyproject.toml.

    python packaging/windows/version_resource.py build/windows/version_info.txt

The spec of the bundle gives the file to PyInstaller. Its format:
https://pyinstaller.org/en/stable/usage.html#capturing-windows-version-data
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
_US_ENGLISH, _UNICODE = 0x0409, 1200


def program_version() -> str:
    """The version in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def numeric_version(version: str) -> tuple[int, int, int, int]:
    """What Windows compares: three numbers of a version such as 0.3.0 or 1.0.0rc1, and 0."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", version)
    if found is None:
        raise ValueError(f"the version {version} does not begin with three numbers")
    major, minor, patch = map(int, found.groups())
    return (major, minor, patch, 0)


def version_resource(version: str) -> str:
    """The resource as PyInstaller's text."""
    numbers = numeric_version(version)
    texts = {
        "CompanyName": "The Pairwright contributors",
        "FileDescription": "Pairwright",
        "FileVersion": version,
        "InternalName": "pairwright",
        "LegalCopyright": "MIT License",
        "OriginalFilename": "pairwright.exe",
        "ProductName": "Pairwright",
        "ProductVersion": version,
    }
    structures = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in texts.items())
    return (
        "VSVersionInfo(\n"
        f"  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004, fileType=0x1,"
        " subtype=0x0, date=(0, 0)),\n"
        "  kids=[\n"
        f"    StringFileInfo([StringTable('{_US_ENGLISH:04x}{_UNICODE:04x}', [{structures}])]),\n"
        f"    VarFileInfo([VarStruct('Translation', [{_US_ENGLISH}, {_UNICODE}])]),\n"
        "  ],\n"
        ")\n"
    )


def write(path: Path) -> Path:
    """Write the resource of this version; `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(version_resource(program_version()), encoding="utf-8", newline="\n")
    return path


if __name__ == "__main__":
    write(Path(sys.argv[1]))
