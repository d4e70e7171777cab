"""What a disk may hold after a power cut, given the calls that came before it.

Written content is certain once its file was flushed. What was written since may be there or not, in any order, and
torn into sectors of 512 bytes; a file that grew may have zeros there. Names are certain once their folder was flushed.

- On the strict disk each change of a name since may be there or not, whatever came before or after it, and a file that
  was flushed may have no name. A renaming within a folder happens or not; between folders it may do so by halves.
- On ext4 (data=ordered) names change in order, and flushing anything makes certain all names so far; what was added to
  the end of a file is there up to some place, never as zeros. What was overwritten may be there or not, in any order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath

from tests.torture.recording import Create, Delete, Event, Flush, Link, MakeFolder, Rename, Resize, Said, Write

_SECTOR, _PAGE = 512, 4096


class Model(StrEnum):
    STRICT = "strict"
    EXT4 = "ext4"


class Loss(StrEnum):
    """What of the unflushed content is gone."""

    NOTHING = "nothing"
    ALL = "everything"
    CALLS = "calls"
    PAGES = "pages"
    SECTORS = "sectors"


@dataclass
class _File:
    """content: what is certain. pending: what was done since, in order: bytes at a place, or a size."""

    content: bytes = b""
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)


_FOLDER = _File()
_Change = dict[str, _File | None]  # what names mean from now on; None: nothing


class Disk:
    """The disk at the moment after some events; begins with files that are certain."""

    def __init__(self, files: dict[str, bytes | None], model: Model) -> None:
        """files: content by path, None for a folder; the first is the folder of all others."""
        self._root = next(iter(files))
        self._model = model
        self._certain: dict[str, _File] = {
            path: _FOLDER if content is None else _File(content) for path, content in files.items()
        }
        self._now = dict(self._certain)
        self._pending: list[_Change] = []

    def apply(self, event: Event) -> None:
        match event:
            case Write(path, offset, content):
                self._now[path].pending.append((offset, content))
            case Resize(path, size):
                self._now[path].pending.append((size, None))
            case Create(path):
                self._change({path: _File()})
            case MakeFolder(path):
                self._change({path: _FOLDER})
            case Delete(path):
                self._change({path: None})
            case Link(path, to):
                self._change({to: self._now[path]})
            case Rename(path, to):
                self._change({to: self._now[path], path: None})
            case Flush(path):
                self._flush(path)
            case Said():
                pass

    def _change(self, change: _Change) -> None:
        self._pending.append(change)
        _apply(self._now, change)

    def _flush(self, path: str) -> None:
        file = self._now.get(path, _FOLDER)
        if file is not _FOLDER:
            file.content = _replayed(file.content, file.pending)
            file.pending.clear()
        if self._model is Model.EXT4:
            for change in self._pending:
                _apply(self._certain, change)
            self._pending.clear()
        elif file is _FOLDER:
            for change in self._pending:
                here = {name: what for name, what in change.items() if _folder_of(name) == path}
                _apply(self._certain, here)
                for name in here:
                    del change[name]
            self._pending = [change for change in self._pending if change]

    def after_cut(self, loss: Loss, names: float, draw: random.Random) -> dict[str, bytes | None]:
        """What may be on the disk if the power is cut now: content by path, None for a folder.

        names: the share of the unflushed changes of names that are there, from 0 to 1.
        """
        found = dict(self._certain)
        for change in self._kept_changes(names, draw):
            _apply(found, change)
        contents: dict[int, bytes] = {}
        state: dict[str, bytes | None] = {}
        for path, file in sorted(found.items()):
            if path != self._root and state.get(_folder_of(path), b"") is not None:
                continue  # its folder is not there
            if file is not _FOLDER and id(file) not in contents:
                contents[id(file)] = self._content(file, loss, draw)
            state[path] = None if file is _FOLDER else contents[id(file)]
        return state

    def _kept_changes(self, share: float, draw: random.Random) -> Iterable[_Change]:
        if self._model is Model.EXT4:
            return self._pending[: round(share * len(self._pending))]
        kept: list[_Change] = []
        for change in self._pending:
            folders = sorted({_folder_of(name) for name in change})
            there = {folder for folder in folders if draw.random() < share}
            kept.append({name: what for name, what in change.items() if _folder_of(name) in there})
        return kept

    def _content(self, file: _File, loss: Loss, draw: random.Random) -> bytes:
        done: Sequence[tuple[int, bytes | None]] = file.pending
        if loss is Loss.ALL:
            return file.content
        if loss is Loss.NOTHING:
            return _replayed(file.content, done)
        size = {Loss.PAGES: _PAGE, Loss.SECTORS: _SECTOR}.get(loss, 0)
        parts = [part for place, what in done for part in _torn(place, what, size)]
        share = draw.random()
        kept = [part for part in parts if draw.random() < share]
        if self._model is Model.EXT4:
            end = draw.randint(len(file.content), max(len(file.content), len(_replayed(file.content, done))))
            kept = [part for part in parts if part in kept or (part[1] is not None and part[0] >= len(file.content))]
            return _replayed(file.content, kept)[:end]
        return _replayed(file.content, kept)


def _apply(names: dict[str, _File], change: _Change) -> None:
    for name, file in change.items():
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file


def _folder_of(path: str) -> str:
    return str(PurePosixPath(path).parent)


def _torn(place: int, content: bytes | None, size: int) -> list[tuple[int, bytes | None]]:
    """A call as parts of at most `size` bytes that end at multiples of it; 0: as a whole."""
    if content is None or not size:
        return [(place, content)]
    ends = [*range(place // size * size + size, place + len(content), size), place + len(content)]
    starts = [place, *ends[:-1]]
    return [(start, content[start - place : end - place]) for start, end in zip(starts, ends, strict=True)]


def _replayed(content: bytes, done: Iterable[tuple[int, bytes | None]]) -> bytes:
    result = bytearray(content)
    for place, what in done:
        if what is None:
            del result[place:]
            result.extend(bytes(place - len(result)))
        else:
            result.extend(bytes(max(0, place - len(result))))
            result[place : place + len(what)] = what
    return bytes(result)
