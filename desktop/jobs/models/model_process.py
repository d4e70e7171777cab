"""A process that holds a model; it is started once and kept from one run to the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from desktop.translation import tr
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.predictor import Pairs, Predictions, load_predictor
from miner.errors import UserError
from miner.libraries import NDArray, np
from miner.processes.child import Failure, ProcessLimits, ProcessStartError
from miner.processes.pool import Pool
from miner.progress import Progress
from miner.records import Label

_LIMITS = ProcessLimits(seconds=1_800, megabytes=64_000)
WARM_UP_PAIRS = ((tr("Warm the model."), tr("Its first pair takes longest.")),)


class _LoadedModel(NamedTuple):
    """The model in the process, and the device it computes on."""

    digest: str
    path: Path
    labels: tuple[Label, ...] | None
    device: str


class ModelProcess:
    """Predicts with one model, loaded in a separate process. For one thread at a time: see `reserved`.

    failure_note: a sentence that says what is kept if the process fails.
    """

    def __init__(self, failure_note: str = "") -> None:
        self._failure_note = failure_note
        self._lock = threading.Lock()
        self._loaded: _LoadedModel | None = None
        self._pool: Pool[Pairs, Predictions] | None = None

    @contextmanager
    def reserved(self, progress: Progress) -> Iterator[None]:
        """Reserve the process for this thread; waits until it is free, unless cancelled."""
        while not self._lock.acquire(timeout=0.1):
            progress.tick(0, None, tr("waiting for the model"))
        try:
            yield
        finally:
            self._lock.release()

    def predict(
        self, model: Checkpoint, device: str, pieces: Iterable[Pairs], look: Callable[[], None]
    ) -> Generator[Predictions]:
        """Probabilities, at temperature 1, of each piece in turn; pieces are drawn a little ahead.

        `look` is called several times a second; an exception that it raises ends the prediction. `UserError` where the
        model cannot be used.
        """
        pool = self._pool_with(_LoadedModel(model.digest, model.path, None if model.card else model.labels, device))
        try:
            with closing(pool.run(pieces, on_poll=look)) as answers:
                for _, answer in answers:
                    if isinstance(answer, Failure):
                        self.end()
                        raise self._error(answer, model.name)
                    yield answer
        except ProcessStartError as exc:  # loading the model has failed
            if exc.failure.kind == "error":
                raise
            raise self._error(exc.failure, model.name) from exc

    def load(self, model: Checkpoint, device: str, look: Callable[[], None]) -> str:
        """Load the model into the process, unless it is there already; returns the arithmetic it predicts with."""
        [found] = self.predict(model, device, [WARM_UP_PAIRS], look)
        return found.arithmetic

    def end_if_idle(self) -> None:
        """End the process, unless it is reserved."""
        if self._lock.acquire(blocking=False):
            try:
                self.end()
            finally:
                self._lock.release()

    def end(self) -> None:
        """End the process, which this thread has reserved; the next use starts a new process."""
        pool, self._pool, self._loaded = self._pool, None, None
        if pool is not None:
            pool.close()

    def _pool_with(self, configuration: _LoadedModel) -> Pool[Pairs, Predictions]:
        if self._pool is None or self._loaded != configuration:
            self.end()
            begin = partial(load_predictor, configuration.path, configuration.labels, 1.0, configuration.device)
            self._pool, self._loaded = Pool(begin, workers=1, limits=_LIMITS), configuration
        return self._pool

    def _error(self, answer: Failure, name: str) -> Exception:
        if answer.refusal is not None:
            return answer.refusal
        match answer.kind:
            case "memory":
                text, hint = (
                    tr("The model {name} needs more memory than there is.", name=name),
                    tr("Choose a smaller one."),
                )
            case "timeout":
                text, hint = (
                    tr("The model {name} did not answer for half an hour.", name=name),
                    tr("Choose a smaller one."),
                )
            case "crash":
                text = tr("The process of the model {name} ended by itself.", name=name)
                hint = tr("Often that is a lack of memory: close other programs, then try again.")
            case _:
                return RuntimeError(f"the model {name} met a bug in its own process:\n{answer.detail}")
        return UserError(f"{text} {self._failure_note}".rstrip(), hint=hint)


def require_finite(found: Predictions, name: str) -> NDArray[np.float32]:
    """The probabilities; `UserError`, which gives the model's name, if some of them are not finite."""
    if not np.isfinite(found.probabilities).all():
        hint = tr("Try the processor (--device cpu), or another model.")
        raise UserError(tr("The model {name} gives no numbers for some pairs.", name=name), hint=hint)
    return found.probabilities
