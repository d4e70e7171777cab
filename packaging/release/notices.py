"""THIRD-PARTY-LICENSES: what a release carries of others, under which licences, where sources are, all texts."""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from carried import Carried
from debian import COMMON, common_text
from third_party import common_texts, licence_of, normalise, texts

_RULE = "=" * 100
_PYTHON_LICENCE = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
_POINTER = re.compile(rf"{COMMON}/([\w.-]*\w)")
_SOURCES = """\
Sources, in the versions carried, of what is under a GNU licence or the Mozilla Public License; the wheels that GCC's
libraries came in do not say their versions. The shared libraries lie in the program's folder as files of their own, and
others that fit may take their place. What Qt holds besides its own code: https://doc.qt.io/qt-6/licenses-used-in-qt.html"""


def write_notices(path: Path, carried: Carried) -> None:
    """Write names, versions and licences, where sources are, then all texts; each once, however many have it."""
    lines = ["What Pairwright comes with that others made, and under which licences. The texts follow.", ""]
    lines += [f"{entry.name} {entry.version}: {licence_of(entry, carried.table)}" for entry in carried.distributions]
    for library in carried.libraries():
        lines.append(f"{f'{library.name} {carried.version(library)}'.rstrip()}: {library.licence}")
    lines += [f"{row['name']}: {row['licence']}" for row in carried.table.materials]
    lines += ["", _SOURCES, "", *carried.sources()]
    titles: dict[str, list[str]] = {}
    for title, text in _with_common(list(_texts(carried)), carried):
        titles.setdefault(text.strip(), []).append(title)
    for text, having_it in titles.items():
        lines += ["", _RULE, *having_it, _RULE, text]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _texts(carried: Carried) -> Iterator[tuple[str, str]]:
    """Title and text of every licence that comes with what is under it, in the order of the list above them."""
    for entry in carried.distributions:
        for title, text in texts(entry):
            yield f"{entry.name} {entry.version}, {title}", text
    own = {normalise(entry.name) for entry in carried.distributions}
    for library in carried.libraries():
        if library.distribution in own:
            continue  # the texts are above
        if library.distribution:
            for title, text in texts(carried.installed[library.distribution]):
                yield f"{library.name}, {title}", text
        elif library.name == "CPython" and _PYTHON_LICENCE.exists():
            yield library.name, _PYTHON_LICENCE.read_text(encoding="utf-8")
        else:
            for package in carried.licensed_as(library):
                yield f"{library.name}, of the Debian package {package.name}", package.copyright
    for row in carried.table.materials:
        yield str(row["name"]), (carried.root / row["file"]).read_text(encoding="utf-8")


def _with_common(found: list[tuple[str, str]], carried: Carried) -> Iterator[tuple[str, str]]:
    """These texts, then the common ones of licences that are named above, and those that these texts point to."""
    yield from found
    named = [licence_of(entry, carried.table) for entry in carried.distributions]
    named += [library.licence for library in carried.libraries()]
    pointed_to = {name for _, text in found for name in _POINTER.findall(text)}
    for name in sorted(pointed_to.union(*(common_texts(licence, carried.table) for licence in named))):
        having_it = [licence for licence, names in carried.table.texts.items() if name in names]
        yield ", ".join([*having_it, str(COMMON / name)]), common_text(name)
