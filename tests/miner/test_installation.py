"""How a copy was installed, and what it says of libraries that are missing."""

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from miner.installation import (
    EXTRAS,
    MARKER,
    RELEASES,
    Installation,
    InstallMethod,
    find_clashes,
    how_installed,
    is_installed,
    missing_extra,
)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("file", "method"),
    [
        ("pipx_metadata.json", InstallMethod.PIPX),
        ("uv-receipt.toml", InstallMethod.UV_TOOL),
        ("pyvenv.cfg", InstallMethod.ENVIRONMENT),
    ],
)
def test_what_installed_an_environment_is_known_by_its_files(
    file: str, method: InstallMethod, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / file).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    found = how_installed()
    assert (found.method, found.folder) == (method, tmp_path)
    assert found.remedy("models").startswith("Install it: ")


def test_a_python_of_the_system_is_told_from_an_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert how_installed().method is InstallMethod.SYSTEM


@pytest.mark.parametrize(
    ("content", "method"),
    [("deb 0.1.0\n", InstallMethod.DEB), (None, InstallMethod.BUNDLE), ("", InstallMethod.BUNDLE)],
)
def test_a_bundle_is_known_by_the_marker_beside_its_executable(
    content: str | None, method: InstallMethod, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        (tmp_path / MARKER).write_text(content)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "pairwright"))
    found = how_installed()
    assert (found.method, found.folder) == (method, tmp_path)
    for extra in (*EXTRAS, "gpu"):
        assert "pip" not in found.remedy(extra)
    assert RELEASES in found.package_remedy("lxml")
    assert found.remedy("gguf") == found.remedy("models"), "the full bundle has both"
    assert "python" not in found.wordnet_remedy()


def test_a_folder_that_an_uninstalled_package_left_is_no_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "left_over" / "lib").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert not is_installed("left_over")
    assert is_installed("zipfile")


def test_torch_is_never_fetched_with_gigabytes_of_cuda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for has_pip, index in ((True, "/whl/cpu"), (False, "--torch-backend cpu")):
        here = Installation(InstallMethod.ENVIRONMENT, tmp_path, has_pip=has_pip)
        for remedy in (here.remedy("models"), here.remedy("gguf"), here.package_remedy("torch")):
            assert index in remedy


def test_commands_that_install_can_be_copied_into_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = str(tmp_path / "über uns" / "python")
    monkeypatch.setattr(sys, "executable", python)
    here = Installation(InstallMethod.ENVIRONMENT, tmp_path)
    command = shlex.split(here.remedy("window").removeprefix("Install it: "))
    assert command == [python, "-m", "pip", "install", "pairwright[window]"]
    monkeypatch.setattr(sys, "platform", "win32")
    assert here.remedy("window") == f'Install it: "{python}" -m pip install pairwright[window]'
    monkeypatch.undo()
    monkeypatch.setattr(sys, "executable", python)
    by_uv = Installation(InstallMethod.UV_TOOL, tmp_path, has_pip=False)
    command = shlex.split(by_uv.remedy("window").removeprefix("Install it: "))
    assert command == ["uv", "pip", "install", "--python", python, "pairwright[window]"]


def test_what_is_missing_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_extra("window") is None
    monkeypatch.setitem(sys.modules, "pyqtgraph", None)
    missing = missing_extra("window")
    assert str(missing) == "The window needs pyqtgraph, which is not installed."
    assert missing is not None
    assert missing.hint == f"{how_installed().remedy('window')} (everything else works without)."


def test_other_packages_with_our_module_names_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_clashes() == []
    other = tmp_path / "site" / "someones_storage-1.0.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: someones-storage\nVersion: 1.0\n")
    (other / "top_level.txt").write_text("storage\n")
    monkeypatch.syspath_prepend(str(other.parent))
    assert find_clashes() == ["storage is also of someones-storage."]


def test_another_package_that_takes_the_place_of_ours_is_found(tmp_path: Path) -> None:
    (tmp_path / "storage").mkdir()
    (tmp_path / "storage" / "__init__.py").touch()
    code = "from miner.installation import find_clashes; print(*find_clashes())"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.stdout == f"storage is another package here, in {tmp_path / 'storage'}.\n"


def test_every_extra_is_one_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*EXTRAS, "gpu"} <= {*project["optional-dependencies"]}
