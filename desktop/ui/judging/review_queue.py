"""The pairs to review: their order, the current one, and the next ones read in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.review import rounds
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.progress import Job
from storage.annotation.rounds import ReviewItem
from storage.project import Project

_CACHE_SIZE = 200  # pairs

LoadItems = Callable[[Project, Sequence[str], str], Job[Any]]
"""Given pairs' keys and an annotator, gives the list of their ReviewItems."""


class ReviewQueue:
    """The keys of pairs, in order. Some of them wait for an answer; one of them is current."""

    def __init__(self, keys: Sequence[str] = (), waiting: Iterable[str] = ()) -> None:
        """`waiting` keys come last, in their own order; the first of them is current."""
        in_order = list(waiting)
        self._waiting = set(in_order)
        self.keys = [key for key in keys if key not in self._waiting] + in_order
        self._position = len(self.keys) - len(in_order)
        self.gone: list[str] = []
        """Keys that were removed and may come back."""

    @classmethod
    def of_all(cls, keys: Sequence[str]) -> ReviewQueue:
        """A queue in which all keys wait, answered or not, and the first one is current."""
        queue = cls(keys, ())
        queue._waiting = set(keys)
        queue._position = 0
        return queue

    @property
    def current(self) -> str | None:
        """The current key; None after the last one."""
        return self.keys[self._position] if self._position < len(self.keys) else None

    @property
    def position(self) -> int:
        """The position of the current key, from 1."""
        return self._position + 1

    @property
    def is_browsing(self) -> bool:
        """Whether the current key is not the first that waits: the annotator went back or ahead."""
        first = next((key for key in self.keys if key in self._waiting), None)
        return self.current is not None and self.current != first

    @property
    def waiting_count(self) -> int:
        return len(self._waiting)

    def present(self, keys: Sequence[str]) -> list[str]:
        """The keys, of these, that are in the queue."""
        own_keys = set(self.keys)
        return [key for key in keys if key in own_keys]

    def is_waiting(self, key: str) -> bool:
        return key in self._waiting

    def upcoming(self, count: int) -> list[str]:
        """The first `count` of the current key and those that will follow it."""
        keys = [key for key in (self.current, *self._waiting_after_current()) if key is not None]
        return list(dict.fromkeys(keys))[:count]

    def set_waiting(self, key: str, *, waiting: bool) -> None:
        """Set whether a key waits for an answer; ignored for a key that is not in the queue."""
        if not waiting:
            self._waiting.discard(key)
        elif key in self.keys:
            self._waiting.add(key)

    def advance(self) -> str | None:
        """Go to the next key that waits, after the last one to the first, and return it; None if no key waits."""
        self._position = next((self.keys.index(key) for key in self._waiting_after_current()), len(self.keys))
        return self.current

    def skip(self) -> bool:
        """Move the current key to the end; False, and nothing is moved, if no other key waits."""
        key = self.current
        if key is None:
            return False
        others = self._waiting - {key}
        if not others:
            return False
        self.keys.remove(key)
        self.keys.append(key)
        self._waiting.add(key)
        if self.current not in self._waiting:
            self.advance()
        return True

    def move(self, steps: int) -> bool:
        """Go back or forth without answering; False at either end."""
        position = self._position + steps
        if not 0 <= position < len(self.keys):
            return False
        self._position = position
        return True

    def go_to(self, key: str) -> None:
        """Make a key the current one. A key that is not in the queue is inserted before the current one."""
        if key not in self.keys:
            self.keys.insert(self._position, key)
        self._position = self.keys.index(key)

    def replace_waiting(self, keys: Sequence[str]) -> None:
        """Let these keys wait, in this order. The current key stays, and so do the answered ones before it."""
        current = self.current
        answered = [key for key in self.keys if key not in self._waiting and key != current and key not in set(keys)]
        following = [key for key in keys if key != current]
        self.keys = [*answered, *([current] if current is not None else []), *following]
        self._waiting = set(following) | ({current} & self._waiting if current is not None else set())
        self._position = len(answered)
        self.gone.clear()

    def remove(self, key: str) -> None:
        """Remove a key; if it is the current key, the next one becomes current."""
        if key not in self.gone:
            self.gone.append(key)
        position = self.keys.index(key)
        del self.keys[position]
        self._waiting.discard(key)
        if position < self._position:
            self._position -= 1

    def put_back(self, keys: Sequence[str]) -> None:
        """Add keys that were removed, at the end; the current key stays, also where there is none."""
        self.gone = [key for key in self.gone if key not in keys]
        is_over = self.current is None
        self.keys += [key for key in keys if key not in self.keys]
        if is_over:
            self._position = len(self.keys)

    def _waiting_after_current(self) -> Iterable[str]:
        """The waiting keys after the current one, then the ones before it."""
        others = self.keys[self._position + 1 :] + self.keys[: self._position]
        return (key for key in others if key in self._waiting)


class PairReader(QObject):
    """Reads pairs in the background and caches them in `items`, by key."""

    done = Signal(object, object)  # the requested keys, the ReviewItems of those that exist
    failed = Signal(object)  # the exception

    def __init__(
        self, context: ProjectContext, parent: QObject | None = None, *, load: LoadItems = rounds.load_items
    ) -> None:
        super().__init__(parent)
        self._context, self._load = context, load
        self.items: dict[str, ReviewItem] = {}
        self._keys_in_progress: set[str] = set()
        self._runs: dict[JobRun, tuple[int, list[str]]] = {}  # generation and requested keys
        self._generation = 0  # results of an earlier one are outdated

    def reset(self, items: Iterable[ReviewItem]) -> None:
        """Replace the cache by these items."""
        self.discard(None)
        self.items = {item.pair.key: item for item in items}

    def discard(self, keys: Iterable[str] | None) -> None:
        """Discard these pairs (None: all), and stop reading others, as they may be outdated."""
        if keys is None:
            self.items.clear()
        else:
            for key in keys:
                self.items.pop(key, None)
        self._generation += 1
        self._keys_in_progress.clear()

    def missing(self, keys: Iterable[str]) -> list[str]:
        """The keys, of these, whose pairs are neither cached nor being read."""
        return [key for key in keys if key not in self.items and key not in self._keys_in_progress]

    def read(self, keys: list[str]) -> None:
        self._keys_in_progress.update(keys)
        run = self._context.runner.read(self._load(self._context.project, keys, self._context.annotator))
        self._runs[run] = self._generation, keys
        run.done.connect(self._on_read)
        run.failed.connect(self._on_failed)

    @Slot(object)
    def _on_read(self, items: list[ReviewItem]) -> None:
        generation, keys = self._runs.pop(cast(JobRun, self.sender()))
        if generation != self._generation:
            return
        self._keys_in_progress.difference_update(keys)
        while len(self.items) > _CACHE_SIZE:
            self.items.pop(next(iter(self.items)))
        self.items.update({item.pair.key: item for item in items})
        self.done.emit(keys, items)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        del self._runs[cast(JobRun, self.sender())]
        self._keys_in_progress.clear()
        self.failed.emit(error)
