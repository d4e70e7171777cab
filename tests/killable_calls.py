"""Calls functions in processes forked from a server that has imported their modules, and kills them with SIGKILL.

A call is killed after so many seconds, or kills itself at its N-th step: before or after a transaction is committed, a
file or folder is made, renamed, linked, deleted or flushed.
"""

from __future__ import annotations

import gc
import json
import mmap
import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import forkserver
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

from tests.desktop.forkserver import context_of_tests

ROOT = Path(__file__).resolve().parents[1]
STEPS_OF_FILES = ("replace", "rename", "link", "unlink", "mkdir", "fsync")
"""Functions of `os` before and after which a call can be killed."""
_COMMAND = "desktop.cli.main:main"
_POLL_S = 0.002
_HAS_ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT
_COUNT = struct.Struct("q")


class Ending(NamedTuple):
    """How a call ended. code: 0, or -SIGKILL; steps: how many it came to; seconds: how long it took."""

    code: int
    steps: int
    seconds: float

    @property
    def was_killed(self) -> bool:
        return self.code == -signal.SIGKILL


class KillableCalls:
    """A server of calls, also a context manager that ends it.

    modules: imported before the calls. workers_import: what the calls' own workers have imported; () where no call
    starts any. data: the folder of the user's settings and of what the calls print. steps: of files, that are counted
    beside transactions.
    """

    def __init__(
        self, modules: Sequence[str], workers_import: Sequence[str], data: Path, steps: Sequence[str] = STEPS_OF_FILES
    ) -> None:
        self._given = [[*modules], [*workers_import], [*steps]]
        self._data = data

    def __enter__(self) -> Self:
        self._data.mkdir(exist_ok=True)
        self._temporary = TemporaryDirectory()  # its path is short, as those of sockets must be
        environment = os.environ | {
            **dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), str(self._data)),
            "TMPDIR": self._temporary.name,
            **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),  # a server without threads can fork
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": "offscreen",
        }
        command = [sys.executable, "-m", __name__, json.dumps(self._given), str(self.output)]
        self._server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()
        self._temporary.cleanup()

    @property
    def output(self) -> Path:
        """What the last call has printed."""
        return self._data / "output.txt"

    def call(self, function: str, *arguments: Any, step: int = 0, seconds: float | None = None) -> Ending:
        """Call a function, named as `package.module:function`, with arguments that JSON can hold.

        It is killed at this step, from 1, or after these seconds, if it has not ended by then. The function's result
        is the exit code; None is 0.
        """
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        print(json.dumps([function, arguments, step, seconds]), file=self._server.stdin, flush=True)
        return Ending(*json.loads(self._server.stdout.readline()))

    def ends_before(self, step: int, words: Sequence[object]) -> bool:
        """Run a command that kills itself at this step; whether it ended before that step."""
        ending = self.call(_COMMAND, [str(word) for word in words], step=step)
        assert ending.was_killed or ending.code == 0, self.output.read_text(encoding="utf-8", errors="replace")
        return not ending.was_killed


class _Steps:
    """Counts steps in memory that the server shares, and kills this process at the last one."""

    def __init__(self, last: int, shared: mmap.mmap) -> None:
        self._last, self._shared = last, shared
        self._count = 0

    def take(self) -> None:
        self._count += 1
        _COUNT.pack_into(self._shared, 0, self._count)
        if self._count == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with a step before and one after it."""

        def stepping(*arguments: Any, **options: Any) -> Any:
            self.take()
            result = function(*arguments, **options)
            self.take()
            return result

        return stepping


def _serve() -> None:
    (modules, workers_import, steps), output = json.loads(sys.argv[1]), sys.argv[2]
    imported = f"{output}.imported"
    for name in modules:
        import_module(name)
    if workers_import:
        multiprocessing.set_forkserver_preload(workers_import)
        multiprocessing.get_context = context_of_tests  # type: ignore[assignment]
        forkserver.ensure_running()  # once, for the workers of all calls
        forkserver.ensure_running = forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]
    shared = mmap.mmap(-1, mmap.PAGESIZE)
    for line in sys.stdin:
        function, arguments, step, seconds = json.loads(line)
        _COUNT.pack_into(shared, 0, 0)
        start = time.monotonic()
        child = os.fork()
        if not child:
            _redirect(output)
            os._exit(_call(function, arguments, _Steps(step, shared), steps, Path(imported)))
        if seconds is not None:
            while time.monotonic() - start < seconds and not os.waitid(os.P_PID, child, _HAS_ENDED):
                time.sleep(_POLL_S)
            os.kill(child, signal.SIGKILL)  # one that has ended is not reaped yet
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        ending = Ending(code, _COUNT.unpack_from(shared)[0], time.monotonic() - start)
        if not (step or seconds):
            _import_all(Path(imported))
        print(json.dumps(ending), flush=True)


def _import_all(imported: Path) -> None:
    """Import what a call has imported, so that the next ones need not."""
    for name in imported.read_text(encoding="utf-8").split():
        if not name.startswith("__"):
            with suppress(Exception):  # a module of a program that is no module here
                import_module(name)
    gc.collect()
    gc.freeze()  # forked processes share it


def _redirect(output: str) -> None:
    """Standard output is for the endings: what is printed goes into a file, and nothing is read."""
    for path, flags, number in (
        (os.devnull, os.O_RDONLY, 0),
        (output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 1),
    ):
        os.dup2(os.open(path, flags), number)
    os.dup2(1, 2)


def _call(name: str, arguments: Sequence[Any], steps: _Steps, of_files: Sequence[str], imported: Path) -> int:
    from storage.project import Project
    from storage.stores import Stores

    transaction, before = Project.transaction, {*sys.modules}

    @contextmanager
    def stepping_transaction(self: Project, **options: Any) -> Iterator[Stores]:
        with transaction(self, **options) as stores:
            yield stores
            steps.take()
        steps.take()

    Project.transaction = stepping_transaction  # type: ignore[method-assign]
    for step in of_files:
        setattr(os, step, steps.around(getattr(os, step)))
    try:
        return int(resolve_name(name)(*arguments) or 0)
    except BaseException:  # noqa: BLE001  the caller shows it
        import traceback

        traceback.print_exc()
        return 99
    finally:
        imported.write_text(" ".join({*sys.modules} - before), encoding="utf-8")
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    _serve()
