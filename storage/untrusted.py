"""Values of a project file that could do harm as they stand: the file may come from somebody else."""

from __future__ import annotations

import re
import zlib
from pathlib import Path, PureWindowsPath

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,119}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_HUB_NAME = re.compile(r"(?!\.)[\w.-]+/(?!\.)[\w.-]+", re.ASCII)


def safe_folder_name(text: str) -> str:
    """The name of a folder of ours, such as "3-quick"; "" for whatever could lead elsewhere or mean a device."""
    return text if _NAME.fullmatch(text) and not _DEVICE.fullmatch(text) else ""


def safe_local_folder(text: str) -> str:
    """The absolute path of a folder of this computer; "" for any other, a network share's above all.

    On Windows, looking at a share is enough to send it the person's credentials.
    """
    return text if Path(text).is_absolute() and not _share(Path(text)) and "\0" not in text else ""


def safe_hub_name(text: str) -> str:
    """The name of a model at the hub, owner/name; "" for whatever could be a path."""
    return text if _HUB_NAME.fullmatch(text) else ""


def is_safe_to_access(path: Path, project: Path) -> bool:
    """Whether looking for a file there asks no computer but this one, or the one that the project lies on."""
    share = _share(path)
    return not share or share in (_share(project.absolute()), _share(project.resolve()))


def _share(path: Path) -> str:
    drive = PureWindowsPath(str(path)).drive.lower()
    return drive if drive.startswith("\\\\") else ""


def inflate(packed: bytes, most: int) -> bytes:
    """What zlib or gzip packed, at most so many bytes; `zlib.error` for more, or where it is cut off."""
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # either header
    content = unpacking.decompress(packed, most)
    if not unpacking.eof:
        raise zlib.error("cut off, or more than there may be")
    return content
