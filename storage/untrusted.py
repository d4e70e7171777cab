"""Checks of values that could do harm, because the project file may come from somebody else."""

from __future__ import annotations

import re
import zlib
from pathlib import Path, PureWindowsPath

_FOLDER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,119}")
_WINDOWS_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_HUB_NAME = re.compile(r"(?!\.)[\w.-]+/(?!\.)[\w.-]+", re.ASCII)


def safe_folder_name(text: str) -> str:
    """The name of a model folder, such as "3-quick"; "" if it could lead to another folder or name a device."""
    return text if _FOLDER_NAME.fullmatch(text) and not _WINDOWS_DEVICE.fullmatch(text) else ""


def safe_local_folder(text: str) -> str:
    """The absolute path of a folder on this computer; "" for any other path, such as one on a network share.

    On Windows, any access to a share sends it the user's credentials.
    """
    return text if Path(text).is_absolute() and not _share(Path(text)) and "\0" not in text else ""


def safe_hub_name(text: str) -> str:
    """The name of a model on the hub, owner/name; "" if it could be a path."""
    return text if _HUB_NAME.fullmatch(text) else ""


def is_safe_to_access(path: Path, project: Path) -> bool:
    """Whether the path is on this computer or on the network share of the project, so that access is safe."""
    share = _share(path)
    return not share or share in (_share(project.absolute()), _share(project.resolve()))


def _share(path: Path) -> str:
    drive = PureWindowsPath(str(path)).drive.lower()
    return drive if drive.startswith("\\\\") else ""


def inflate(packed: bytes, max_bytes: int) -> bytes:
    """Decompress zlib or gzip data. Raises `zlib.error` if there are more than `max_bytes`, or if data is missing."""
    decompressor = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # either format
    content = decompressor.decompress(packed, max_bytes)
    if not decompressor.eof:
        raise zlib.error("truncated, or larger than allowed")
    return content
