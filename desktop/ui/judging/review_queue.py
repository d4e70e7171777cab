"""The pairs to review: in which order they come, which of them is on the screen, and the next ones read ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.review import rounds
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from storage.annotation.rounds import ReviewItem

_KEPT = 200  # pairs that are remembered


class ReviewQueue:
    """Keys of pairs in order; some of them wait for an answer, and one is the current one."""

    def __init__(self, keys: Sequence[str] = (), waiting: Iterable[str] = ()) -> None:
        self._waiting = list(waiting)
        waits = set(self._waiting)
        self.keys = [key for key in keys if key not in waits] + self._waiting
        self._waits = waits
        self._place = len(self.keys) - len(self._waiting)

    @classmethod
    def of_all(cls, keys: Sequence[str]) -> ReviewQueue:
        """All of them to be looked at, whether answered or not, from the first."""
        queue = cls(keys, ())
        queue._waits = set(keys)
        queue._place = 0
        return queue

    @property
    def current(self) -> str | None:
        return self.keys[self._place] if self._place < len(self.keys) else None

    @property
    def place(self) -> int:
        """Of the current one, from 1."""
        return self._place + 1

    @property
    def is_elsewhere(self) -> bool:
        """Whether the current one is not the first that waits: somebody went back, or ahead."""
        return self.current is not None and next((key for key in self.keys if key in self._waits), None) != self.current

    @property
    def waiting(self) -> int:
        return len(self._waits)

    def among(self, keys: Sequence[str]) -> list[str]:
        """Those of `keys` that are in the queue."""
        here = set(self.keys)
        return [key for key in keys if key in here]

    def waits(self, key: str) -> bool:
        return key in self._waits

    def ahead(self, count: int) -> list[str]:
        """The current key and those that come after it."""
        keys = [key for key in (self.current, *self._following()) if key is not None]
        return list(dict.fromkeys(keys))[:count]

    def mark(self, key: str, *, waits: bool) -> None:
        """Say whether the key still waits; nothing where it is not in the queue."""
        if not waits:
            self._waits.discard(key)
        elif key in self.keys:
            self._waits.add(key)

    def advance(self) -> str | None:
        """On to the next that waits, from the start again after the last; None when none does."""
        self._place = next((self.keys.index(key) for key in self._following()), len(self.keys))
        return self.current

    def skip(self) -> bool:
        """The current one comes last; whether another one waits meanwhile."""
        key = self.current
        if key is None:
            return False
        others = self._waits - {key}
        if not others:
            return False
        self.keys.remove(key)
        self.keys.append(key)
        self._waits.add(key)
        if self.current not in self._waits:
            self.advance()
        return True

    def move(self, steps: int) -> bool:
        """Back or forth without answering; whether there is one."""
        place = self._place + steps
        if not 0 <= place < len(self.keys):
            return False
        self._place = place
        return True

    def go_to(self, key: str) -> None:
        """Make the key the current one; one that is not in the queue comes before what is current now."""
        if key not in self.keys:
            self.keys.insert(self._place, key)
        self._place = self.keys.index(key)

    def renew(self, keys: Sequence[str]) -> None:
        """These wait now, in this order; the current one stays, and those answered stay before it."""
        here = self.current
        answered = [key for key in self.keys if key not in self._waits and key != here and key not in set(keys)]
        coming = [key for key in keys if key != here]
        self.keys = [*answered, *([here] if here is not None else []), *coming]
        self._waits = set(coming) | ({here} & self._waits if here is not None else set())
        self._place = len(answered)

    def remove(self, key: str) -> None:
        """The pair is gone."""
        place = self.keys.index(key)
        del self.keys[place]
        self._waits.discard(key)
        if place < self._place:
            self._place -= 1

    def _following(self) -> Iterable[str]:
        """Those that wait, from behind the current one around to it."""
        around = self.keys[self._place + 1 :] + self.keys[: self._place]
        return (key for key in around if key in self._waits)


class PairReader(QObject):
    """Reads pairs in the background and remembers them."""

    done = Signal(object, object)  # the keys that were asked for, and the ReviewItems found
    failed = Signal(object)  # the exception

    def __init__(self, context: ProjectContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.items: dict[str, ReviewItem] = {}
        self._reading: set[str] = set()
        self._runs: dict[JobRun, tuple[int, list[str]]] = {}  # with the generation, and the keys asked for
        self._generation = 0  # what was asked for in an earlier one is out of date when it comes

    def start(self, items: Iterable[ReviewItem]) -> None:
        """Forget everything but these."""
        self.forget(None)
        self.items = {item.pair.key: item for item in items}

    def forget(self, keys: Iterable[str] | None) -> None:
        """What is known of these pairs (None: of all), and all that is being read, may be out of date."""
        if keys is None:
            self.items.clear()
        else:
            for key in keys:
                self.items.pop(key, None)
        self._generation += 1
        self._reading.clear()

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Those of `keys` that are neither known nor being read."""
        return [key for key in keys if key not in self.items and key not in self._reading]

    def read(self, keys: list[str]) -> None:
        self._reading.update(keys)
        run = self._context.runner.read(rounds.items(self._context.project, keys, self._context.annotator))
        self._runs[run] = self._generation, keys
        run.done.connect(self._on_read)
        run.failed.connect(self._on_failed)

    @Slot(object)
    def _on_read(self, items: list[ReviewItem]) -> None:
        generation, keys = self._runs.pop(cast(JobRun, self.sender()))
        if generation != self._generation:
            return
        self._reading.difference_update(keys)
        while len(self.items) > _KEPT:
            self.items.pop(next(iter(self.items)))
        self.items.update({item.pair.key: item for item in items})
        self.done.emit(keys, items)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        del self._runs[cast(JobRun, self.sender())]
        self._reading.clear()
        self.failed.emit(error)
