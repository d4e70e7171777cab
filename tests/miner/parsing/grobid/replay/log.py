"""What the replay server saw."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Entry:
    """One full-text request; times in seconds of the monotonic clock."""

    number: int
    arrived: float
    sha256: str = ""
    file_name: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    waited: float = 0.0
    engine_from: float | None = None
    engine_to: float | None = None
    fault: str = ""
    status: int | None = None
    client_gone: bool = False
    answered: bool = False


class Log:
    """Every full-text request in order of arrival, and what they add up to.

    `peak` is the most that waited for an answer at a time, `posts` how often each PDF came. `problems` are faults of
    the test or of the client (a variant never recorded, in strict mode a field missing or wrong): a test with any has
    failed.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.posts: Counter[str] = Counter()
        self.peak = 0
        self.gets: Counter[str] = Counter()
        self.problems: list[str] = []
        self._open = 0
        self._lock = threading.Lock()

    def arrive(self, now: float, headers: Any) -> Entry:
        with self._lock:
            entry = Entry(len(self.entries) + 1, now, headers=dict(headers))
            self.entries.append(entry)
            self._open += 1
            self.peak = max(self.peak, self._open)
            return entry

    def identify(self, entry: Entry, sha256: str) -> None:
        with self._lock:
            entry.sha256 = sha256
            self.posts[sha256] += 1

    def leave(self, entry: Entry) -> None:
        """The answer is about to go out; counted before, as the client may be quicker with its next request."""
        with self._lock:
            self._open -= not entry.answered
            entry.answered = True

    def got(self, path: str) -> None:
        with self._lock:
            self.gets[path] += 1
