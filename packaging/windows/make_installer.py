"""Makes the installer for Windows of a bundle, by NSIS (`makensis` in the PATH; Debian's compiles it too).

python packaging/windows/make_installer.py build/bundle/pairwright build/icons dist/Pairwright-setup.exe
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from version_resource import numeric_version, program_version

SCRIPT = Path(__file__).with_name("pairwright.nsi")


def make(bundle: Path, icons: Path, target: Path, options: Sequence[str] = ()) -> None:
    """Write the installer `target`. `options`: further ones of makensis."""
    if not (bundle / "pairwright.exe").is_file():
        raise SystemExit(f"There is no pairwright.exe in {bundle}: build the bundle on Windows first.")
    target.parent.mkdir(parents=True, exist_ok=True)
    version = program_version()
    values = {
        "VERSION": version,
        "NUMBERS": ".".join(map(str, numeric_version(version))),
        "BUNDLE": bundle.resolve(),
        "ICONS": icons.resolve(),
        "OUT": target.resolve(),
    }
    definitions = [f"-D{name}={value}" for name, value in values.items()]
    subprocess.run(["makensis", "-V2", "-WX", *options, *definitions, str(SCRIPT)], check=True)


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
