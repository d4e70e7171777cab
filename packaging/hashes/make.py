"""Writes the hashes of all pinned versions, as PyPI has them, into the files beside this.

    python packaging/hashes/make.py

Run by `make hashes`, in a virtual environment with what packaging/release/requirements.txt pins: uv asks the index and
downloads nothing. Wheels of all systems are listed. PyTorch's builds for processors alone are on an index of its own:
torch-cpu.txt is written where that can be reached. cuda.txt has what PyPI's build asks for on Linux in its place.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from install import CONSTRAINTS, CUDA, HASHES, PINNED, TORCH, TORCH_INDEX, known_pins, read_pins

PYPI = "https://pypi.org/simple"
OLDEST_LINUX = "x86_64-manylinux_2_36"  # of Debian 12


def main() -> int:
    tools = PINNED["release.txt"]
    asked = read_pins(compiled(tools, PYPI, "--python-platform", OLDEST_LINUX))
    if missing := sorted(asked.keys() - read_pins(tools.read_text(encoding="utf-8")).keys()):
        print(f"{tools} pins no {', '.join(f'{name}=={asked[name].version}' for name in missing)}.", file=sys.stderr)
        return 1  # pip refuses what has no hash, also of what is asked for by others
    for name, pins in PINNED.items():
        write_hashes(pins, HASHES / name, PYPI)
    torch = f"torch=={read_pins(CONSTRAINTS.read_text(encoding='utf-8'))['torch'].version}"
    with tempfile.TemporaryDirectory() as name:
        pins = Path(name) / torch
        pins.write_text(torch, encoding="utf-8")
        brought = compiled(pins, PYPI, "--constraint", CONSTRAINTS, "--python-platform", OLDEST_LINUX)
        CUDA.unlink(missing_ok=True)
        pinned = known_pins()
        lines = [line for line in brought.splitlines() if not read_pins(line).keys() <= pinned.keys()]
        pins.write_text("\n".join(lines), encoding="utf-8")
        write_hashes(pins, CUDA, PYPI)
        pins.write_text(f"{torch}+cpu", encoding="utf-8")
        try:
            write_hashes(pins, TORCH, TORCH_INDEX)
        except subprocess.CalledProcessError:
            print(f"{TORCH_INDEX} cannot be reached: {TORCH.name} stays as it is.", file=sys.stderr)
    return 0


def write_hashes(pins: Path, target: Path, index: str) -> None:
    """Write the pinned versions with the hashes of all files that the index has of them."""
    text = compiled(pins, index, "--no-deps", "--universal", "--generate-hashes")
    text = f"# Made by `make hashes` of {pins.name}. Not to be edited.\n{text}"
    target.write_text(text, encoding="utf-8", newline="\n")


def compiled(pins: Path, index: str, *options: str | Path) -> str:
    """The requirements that uv makes of a file, by what the index has and these options."""
    command: list[str | Path] = [Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--no-config"]
    command += ["--default-index", index, "--python-version", "3.11", "--no-annotate", "--no-header", *options, pins]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


if __name__ == "__main__":
    sys.exit(main())
