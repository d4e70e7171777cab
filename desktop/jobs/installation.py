"""Checks of this copy of Pairwright: how it was installed, which parts are there, and what conflicts with them."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from desktop.text import listed
from desktop.translation import tr
from miner.installation import (
    CLASH_HINT,
    EXTRAS,
    RELEASES,
    find_clashes,
    how_installed,
    is_installed,
    program_version,
)
from miner.mining.sentence_analysis import installed_models
from miner.progress import Job, Progress

_PARTS = {"window": tr("window"), "models": tr("training"), "gguf": tr("GGUF files")}
_DISTRIBUTIONS = {"PySide6": tr("PySide6-Essentials")}
"""Packages whose module has another name."""
_NUMPY_JUDGES = tr("The starter and BERT models trained with Pairwright judge with numpy.")


class Check(NamedTuple):
    """The result of one check; `sound` is None if what was checked is optional and missing."""

    name: str
    sound: bool | None
    finding: str
    hint: str = ""


def check_installation() -> Job[list[Check]]:
    """Check what needs neither a process nor the network."""

    def work(progress: Progress) -> list[Check]:
        return list(installation_checks())

    return Job(tr("Looking at the installation"), work)


def installation_checks() -> Iterator[Check]:
    yield Check(
        "pairwright",
        True,
        tr(
            "{program_version}, installed {how_installed}",
            program_version=program_version(),
            how_installed=how_installed(),
        ),
    )
    yield Check("releases", True, RELEASES)
    python = sys.version_info >= (3, 11)
    yield Check(
        tr("Python"), python, platform.python_version(), "" if python else tr("Pairwright needs 3.11 or newer.")
    )
    yield _names()
    for extra in _PARTS:
        yield _part(extra)
    yield _language_model()


def _names() -> Check:
    """Whether other packages have modules with the names of ours; only one module of a name can be imported."""
    clashes = find_clashes()
    if not clashes:
        return Check(tr("module names"), True, tr("no other package has them"))
    return Check(tr("module names"), False, " ".join(clashes), CLASH_HINT)


def _part(extra: str) -> Check:
    name = _PARTS[extra]
    if missing := [module for module in EXTRAS[extra] if not is_installed(module)]:
        finding = tr(
            "{missing} {is_} not installed.", missing=listed(missing), is_=tr("is") if len(missing) == 1 else tr("are")
        )
        if extra == "models":
            finding += f" {_NUMPY_JUDGES}"
        return Check(name, None, finding, tr("Optional. {remedy}", remedy=how_installed().remedy(extra)))
    return Check(name, True, ", ".join(map(_versioned, EXTRAS[extra])))


def _versioned(module: str) -> str:
    try:
        return f"{module} {version(_DISTRIBUTIONS.get(module, module))}"
    except PackageNotFoundError:  # a bundle may leave out its description
        return module


def _language_model() -> Check:
    models = installed_models()
    if models:
        return Check(tr("spaCy model"), True, ", ".join(models))
    hint = tr("Optional: with one, sentences without a verb are found more surely. ") + how_installed().remedy(
        "spacy-model"
    )
    return Check(tr("spaCy model"), None, tr("none; rules do its work"), hint)
