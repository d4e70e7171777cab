"""The virtual environment that a release is made in: the wheel with its extras by pinned versions, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TORCH_INDEX = "https://download.pytorch.org/whl/cpu"


@dataclass(frozen=True)
class Environment:
    """A virtual environment without pip: the one that runs the release installs into it."""

    folder: Path
    constraints: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        (found,) = self.folder.glob("lib/python3*/site-packages")
        return found

    def install(self, *arguments: str | Path) -> None:
        """Install what pip's arguments name, by the pinned versions."""
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            self.python,
            "-qq",
            "--disable-pip-version-check",
        ]
        subprocess.run([*command, "install", "--constraint", self.constraints, *arguments], check=True)


def create(folder: Path, constraints: Path) -> Environment:
    """An empty environment with torch for processors; without any where its index cannot be reached."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    environment = Environment(folder, constraints)
    try:
        environment.install("--no-deps", "--retries", "0", "--timeout", "20", "--index-url", TORCH_INDEX, "torch")
    except subprocess.CalledProcessError:
        print(f"    torch is not to be had from {TORCH_INDEX}: the usual index is asked", flush=True)
    return environment
