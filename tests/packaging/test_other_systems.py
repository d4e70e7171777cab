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

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
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


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_pins_its_actions_and_runs_scripts_that_are_there(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    actions = re.findall(r"uses: (\S+)", text)
    assert [action for action in actions if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []
    scripts = set(re.findall(r"packaging/[\w/]+\.(?:py|sh)", text))
    assert [script for script in sorted(scripts) if not (PACKAGING.parent / script).is_file()] == []
    assert "secrets." not in text  # of the repository: the token of the run is enough


def test_the_tests_run_on_three_systems_by_the_commands_of_the_makefile() -> None:
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert re.search(r"system: \[ubuntu-\S+, windows-\S+, macos-\S+]", text)
    assert re.search(r"^on:\n  push:\n.*\n  pull_request:", text, re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert targets is not None
    commands = [line.removeprefix("\t$(BIN)/") for line in targets[1].splitlines()]
    assert len(commands) >= 5
    tests = 'python -m pytest -n auto --dist worksteal -m "not slow"'
    assert f"$(BIN)/{tests}" in makefile
    assert [command for command in [*commands, tests] if command not in text] == []


ZIZMOR = shutil.which("zizmor", path=str(Path(sys.executable).parent)) or shutil.which("zizmor")


@pytest.mark.skipif(ZIZMOR is None, reason="zizmor is not installed; it is one of the extra dev")
def test_the_linter_of_workflows_finds_nothing(tmp_path: Path) -> None:
    command = [ZIZMOR or "", "--offline", "--quiet"]
    done = subprocess.run([*command, WORKFLOWS[0].parent], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "bad.yml").write_text(WORKFLOWS[-1].read_text(encoding="utf-8").replace("runs-on", "runs-un"))
    assert subprocess.run([*command, tmp_path / "bad.yml"], capture_output=True, timeout=60).returncode != 0
