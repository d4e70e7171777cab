"""Whether this computer can show a window: whether it has a display and fonts. Does not use Qt."""

from __future__ import annotations

import os
import sys
from pathlib import Path

QT_HINT = (
    "Qt needs libraries of the system and a display that answers. On Debian and Ubuntu: apt install libegl1 "
    "libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 libxkbcommon-x11-0"
)
_FONT_SUFFIXES = (".ttf", ".otf", ".ttc", ".pfb")
_DEFAULT_DATA_FOLDERS = "/usr/local/share:/usr/share"


def has_display() -> bool:
    """Whether a window can be opened: on Linux, whether the environment names an X11 or Wayland display."""
    if sys.platform in ("darwin", "win32") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def has_fonts() -> bool:
    """Whether fonts are installed; without any, Qt on Linux draws boxes in place of letters."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(_holds_font(folder) for folder in _font_folders())


def _font_folders() -> list[Path]:
    """The folders in which fontconfig looks for fonts by default."""
    own = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    data_folders = (os.environ.get("XDG_DATA_DIRS") or _DEFAULT_DATA_FOLDERS).split(os.pathsep)
    folders = [own, *map(Path, (*data_folders, *_DEFAULT_DATA_FOLDERS.split(":")))]
    return [Path.home() / ".fonts", *(folder / "fonts" for folder in folders)]


def _holds_font(folder: Path) -> bool:
    return any(name.lower().endswith(_FONT_SUFFIXES) for _, _, names in os.walk(folder) for name in names)
