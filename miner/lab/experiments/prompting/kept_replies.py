"""What a model said, kept in a file as it comes, so that nothing is asked twice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from miner import codec
from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import check_ordinary, write_hint


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply to a pair. text_hash: of the pair, in hexadecimal. scores: of options, by class.

    label: the name of the class that it was read as, "" if it was unreadable; how: how it was read. Both are known at
    the end of a run.
    """

    text_hash: str
    answer: str = ""
    scores: tuple[float, ...] = ()
    label: str = ""
    how: str = ""


class KeptReplies:
    """The replies of a run in a file of JSON lines; replies that a killed run has left are read again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found = {reply.text_hash: reply for reply in read_replies(path)}

    def __contains__(self, text_hash: str) -> bool:
        return text_hash in self._found

    def __getitem__(self, text_hash: str) -> Reply:
        return self._found[text_hash]

    def __len__(self) -> int:
        return len(self._found)

    def add(self, replies: Sequence[Reply]) -> None:
        """Keep these replies, except for pairs that have one; `UserError` where they cannot be written."""
        new: dict[str, Reply] = {}
        for reply in replies:
            if reply.text_hash not in self._found:
                new.setdefault(reply.text_hash, reply)
        self._found |= new
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write("".join(f"\n{_line(reply)}" for reply in new.values()))
        except OSError as exc:
            raise UserError(f"{self._path} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc

    def finish(self, read_as: Mapping[str, tuple[str, str]]) -> None:
        """Write the file anew, in order, with how each answer was read: label and how, by text hash."""
        for text_hash, (label, how) in read_as.items():
            old = self._found[text_hash]
            self._found[text_hash] = Reply(text_hash, old.answer, old.scores, label, how)
        try:
            with atomic_file(self._path) as part:
                lines = "".join(f"{_line(self._found[one])}\n" for one in sorted(self._found))
                part.write_text(lines, encoding="utf-8", newline="\n")
        except OSError as exc:
            raise UserError(f"{self._path} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc


def read_replies(path: Path) -> list[Reply]:
    """The replies of a file; none where there is no file, without lines that are not complete."""
    try:
        check_ordinary(path)
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return []
    except OSError as exc:
        raise UserError(f"{path} cannot be read: {exc.strerror}.") from exc
    found = []
    for line in filter(None, lines):
        try:
            found.append(codec.decode(Reply, line))
        except ValueError:  # its program was killed while it was written
            continue
    return found


def _line(reply: Reply) -> str:
    return json.dumps(codec.to_data(reply), ensure_ascii=True)
