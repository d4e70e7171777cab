"""The wheel as pip, pipx and uv install it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from report import demand
from world import ROOT, SAMPLES, World, crashed, demo, export_digest, last_line

_CONSTRAINTS = ROOT / "constraints.txt"


def pip_installs_it(world: World) -> str:
    """pip installs the wheel in a fresh environment, and the demo runs"""
    done = subprocess.run([world.program, "--version"], capture_output=True, text=True)
    demand(done.returncode == 0, last_line(done))
    return f"{done.stdout.strip()}, export SHA-256 {world.expected_export[:12]}…"


def pipx_installs_it(world: World) -> str:
    """pipx installs it without extras, as on a server: it mines, suggests, and says what it lacks"""
    home = _emptied(world.work / "pipx")
    places = {"PIPX_HOME": str(home / "home"), "PIPX_BIN_DIR": str(home / "bin"), "PIPX_MAN_DIR": str(home / "man")}
    install = [sys.executable, "-m", "pipx", "install", "--quiet", f"--pip-args=--constraint {_CONSTRAINTS}"]
    done = subprocess.run(
        [*install, world.made("*.whl")], env=os.environ | places, capture_output=True, text=True, timeout=900
    )
    demand(done.returncode == 0, last_line(done))
    program = home / "bin" / "pairwright"
    demand(_demo(program, home) != "", "the demo ended with an error")
    call: list[str | Path] = [program, "--quiet", "--project", home / "demo.pairwright"]
    done = subprocess.run([*call, "suggest"], capture_output=True, text=True)
    demand(done.returncode == 0, f"suggest: {last_line(done)}")
    said = []
    commands: list[list[str | Path]] = [[*call, "train", "--name", "t"], [program]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"DISPLAY": world.display})
        demand(done.returncode == 1 and not crashed(done), f"{command[-1]}: {last_line(done)}")
        demand("pipx" in done.stderr, f"its remedy is none for pipx: “{done.stderr.strip()}”")
        said.append(f"“{done.stderr.strip()}”")
    return " ".join(said)


def uv_installs_it(world: World) -> str:
    """uv tool installs it with window and language model, and the demo's export has the bytes of the environment's"""
    home = _emptied(world.work / "uv")
    places = {"UV_TOOL_DIR": str(home / "tools"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    if links := os.environ.get("PIP_FIND_LINKS"):
        places["UV_FIND_LINKS"] = links
    uv = Path(sys.executable).with_name("uv")
    wheel = f"{world.made('*.whl')}[window,spacy-model]"
    install: list[str | Path] = [
        uv,
        "tool",
        "install",
        "--quiet",
        "--python",
        sys.executable,
        "--constraints",
        _CONSTRAINTS,
        wheel,
    ]
    done = subprocess.run(install, env=os.environ | places, capture_output=True, text=True, timeout=900)
    demand(done.returncode == 0, last_line(done))
    digest = _demo(home / "bin" / "pairwright", home)
    demand(digest == world.expected_export, f"{digest[:12]} and not {world.expected_export[:12]}")
    return f"SHA-256 {digest[:12]}…"


def _demo(program: Path, folder: Path) -> str:
    """The digest of the demo's export; empty if it failed."""
    shutil.copytree(SAMPLES, folder / "samples")
    done = subprocess.run(["bash", "-c", demo(program)], cwd=folder, capture_output=True, text=True)
    return export_digest(folder / "demo") if done.returncode == 0 else ""


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


CHECKS = [pip_installs_it, pipx_installs_it, uv_installs_it]
