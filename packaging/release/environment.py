"""The virtual environment that a release is made in: the wheel with its extras by pinned hashes, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Environment:
    """A virtual environment without pip. `installer`: packaging/hashes/install.py of the source that is released."""

    folder: Path
    installer: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        (found,) = self.folder.glob("lib/python3*/site-packages")
        return found

    def install(self, *arguments: str | Path) -> None:
        """Install what the installer's arguments name, by pinned versions and hashes."""
        subprocess.run([sys.executable, self.installer, self.python, *arguments], check=True)


def create(folder: Path, installer: Path) -> Environment:
    """An empty environment with torch for processors; without any where its index cannot be reached."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    environment = Environment(folder, installer)
    try:
        environment.install("--torch")
    except subprocess.CalledProcessError:
        print("    torch for processors is not to be had: the usual index is asked", flush=True)
    return environment
