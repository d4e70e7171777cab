"""From papers to a data set nothing reaches for the network: a guard in each process, and the system's calls, tell."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STRACE = shutil.which("strace")

# Python imports a module of this name at the start of each process, so also of worker processes.
GUARD = """
import os, sys

def refuse(event, arguments):
    if event == "socket.bind" and arguments[1] == ("::1", 0):  # urllib3 asks whether there is IPv6
        return
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname"):
        tell(f"{event} {arguments!r}")
        raise PermissionError(f"{event} in a test that forbids the network")

def tell(line):
    with open(os.environ["NETWORK_LOG"], "a") as log:
        log.write(f"{os.getpid()} {line}\\n")

tell("guarded")
sys.addaudithook(refuse)
"""
JOURNEY = """
import sys
from pathlib import Path

from desktop.cli.main import main

def run(*words):
    assert main(["--project", "a.pairwright", *map(str, words)]) == 0, words

if __name__ == "__main__":
    samples = Path(sys.argv[1])
    assert main(["new", "a.pairwright"]) == 0
    run("add", samples / "coastal" / "wrack-lines.pdf", "--jobs", "1")
    run("mine", "--jobs", "1")
    run("stats")
    run("suggest")
    from desktop.jobs.review.answers import answer_all
    from miner.progress import Progress
    from miner.records import Answer
    from storage.pairs.filters import PairFilter
    from storage.project import Project
    with Project.open(Path("a.pairwright")) as project:
        assert answer_all(project, PairFilter(), "anna", Answer.NEUTRAL).work(Progress()).count > 5
    run("export", "out", "--preset", "full")
"""


def plain() -> dict[str, str]:
    """The environment of a process that nothing keeps from models on the hub."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    return {**usual, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}


def guarded(folder: Path) -> dict[str, str]:
    """The environment of a process that is guarded, with all it starts, and tells it in `folder`."""
    (folder / "guard").mkdir()
    (folder / "guard" / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    paths = os.pathsep.join((str(folder / "guard"), str(ROOT)))
    return {**plain(), "PYTHONPATH": paths, "NETWORK_LOG": str(folder / "log")}


def told(folder: Path) -> tuple[set[str], list[str]]:
    """The processes that were guarded, and what was refused."""
    lines = [line.split(" ", 1) for line in (folder / "log").read_text(encoding="utf-8").splitlines()]
    return {pid for pid, what in lines if what == "guarded"}, [what for _, what in lines if what != "guarded"]


def test_the_guard_sees_what_would_reach_for_the_network(tmp_path: Path) -> None:
    tried = "import socket, urllib.request\ntry: urllib.request.urlopen('http://127.0.0.1:9', timeout=1)\n"
    tried += "except OSError: pass\ntry: socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))\n"
    tried += "except OSError: pass"
    subprocess.run([sys.executable, "-c", tried], env=guarded(tmp_path), check=True, timeout=60)
    assert [line.split(" ")[0] for line in told(tmp_path)[1]] == ["socket.getaddrinfo", "socket.sendto"]


def test_from_papers_to_a_data_set_nothing_reaches_for_the_network(tmp_path: Path) -> None:
    (tmp_path / "journey.py").write_text(JOURNEY, encoding="utf-8")
    command = [sys.executable, "journey.py", str(ROOT / "desktop" / "samples")]
    done = subprocess.run(command, cwd=tmp_path, env=guarded(tmp_path), capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "out").is_dir()
    processes, refused = told(tmp_path)
    assert refused == []
    assert len(processes) >= 3  # the program, and workers that read papers and mine them


@pytest.mark.slow
@pytest.mark.skipif(STRACE is None, reason="strace is not installed")
def test_the_system_sees_no_call_to_an_address(tmp_path: Path) -> None:
    """Libraries that are no Python, such as DuckDB and Qt, are told apart by nothing else."""
    if subprocess.run([str(STRACE), "-f", "true"], capture_output=True).returncode:
        pytest.skip("this system lets no process trace another")
    (tmp_path / "journey.py").write_text(JOURNEY, encoding="utf-8")
    calls = "trace=connect,sendto,sendmsg,sendmmsg,listen"
    trace = [str(STRACE), "-f", "--seccomp-bpf", "-e", calls, "-o"]
    commands = {
        "journey": ["journey.py", str(ROOT / "desktop" / "samples")],
        "window": [
            "-m",
            "desktop",
            str(tmp_path / "a.pairwright"),
            "--data-dir",
            str(tmp_path / "data"),
            "--quit-when-ready",
        ],
        "proof": ["-S", "-c", "import socket; socket.socket().connect_ex(('127.0.0.1', 9))"],
    }
    for name, command in commands.items():
        traced = [*trace, name, sys.executable, *command]
        done = subprocess.run(traced, cwd=tmp_path, env=plain(), capture_output=True, text=True, timeout=280)
        assert done.returncode == 0, done.stdout + done.stderr
    processes = {line.split()[0] for line in (tmp_path / "journey").read_text(errors="replace").splitlines()}
    assert len(processes) >= 3
    found = {name: re.findall(r"\w+\(.*AF_INET.*", (tmp_path / name).read_text(errors="replace")) for name in commands}
    assert len(found.pop("proof")) == 1
    assert found == {"journey": [], "window": []}


MAY_IMPORT = {  # what there is of the network; each address is a person's
    "miner/http.py": {"socket", "requests", "urllib3"},  # GROBID, chat models, corpora at web addresses
    "desktop/app.py": {"socket"},  # a pair of sockets, by which signals reach Qt
    "miner/classifier/checkpoints.py": {"huggingface_hub"},  # a model that is named owner/name
    "miner/classifier/chat.py": {"huggingface_hub"},  # its errors
    "miner/classifier/loading.py": {"huggingface_hub"},
    "miner/corpus/database.py": {"fsspec"},
    "miner/corpus/locations.py": {"fsspec"},  # a corpus that is named by an address
    "miner/corpus/ray_engine.py": {"ray"},
}
NETWORK = {
    *("socket", "ssl", "asyncio", "requests", "urllib3", "httpx", "aiohttp", "http", "ftplib", "smtplib", "xmlrpc"),
    *("socketserver", "webbrowser", "huggingface_hub", "fsspec", "ray", "datasets", "sentry_sdk", "boto3", "QtNetwork"),
    *("urllib.request", "PySide6.QtNetwork", "PySide6.QtWebEngineWidgets"),
}


def test_no_other_module_imports_what_reaches_the_network() -> None:
    found: dict[str, set[str]] = {}
    for path in (path for room in ("desktop", "miner", "storage") for path in (ROOT / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not re.search(rf"^\s*(?:from|import) .*\b(?:{'|'.join(map(re.escape, NETWORK))})\b", text, re.MULTILINE):
            continue
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                names = [str(node.module), *(f"{node.module}.{name}" for name in names)]
            used = {name for whole in names for name in (whole, whole.partition(".")[0]) if name in NETWORK}
            if used:
                found.setdefault(path.relative_to(ROOT).as_posix(), set()).update(used)
    assert found == MAY_IMPORT


def test_libraries_that_count_their_users_are_told_not_to() -> None:
    code = "from miner.classifier import checkpoints\ntry: checkpoints._from_hub('a/b c')\nexcept Exception: pass\n"
    code += "from huggingface_hub import constants; print(constants.HF_HUB_DISABLE_TELEMETRY)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=plain(), capture_output=True, text=True, timeout=100)
    assert done.stdout == "True\n", done.stderr
