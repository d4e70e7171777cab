"""One training at a time for a project: a lock that the system lets go of when its program dies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from miner.errors import UserError
from miner.paths import is_file, write_hint

_LOCK, _RUN = "training.lock", "training.now"
_PATIENCE = 1.0  # seconds; others only look


@contextmanager
def alone(models: Path) -> Iterator[Callable[[int], None]]:
    """Within, no other program trains for the project with these models. The function notes which run it is."""
    try:
        models.mkdir(parents=True, exist_ok=True)
        for path in (models / _LOCK, models / _RUN):
            if path.is_symlink():  # it came with the folder; who writes to it would write elsewhere
                path.unlink()
        lock = FileLock(models / _LOCK)
        lock.acquire(timeout=_PATIENCE)
    except Timeout as exc:
        hint = "Wait until it is done, or stop it; two would only take each other's time."
        raise UserError("A model is being trained for this project already.", hint=hint) from exc
    except OSError as exc:
        raise _unwritable(models, exc) from exc

    def note(run: int) -> None:
        try:
            (models / _RUN).write_text(str(run), encoding="utf-8")
        except OSError as exc:
            raise _unwritable(models, exc) from exc

    try:
        yield note
    finally:
        (models / _RUN).unlink(missing_ok=True)
        lock.release()


def live_run(models: Path) -> int | None:
    """The run that some program is training now."""
    if not is_file(models / _RUN):
        return None
    lock = FileLock(models / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        with suppress(FileNotFoundError, ValueError):  # it has just ended, or is about to say
            return int((models / _RUN).read_text(encoding="utf-8"))
        return None
    except OSError:  # nothing can be written there, so nobody trains
        return None
    lock.release()
    return None


def _unwritable(models: Path, exc: OSError) -> UserError:
    return UserError(f"{models} cannot be written: {exc.strerror or exc}.", hint=write_hint(exc))
