"""Installs pinned versions into an environment, each file with one of the hashes that are kept here.

    python packaging/hashes/install.py PYTHON [--requirement FILE] REQUIREMENT...
    python packaging/hashes/install.py PYTHON --torch

PYTHON: the interpreter of the environment, which needs no pip. A requirement is what pip takes, such as a wheel of ours
with its extras: what it asks for is installed by version and hash, and refused if a version or hash is not pinned. A
folder is built by what is installed in that environment.
`--torch`: torch for processors from PyTorch's own index, whose hashes are kept in torch-cpu.txt, where that is there;
without it, pip compares with the hash that the index tells. It fails where the index cannot be reached.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

HASHES = Path(__file__).resolve().parent
ROOT = HASHES.parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
PINNED = {  # by the file with their hashes
    "constraints.txt": CONSTRAINTS,
    "bundle.txt": ROOT / "packaging" / "bundle" / "requirements.txt",
    "release.txt": ROOT / "packaging" / "release" / "requirements.txt",
}
CUDA = HASHES / "cuda.txt"
TORCH = HASHES / "torch-cpu.txt"
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"

_PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([\w.+!-]+)((?:.*\\\n)*.*)$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


class Refused(Exception):
    """What may not be installed; its text says why, and what to do."""


class Pin(NamedTuple):
    """A pinned version, and pip's options with the hashes of its files."""

    version: str
    hashes: tuple[str, ...]


class Plan(NamedTuple):
    """Lines for pip, which has to find these hashes, and what is installed as it lies on this machine."""

    lines: list[str]
    local: list[str]


def main() -> int:
    parser = argparse.ArgumentParser(description="Installs pinned versions by their hashes.")
    parser.add_argument("python", help="the interpreter of the environment")
    parser.add_argument("--torch", action="store_true", help="torch for processors, from PyTorch's index")
    parser.add_argument("--requirement", metavar="FILE", help="a file of requirements")
    parser.add_argument("requirements", nargs="*", metavar="REQUIREMENT")
    options = parser.parse_args()
    python = shutil.which(options.python) or options.python
    listed = ["--requirement", options.requirement] if options.requirement else []
    try:
        if options.torch:
            return install_torch(python)
        return install(python, [*listed, *options.requirements])
    except Refused as refused:
        print(f"Not installed: {refused}", file=sys.stderr)
    except subprocess.CalledProcessError as failed:
        print(f"pip ended with {failed.returncode}.", file=sys.stderr)
    return 1


def install(python: str, requirements: list[str]) -> int:
    """Install requirements with all that they ask for; what is installed already is left alone."""
    pins = known_pins()
    with tempfile.TemporaryDirectory() as name:
        report, lines = Path(name) / "report.json", Path(name) / "requirements.txt"
        dry_run = ["--dry-run", "--report", str(report), "--no-build-isolation"]
        _pip(python, *dry_run, "--constraint", str(CONSTRAINTS), *requirements)
        plan = plan_for(json.loads(report.read_text(encoding="utf-8")), pins)
        lines.write_text("\n".join(plan.lines) + "\n", encoding="utf-8", newline="\n")
        if plan.lines:
            _pip(python, "--no-deps", "--require-hashes", "--requirement", str(lines))
        if plan.local:
            _pip(python, "--no-deps", "--no-build-isolation", *plan.local)
    print(f"    {len(plan.lines)} distributions by their hashes, {len(plan.local)} of this machine")
    return 0


def install_torch(python: str) -> int:
    """Install torch for processors: 1 where its index cannot be reached."""
    once = ["--no-deps", "--retries", "0", "--timeout", "20", "--index-url", TORCH_INDEX]
    if TORCH.is_file():
        once += ["--require-hashes", "--requirement", str(TORCH)]
    else:
        print(f"    torch: no {TORCH.name}, so that {TORCH_INDEX} alone says its hash; make hashes", flush=True)
        once += ["--constraint", str(CONSTRAINTS), "torch"]
    _pip(python, *once)
    return 0


def plan_for(report: Mapping[str, Any], pins: Mapping[str, Pin]) -> Plan:
    """What to install by pip's report of a dry run. `Refused` for a version that is not pinned, or has no hash."""
    plan = Plan([], [])
    for entry in report["install"]:
        name, version = entry["metadata"]["name"], entry["metadata"]["version"]
        if entry.get("is_direct"):
            plan.local.append(entry["download_info"]["url"])
            continue
        pin = pins.get(normalise(name))
        if pin is None or pin.version != version or not pin.hashes:
            raise Refused(f"{name} {version} is not pinned with a hash. Pin it in constraints.txt, then: make hashes")
        plan.lines.append(" ".join((f"{name}=={version}", *pin.hashes)))
    return plan


def known_pins() -> dict[str, Pin]:
    """The pinned versions of the program and of what builds its bundle, by normalised name."""
    files = (path for path in (CUDA, HASHES / "bundle.txt", HASHES / "constraints.txt") if path.is_file())
    return {name: pin for path in files for name, pin in read_pins(path.read_text(encoding="utf-8")).items()}


def read_pins(text: str) -> dict[str, Pin]:
    """The versions that a requirements file pins, by normalised name."""
    return {normalise(name): Pin(version, tuple(_HASH.findall(rest))) for name, version, rest in _PIN.findall(text)}


def normalise(name: str) -> str:
    """The name as indices compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _pip(python: str, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "install", "--no-compile", *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
