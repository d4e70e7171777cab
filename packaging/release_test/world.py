"""What the checks share: what was released, an environment with its wheel, a bare system with its package."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chroot import Chroot, bare_system, quoted
from report import Failed, Skipped, demand

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "packaging" / "release"))

from environment import create  # noqa: E402

SAMPLES = ROOT / "desktop" / "samples"
DOMAINS = {"coastal": "coastal engineering", "ecology": "ecology", "nlp": "nlp", "reading": "reading research"}


@dataclass
class World:
    """The folder of a release, a folder to work in, and the name of a screen."""

    release: Path
    work: Path
    display: str

    def made(self, pattern: str) -> Path:
        """The one released file of this name."""
        found = sorted(self.release.glob(pattern))
        if not found:
            raise Skipped(f"there is no {pattern} in {self.release}: make release")
        return found[0]

    @cached_property
    def python(self) -> Path:
        """The Python of a fresh environment with the released wheel, all extras and pinned versions: what all else
        is compared with. It is made again when the wheel is another."""
        wheel = self.made("*.whl")
        folder, stamp = self.work / "venv", self.work / "venv" / "wheel"
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if not stamp.exists() or stamp.read_text() != digest:
            shutil.rmtree(folder, ignore_errors=True)
            create(folder, ROOT / "packaging" / "hashes" / "install.py").install(f"{wheel}[all]")
            stamp.write_text(digest)
        return folder / "bin" / "python"

    @property
    def program(self) -> Path:
        """The program of that environment."""
        return self.python.with_name("pairwright")

    @cached_property
    def expected_export(self) -> str:
        """The digest of the demo's export by the environment."""
        folder = self.work / "venv-demo"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copytree(SAMPLES, folder / "samples")
        done = subprocess.run(["bash", "-c", demo(self.program)], cwd=folder, capture_output=True, text=True)
        demand(done.returncode == 0, f"the environment's demo: {last_line(done)}")
        return export_digest(folder / "demo")

    @cached_property
    def bare(self) -> Chroot:
        """The bare system, with the sample papers in the user's home."""
        if os.geteuid() or not shutil.which("debootstrap"):
            raise Skipped("needs root and debootstrap")
        cache = self.work / "cache"
        (cache / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        system = Chroot(self.work / "systems" / "bare", [bare_system(cache)], cache / "archives")
        home = system.upper / "home" / "ada"
        shutil.copytree(SAMPLES, home / "samples")
        give_to_user(home)
        return system

    @cached_property
    def installed(self) -> Chroot:
        """The bare system with the package installed as people would, and what it depends on."""
        system = self.bare.layer("installed")
        shutil.copy(self.made("pairwright_*.deb"), system.upper / "pairwright.deb")
        command = "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq /pairwright.deb"
        done = system.run(command, user="root", network=True, timeout=900)
        if done.returncode:
            raise Failed(f"apt-get install: {last_line(done)}")
        return system

    def unpacked(self, name: str, home: str = "/home/ada") -> Chroot:
        """A new system that has what the package depends on, and the unpacked tarball in a home."""
        system = self.dependencies.layer(name)
        folder = system.upper / home.removeprefix("/")
        folder.mkdir(parents=True, exist_ok=True)
        with subprocess.Popen(
            ["zstd", "-dc", self.made("pairwright-[0-9]*.tar.zst")], stdout=subprocess.PIPE
        ) as unzstd:
            assert unzstd.stdout is not None
            with tarfile.open(fileobj=unzstd.stdout, mode="r|") as tar:
                tar.extractall(folder, filter="tar")
        give_to_user(folder)
        return system

    @cached_property
    def dependencies(self) -> Chroot:
        """The system without the package, but with what it depends on, as a desktop has it."""
        system = self.installed.layer("dependencies")
        done = system.run("dpkg --purge pairwright", user="root")
        demand(done.returncode == 0, f"dpkg --purge: {last_line(done)}")
        return system


def give_to_user(folder: Path) -> None:
    """Make the user of the bare system own the folder."""
    subprocess.run(["chown", "-R", "1000:1000", folder], check=True)


def demo(program: Path | str) -> str:
    """The demo as lines of shell, in a folder that has the samples."""
    call = quoted(program, "--quiet", "--project", "demo.pairwright")
    lines = [
        "set -e",
        quoted(program, "new", "demo.pairwright"),
        *(f"{call} add {quoted(f'samples/{folder}', '--domain', domain)}" for folder, domain in DOMAINS.items()),
        f"{call} mine",
        f"{call} export demo --preset scinli",
    ]
    return "\n".join(lines)


def export_digest(folder: Path) -> str:
    """The SHA-256 of names and contents of an export."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """The exit status of a command with the last line of what it said."""
    lines = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()
    return f"exit {done.returncode}, “{lines[-1].strip()}”"


def crashed(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether a program ended by a signal or with a traceback."""
    return done.returncode < 0 or 128 < done.returncode < 192 or "Traceback (most recent call last)" in done.stderr
