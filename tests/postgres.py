"""A PostgreSQL server of its own for a test, from Debian's package `postgresql`, removed afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda path: int(path.parent.name))
USER = "postgres"


class Server(NamedTuple):
    """A running server. url: of its first database, with the password of its owner."""

    url: str
    folder: Path

    def psql(self, sql: str, *options: str) -> str:
        """What psql prints for the statements, without heads; it stops at an error."""
        assert PROGRAMS is not None
        command = [PROGRAMS / "psql", self.url, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *options, "-c", sql]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def postgres(password: str = "pass word@1") -> Iterator[Server]:
    """Run a server on a free port of this computer."""
    assert PROGRAMS is not None
    folder = Path(tempfile.mkdtemp(prefix="pairwright-postgres-"))
    who: dict[str, Any] = {}
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, USER, USER)
        who = {"user": USER, "group": USER, "extra_groups": []}
    try:
        (folder / "password").write_text(password)
        (folder / "password").chmod(0o644)
        run = dict(check=True, capture_output=True, cwd=folder, **who)
        data = folder / "data"
        initdb = [PROGRAMS / "initdb", "-D", data, "-U", "lab", "-A", "scram-sha-256", "-E", "UTF8", "--locale=C"]
        subprocess.run([*initdb, "--no-sync", f"--pwfile={folder / 'password'}"], **run)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = f"-p {port} -k '' -c listen_addresses=127.0.0.1 -c fsync=off"
        start = [PROGRAMS / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options]
        subprocess.run([*start, "start"], **run | {"capture_output": False, "stdout": subprocess.DEVNULL})
        quoted = "".join(f"%{ord(char):02x}" for char in password)
        try:
            yield Server(f"postgresql://lab:{quoted}@127.0.0.1:{port}/postgres", folder)
        finally:
            subprocess.run([PROGRAMS / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **run)
    finally:
        shutil.rmtree(folder)
