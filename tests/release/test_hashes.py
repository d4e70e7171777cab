"""Every pinned version has hashes, and what has none, or another, is not installed into what is released."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging" / "hashes"))

import install  # noqa: E402

EMPTY = "Metadata-Version: 2.1\nName: {}\nVersion: 1.0\n"


@pytest.mark.parametrize("name", install.PINNED)
def test_every_pinned_version_has_hashes(name: str) -> None:
    """Where this fails after a change of a version: make hashes."""
    pinned = install.read_pins(install.PINNED[name].read_text(encoding="utf-8"))
    hashed = install.read_pins((install.HASHES / name).read_text(encoding="utf-8"))
    assert len(pinned) >= 5
    assert {name: pin.version for name, pin in hashed.items()} == {name: pin.version for name, pin in pinned.items()}
    assert [name for name, pin in hashed.items() if not pin.hashes] == []


def test_all_lines_of_the_pins_are_read() -> None:
    for path in install.PINNED.values():
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        assert len(install.read_pins("\n".join(lines))) == len(lines)


def test_no_version_of_the_program_and_of_its_bundle_are_at_odds() -> None:
    both = [
        install.read_pins((install.HASHES / name).read_text(encoding="utf-8"))
        for name in ("bundle.txt", "constraints.txt")
    ]
    assert [name for name in both[0].keys() & both[1].keys() if both[0][name] != both[1][name]] == []


def found(name: str, version: str, **more: object) -> dict[str, object]:
    return {"metadata": {"name": name, "version": version}, **more}


def test_what_pip_would_install_is_asked_for_by_hash() -> None:
    pins = {"safe-name": install.Pin("1.0", ("--hash=sha256:aa", "--hash=sha256:bb"))}
    ours = found("pairwright", "0.1.0", is_direct=True, download_info={"url": "file:///dist/pairwright.whl"})
    plan = install.plan_for({"install": [found("Safe.Name", "1.0"), ours]}, pins)
    assert plan.lines == ["Safe.Name==1.0 --hash=sha256:aa --hash=sha256:bb"]
    assert plan.local == ["file:///dist/pairwright.whl"]


@pytest.mark.parametrize(("name", "version"), [("unknown", "1.0"), ("safe-name", "1.1"), ("bare", "1.0")])
def test_what_is_not_pinned_with_a_hash_is_refused(name: str, version: str) -> None:
    pins = {"safe-name": install.Pin("1.0", ("--hash=sha256:aa",)), "bare": install.Pin("1.0", ())}
    with pytest.raises(install.Refused, match=rf"{name} {re.escape(version)} is not pinned with a hash.*make hashes"):
        install.plan_for({"install": [found(name, version)]}, pins)


@pytest.mark.parametrize(
    "is_changed", [pytest.param(False, marks=pytest.mark.slow), True], ids=["as pinned", "changed"]
)
def test_a_file_with_another_hash_is_not_installed(
    is_changed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "links" / "leaf-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("leaf.py", "")
        file.writestr("leaf-1.0.dist-info/METADATA", EMPTY.format("leaf"))
        file.writestr("leaf-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("leaf-1.0.dist-info/RECORD", "leaf.py,,\nleaf-1.0.dist-info/METADATA,,\n")
    digest = sha256(b"" if is_changed else wheel.read_bytes()).hexdigest()
    monkeypatch.setattr(install, "known_pins", lambda: {"leaf": install.Pin("1.0", (f"--hash=sha256:{digest}",))})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    venv.create(tmp_path / "env")
    python = str(tmp_path / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
    if is_changed:
        with pytest.raises(subprocess.CalledProcessError):
            install.install(python, ["leaf"])
        assert "DO NOT MATCH THE HASHES" in capfd.readouterr().err
    else:
        assert install.install(python, ["leaf"]) == 0
    assert bool(list((tmp_path / "env").rglob("leaf.py"))) != is_changed
