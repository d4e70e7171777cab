"""The file that a project's propositions are kept in, beside its models, so that no paper is parsed twice.

Each line is the JSON of a paper: its MD5, the digest of its text, and its propositions with the numbers of their
sentences. A line counts only for a paper with the same text. The file is appended to as papers are parsed, so that a
killed run continues where it stopped. It may be untrusted; a line in another form is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple

from desktop.jobs.models.registry import models_folder
from desktop.jobs.writing import writing
from desktop.translation import tr
from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.lab.probes.propositions import Proposition, is_term
from storage.project import Project

_MAX_LINE = 20_000_000  # characters
_MAX_SENTENCE = 10_000_000


class PaperPropositions(NamedTuple):
    """The propositions of a paper, with the numbers of their sentences, from 0."""

    paper: str
    digest: str
    said: tuple[tuple[int, Proposition], ...]


class KeptPropositions:
    """The propositions that one parser found. digests: of the texts of the requested papers, by MD5."""

    def __init__(self, project: Project, parser: str, digests: Mapping[str, str]) -> None:
        name = blake2b(parser.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        self.path = models_folder(project) / "propositions" / f"{name}.jsonl"
        self._digests = digests

    def read(self) -> Iterator[PaperPropositions]:
        """The kept propositions of each paper whose text is unchanged, each paper once."""
        seen = set()
        for one in self._lines():
            if self._digests.get(one.paper) == one.digest and one.paper not in seen:
                seen.add(one.paper)
                yield one

    def add(self, papers: Sequence[PaperPropositions]) -> None:
        """Append these to the file; `UserError` where it cannot be written."""
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write("".join(f"\n{_line(one)}" for one in papers))  # the line before may have been cut off

    def forget(self, present: Mapping[str, str]) -> None:
        """Write the file anew, without papers that the project does not have with this text.

        present: text digests by MD5.
        """
        with suppress(OSError), atomic_file(self.path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            for one in self._lines():  # where it cannot be written, the old lines stay and do no harm
                if present.get(one.paper) == one.digest:
                    file.write(f"{_line(one)}\n")

    def is_mostly_old(self, present: Mapping[str, str]) -> bool:
        """Whether most lines are of papers that the project does not have with this text."""
        lines = [present.get(one.paper) == one.digest for one in self._lines()]
        return 2 * sum(lines) < len(lines)

    def _lines(self) -> Iterator[PaperPropositions]:
        try:
            with self.path.open(encoding="utf-8", errors="replace") as file:
                while line := file.readline(_MAX_LINE):
                    if (found := _read(line)) is not None:
                        yield found
        except FileNotFoundError:
            return
        except OSError as exc:
            raise UserError(
                tr("{path} cannot be read: {strerror}.", path=self.path, strerror=exc.strerror),
                hint=tr("It may be deleted."),
            ) from exc


def _line(one: PaperPropositions) -> str:
    said = [[number, *proposition] for number, proposition in one.said]
    return json.dumps({"paper": one.paper, "digest": one.digest, "said": said}, ensure_ascii=True)


def _read(line: str) -> PaperPropositions | None:
    try:
        row = json.loads(line)
        paper, digest = row["paper"], row["digest"]
        said = tuple((number, Proposition(*terms)) for number, *terms in row["said"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    fits = isinstance(paper, str) and isinstance(digest, str)
    fits = fits and all(type(number) is int and 0 <= number < _MAX_SENTENCE for number, _ in said)
    return (
        PaperPropositions(paper, digest, said)
        if fits and all(is_term(term) for _, one in said for term in one)
        else None
    )
