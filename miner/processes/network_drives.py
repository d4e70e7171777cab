"""Whether a folder is on a network drive: on another computer, or on a disk that several computers share."""

from __future__ import annotations

import os
import re
import struct
import sys
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_OCTAL = re.compile(r"\\([0-7]{3})")  # how the table writes spaces in paths
_SHARED = re.compile(
    "9p|acfs|afs|beegfs|ceph|cifs|coda|davfs|drvfs|fhgfs|gfs2?|gpfs|lustre|ncpfs|nfs4?|ocfs2|orangefs|panfs|pvfs2|smb[23]|"
    "smbfs|vboxsf|virtiofs|vmhgfs|wekafs"
)
# Programs that serve folders over FUSE mostly bring them from elsewhere; these keep them on the disk.
_LOCAL_FUSE = re.compile(
    "bindfs|cryfs|encfs|ext2|exfat|fuse-overlayfs|gocryptfs|lxcfs|mergerfs|ntfs(-3g)?|portal|snapfuse|squashfuse|"
    "unionfs(-fuse)?|veracrypt"
)
_STATFS_BYTES, _FLAGS_OFFSET, _MNT_LOCAL = 4_096, 64, 0x1000  # of sys/mount.h of macOS
_DRIVE_REMOTE = 4  # of GetDriveType


def is_on_network(folder: Path) -> bool:
    """Whether other computers may use the folder at the same time; False where the system does not say."""
    folder = folder.resolve()
    try:
        if sys.platform == "linux":
            return is_shared(mounted_as(str(folder), _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")))
        if sys.platform == "darwin":
            return not _flags_on_macos(folder) & _MNT_LOCAL
        if sys.platform == "win32":
            return folder.drive.startswith("\\\\") or _drive_type(folder.drive) == _DRIVE_REMOTE
    except OSError:  # the table is hidden from us
        return False
    return False


def mounted_as(folder: str, mounts: str) -> str:
    """The type of the file system of a folder, by Linux's table of mounts (proc(5)); "" if none is named."""
    found, longest = "", 0
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        place = _OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4]).rstrip("/")
        # One of the same place that comes later hides the earlier one.
        if len(place) >= longest and (folder == place or folder.startswith(f"{place}/")):
            found, longest = after.split(" ")[0], len(place)
    return found


def is_shared(file_system: str) -> bool:
    """Whether several computers may use a file system of that type, as Linux names it, at the same time."""
    kind, _, program = file_system.partition(".")
    if kind == "fuse":
        return not _LOCAL_FUSE.fullmatch(program)
    return bool(_SHARED.fullmatch(kind))


def _flags_on_macos(folder: Path) -> int:
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    state = ctypes.create_string_buffer(_STATFS_BYTES)
    statfs = getattr(library, "statfs$INODE64", None) or library.statfs  # the former on Intel alone
    if statfs(os.fsencode(folder), state):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(struct.unpack_from("=I", state, _FLAGS_OFFSET)[0])


def _drive_type(drive: str) -> int:
    import ctypes

    return int(ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\"))  # type: ignore[attr-defined,unused-ignore]
