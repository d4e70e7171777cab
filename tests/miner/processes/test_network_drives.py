"""Which folders are on network drives, by what each system says of them."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from miner.processes import network_drives
from miner.processes.network_drives import is_on_network, is_shared, mounted_as

_MOUNTS = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /home rw shared:2 - nfs4 server:/home rw,vers=4.2
31 30 0:41 / /home/anna/my\040share rw - cifs //server/share rw
32 22 0:42 / /mnt/key rw - fuseblk /dev/sdb1 rw
33 22 0:43 / /mnt/far rw master:3 - fuse.sshfs lab: rw
34 33 8:2 / /mnt/far rw - ext4 /dev/sdc rw
half a line
"""


@pytest.mark.parametrize(
    ("folder", "file_system", "shared"),
    [
        ("/", "ext4", False),
        ("/homely", "ext4", False),
        ("/home", "nfs4", True),
        ("/home/anna/papers", "nfs4", True),
        ("/home/anna/my share/x", "cifs", True),
        ("/mnt/key", "fuseblk", False),
        ("/mnt/far/x", "ext4", False),  # mounted over the other
    ],
)
def test_the_innermost_mount_says_how_a_folder_is_mounted(folder: str, file_system: str, shared: bool) -> None:
    assert mounted_as(folder, _MOUNTS) == file_system
    assert is_shared(file_system) is shared


@pytest.mark.parametrize("local", ["", "ext4", "btrfs", "tmpfs", "overlay", "apfs", "zfs", "fuseblk", "fuse.gocryptfs"])
def test_file_systems_of_one_computer_are_not_shared(local: str) -> None:
    assert not is_shared(local)


@pytest.mark.parametrize("shared", ["nfs", "smb3", "9p", "lustre", "ceph", "fuse.sshfs", "fuse.rclone", "fuse"])
def test_network_file_systems_and_unknown_programs_are(shared: str) -> None:
    assert is_shared(shared)


def test_a_table_that_cannot_be_read_means_a_disk_of_this_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_on_network(tmp_path)
    monkeypatch.setattr(network_drives, "_MOUNTS", tmp_path / "missing")
    assert not is_on_network(tmp_path)


@pytest.mark.parametrize(("flags", "shared"), [(0x0480_5000, False), (0x0480_0000, True)])  # of a disk; of a share
def test_macos_says_whether_a_file_system_is_local(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: int, shared: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: _Library(flags))
    assert is_on_network(tmp_path) is shared


class _Library:
    """The one function of macOS's C library, which fills in the state of a file system: see its sys/mount.h."""

    def __init__(self, flags: int) -> None:
        self._flags = flags

    def statfs(self, folder: bytes, state: object) -> int:
        content = struct.pack("=Ii5Q2iIIII16s", 4096, 4096, 1, 1, 1, 1, 1, 1, 2, 501, 26, self._flags, 0, b"apfs")
        state.raw = content.ljust(4096, b"\0")  # type: ignore[attr-defined]
        return 0


@pytest.mark.parametrize(("drive", "kind", "shared"), [("C:", 3, False), ("Z:", 4, True), (r"\\server\share", 1, True)])
def test_windows_says_it_by_the_drive(monkeypatch: pytest.MonkeyPatch, drive: str, kind: int, shared: bool) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(network_drives, "_drive_type", lambda letter: kind)
    monkeypatch.setattr(Path, "drive", property(lambda path: drive), raising=False)
    assert is_on_network(Path.cwd()) is shared
