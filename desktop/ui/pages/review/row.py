"""The pairs to review, in the order in which they come, and which of them is on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Row:
    """Keys in a row; some of them wait, and one is the current one."""

    def __init__(self, keys: Sequence[str] = (), waiting: Iterable[str] = ()) -> None:
        self._waiting = list(waiting)
        waits = set(self._waiting)
        self.keys = [key for key in keys if key not in waits] + self._waiting
        self._waits = waits
        self._place = len(self.keys) - len(self._waiting)

    @classmethod
    def of_all(cls, keys: Sequence[str]) -> Row:
        """All of them to be looked at, whether answered or not, from the first."""
        row = cls(keys, ())
        row._waits = set(keys)
        row._place = 0
        return row

    @property
    def current(self) -> str | None:
        return self.keys[self._place] if self._place < len(self.keys) else None

    @property
    def place(self) -> int:
        """Of the current one, from 1."""
        return self._place + 1

    @property
    def looks_elsewhere(self) -> bool:
        """Whether the current one is not the first that waits: somebody went back, or ahead."""
        return self.current is not None and next((key for key in self.keys if key in self._waits), None) != self.current

    @property
    def waiting(self) -> int:
        return len(self._waits)

    def among(self, keys: Sequence[str]) -> list[str]:
        """Those of `keys` that are in the row."""
        here = set(self.keys)
        return [key for key in keys if key in here]

    def waits(self, key: str) -> bool:
        return key in self._waits

    def ahead(self, count: int) -> list[str]:
        """The current key and those that come after it."""
        keys = [key for key in (self.current, *self._following()) if key is not None]
        return list(dict.fromkeys(keys))[:count]

    def settle(self, key: str) -> None:
        """The key waits no more."""
        self._waits.discard(key)

    def unsettle(self, key: str) -> None:
        """The key waits again."""
        if key in self.keys:
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
        """Make the key the current one; one that is not in the row comes before what is current now."""
        if key not in self.keys:
            self.keys.insert(self._place, key)
        self._place = self.keys.index(key)

    def renew(self, keys: Sequence[str]) -> None:
        """These wait now, in this order; the current one stays, and those settled stay before it."""
        here = self.current
        settled = [key for key in self.keys if key not in self._waits and key != here and key not in set(keys)]
        coming = [key for key in keys if key != here]
        self.keys = [*settled, *([here] if here is not None else []), *coming]
        self._waits = set(coming) | ({here} & self._waits if here is not None else set())
        self._place = len(settled)

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
