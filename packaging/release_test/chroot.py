"""A bare Debian in a folder: commands run in it as a plain user without network; what they write stays in a layer."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SUITE = "bookworm"  # Debian 12: the oldest that we support
MIRROR = "http://deb.debian.org/debian"
USER = "ada"

# Within mount and process namespaces of its own, so that nothing is left when it ends: the layers as one file system,
# what a system has beside its files, then the command.
_ENTER = r"""
set -e
mount -t overlay overlay -o "lowerdir=$LOWER,upperdir=$UPPER,workdir=$WORK" "$ROOT"
mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount --bind /etc/resolv.conf "$ROOT/etc/resolv.conf"
if [ -d /tmp/.X11-unix ]; then mkdir -p "$ROOT/tmp/.X11-unix"; mount --bind /tmp/.X11-unix "$ROOT/tmp/.X11-unix"; fi
if [ -n "$ARCHIVES" ]; then mount --bind "$ARCHIVES" "$ROOT/var/cache/apt/archives"; fi
eval "$PREPARE"
exec chroot --userspec="$RUN_AS" "$ROOT" env -i "$@"
"""


@dataclass
class Chroot:
    """A system: read-only layers, the uppermost first, and a folder that takes what is written."""

    folder: Path
    lower: list[Path]
    archives: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("upper", "work", "root"):
            (self.folder / name).mkdir(parents=True)

    @property
    def upper(self) -> Path:
        return self.folder / "upper"

    def layer(self, name: str) -> Chroot:
        """A system that has what this one has now, and changes nothing of it."""
        lower = [self.upper, *self.lower]
        return Chroot(self.folder.parent / name, lower, self.archives, dict(self.environment))

    def run(
        self,
        command: str | Sequence[str],
        *,
        user: str = USER,
        network: bool = False,
        home: str | None = None,
        prepare: str = "",
        timeout: float = 600,
        variables: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command, or a line of shell, in the system; root runs `prepare` before it, for mounts in $ROOT."""
        with self.start(
            command, user=user, network=network, home=home, prepare=prepare, variables=variables
        ) as process:
            try:
                out, errors = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                stop(process)
                raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)

    def start(
        self,
        command: str | Sequence[str],
        *,
        user: str = USER,
        network: bool = False,
        home: str | None = None,
        prepare: str = "",
        variables: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        """Start a command as `run` does; `stop` ends it."""
        home = home or ("/root" if user == "root" else f"/home/{user}")
        inside = {"HOME": home, "USER": user, "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        inside |= self.environment | dict(variables or {})
        words = ["/bin/bash", "-c", f"cd; {command}"] if isinstance(command, str) else list(command)
        outside = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "ROOT": str(self.folder / "root"),
            "LOWER": ":".join(map(str, self.lower)),
            "UPPER": str(self.upper),
            "WORK": str(self.folder / "work"),
            "ARCHIVES": str(self.archives) if user == "root" and network else "",
            "PREPARE": prepare,
            "RUN_AS": "root:root" if user == "root" else f"{user}:{user}",
        }
        namespaces = ["unshare", "--mount", "--pid", "--fork", *([] if network else ["--net"])]
        return subprocess.Popen(
            [*namespaces, "sh", "-c", _ENTER, "sh", *(f"{name}={value}" for name, value in inside.items()), *words],
            env=outside,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )


def stop(process: subprocess.Popen[str]) -> None:
    """End a command of `start` with all that it has started, which its first process takes along."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for child in children.read_text().split() if children.exists() else ():
        os.kill(int(child), signal.SIGKILL)
    process.communicate()


def bare_system(cache: Path) -> Path:
    """The folder with the bare Debian, made by debootstrap the first time: without Python, with the user `ada`."""
    base = cache / SUITE
    if not (base / "complete").exists():
        shutil.rmtree(base, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", SUITE, base, MIRROR], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["chroot", base, "useradd", "--create-home", "--shell", "/bin/bash", USER], check=True)
        (base / "complete").touch()
    return base


def quoted(*words: str | Path) -> str:
    """The words as a line of shell."""
    return shlex.join(map(str, words))
