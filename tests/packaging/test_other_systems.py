"""The files for Windows and macOS: nothing here needs these systems."""

from __future__ import annotations

import plistlib
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from miner.paths import PROJECT_SUFFIX

PACKAGING = Path(__file__).parents[2] / "packaging"
pytestmark = pytest.mark.usefixtures("_packaging_in_path")


@pytest.fixture
def _packaging_in_path(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("icons", "windows", "macos"):
        monkeypatch.syspath_prepend(PACKAGING / folder)


@pytest.fixture(scope="module")
def icons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("icons")
    subprocess.run([sys.executable, PACKAGING / "icons" / "make_icons.py", folder], check=True, timeout=60)
    return folder


def test_the_icons_hold_pictures_of_the_sizes_they_announce(icons: Path) -> None:
    content = (icons / "pairwright.ico").read_bytes()
    for number in range(struct.unpack_from("<H", content, 4)[0]):
        width, *_, length, offset = struct.unpack_from("<BBBBHHII", content, 6 + 16 * number)
        assert struct.unpack_from(">4xI", content[offset : offset + length], 12) == (width or 256,)
    content = (icons / "project.icns").read_bytes()
    assert struct.unpack_from(">4sI", content) == (b"icns", len(content))
    place, kinds = 8, []
    while place < len(content):
        kind, length = struct.unpack_from(">4sI", content, place)
        assert content[place + 8 :].startswith(b"\x89PNG")
        kinds.append(kind)
        place += length
    assert {b"ic07", b"ic08", b"ic09", b"ic10"} <= set(kinds)


def test_the_version_that_windows_shows_is_the_program_s() -> None:
    import version_resource

    version = version_resource.program_version()
    text = version_resource.version_resource(version)
    compile(text, "version_info.txt", "eval")
    assert f"StringStruct('ProductVersion', '{version}')" in text
    assert version_resource.numeric_version("1.12.3rc1") == (1, 12, 3, 0)
    with pytest.raises(ValueError, match=r"1\.2 does not begin"):
        version_resource.numeric_version("1.2")


def test_macos_is_told_which_files_are_projects() -> None:
    import info_plist

    keys = plistlib.loads(plistlib.dumps(info_plist.info_plist()))
    assert keys["LSBackgroundOnly"] is False
    [declared], [opened] = keys["UTExportedTypeDeclarations"], keys["CFBundleDocumentTypes"]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == [PROJECT_SUFFIX.removeprefix(".")]
    assert opened["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    entitlements = plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())
    assert list(entitlements) == ["com.apple.security.cs.allow-unsigned-executable-memory"]


@pytest.mark.skipif(shutil.which("makensis") is None, reason="makensis is not installed")
def test_the_installer_for_windows_compiles(icons: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "a bundle"
    (bundle / "_internal").mkdir(parents=True)
    for name in ("pairwright.exe", "_internal/library.dll"):
        (bundle / name).write_bytes(b"MZ")
    target = tmp_path / "Pairwright-setup.exe"
    command = [sys.executable, PACKAGING / "windows" / "make_installer.py", bundle, icons, target]
    subprocess.run(command, check=True, timeout=60)
    assert target.read_bytes().startswith(b"MZ")


def test_the_release_workflow_pins_its_actions_and_runs_scripts_that_are_there() -> None:
    text = (PACKAGING.parent / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    actions = re.findall(r"uses: (\S+)", text)
    assert [action for action in actions if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []
    scripts = set(re.findall(r"packaging/[\w/]+\.(?:py|sh)", text))
    assert [script for script in sorted(scripts) if not (PACKAGING.parent / script).is_file()] == []
    assert "secrets." not in text  # of the repository: the token of the run is enough
