"""Writes what a Linux desktop wants beside the program into a folder: `STAGE/usr/share/…`.

    python packaging/linux/make_files.py STAGE

Menu entry, AppStream metainfo, MIME type, icons, man page, completion. They name the program `pairwright` without a
folder; whoever installs it elsewhere than in the PATH of the desktop changes `Exec=` in the menu entry. The same
commit gives the same bytes; `SOURCE_DATE_EPOCH` sets the date of what is not released yet.
"""

from __future__ import annotations

import gzip
import os
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE), str(HERE.parent / "icons")]

import make_icons  # noqa: E402
from completion import PATHS, completion  # noqa: E402
from man_page import man_page  # noqa: E402
from metainfo import day, metainfo  # noqa: E402

from desktop import app  # noqa: E402
from desktop.cli.argument_types import Parser  # noqa: E402
from desktop.cli.commands import build_parser  # noqa: E402

MIME_ICON = "application-x-pairwright-project"


def make(stage: Path) -> None:
    """Write all files below `stage`."""
    share = stage / "usr" / "share"
    epoch = int(os.environ["SOURCE_DATE_EPOCH"]) if os.environ.get("SOURCE_DATE_EPOCH") else None
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    _write(share / "applications/pairwright.desktop", (HERE / "pairwright.desktop").read_bytes())
    _write(share / "mime/packages/pairwright.xml", (HERE / "pairwright-mime.xml").read_bytes())
    _write(share / "metainfo/org.pairwright.Pairwright.metainfo.xml", metainfo(epoch=epoch).encode())
    page = man_page(_whole_parser(), app.build_parser(), version=version, date=day(epoch))
    _write(share / "man/man1/pairwright.1.gz", gzip.compress(page.encode(), mtime=0))
    for shell, path in PATHS.items():
        _write(share / path, completion(_whole_parser(), shell).encode())
    icons = share / "icons" / "hicolor"
    for folder, name, svg in (
        ("apps", "pairwright", make_icons.SVG),
        ("mimetypes", MIME_ICON, make_icons.DOCUMENT_SVG),
    ):
        for size in make_icons.PNG_SIZES:
            _write(icons / f"{size}x{size}" / folder / f"{name}.png", make_icons.png(svg, size))
        _write(icons / "scalable" / folder / f"{name}.svg", svg.read_bytes())


def _whole_parser() -> Parser:
    """A new parser with the options of all commands."""
    parser = build_parser()
    parser.complete_all()
    return parser


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o644)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
