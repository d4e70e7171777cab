"""Data sets in: pairs of a file, with all that it says of them, and each pair once."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from miner.mining.identity import pair_key
from miner.parsing.files import unreadable_error
from miner.progress import Progress
from miner.records import Answer, Label, Pair, PaperPosition
from storage import convert
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource
from storage.exchange.import_rows import BadRow, LabelledRow, SourcePaper
from storage.exchange.labelled_files import read_labelled_rows
from storage.pairs.store import insert_pairs
from storage.project import Project, Stores
from storage.schema import DATA_SET, PaperRow

LISTED = 100  # bad rows, and rows whose label is not the project's, that are listed; the others are counted
_TOGETHER = 5000  # rows of one transaction
_PIECE = 1 << 20  # bytes
_GZIP = b"\x1f\x8b"
_SEEN = AnswerContext(origin="data set")

Rows = Iterable[tuple[int, LabelledRow | BadRow]]


class LabelConflict(NamedTuple):
    """A row whose pair the project has with another label, which stays."""

    line: int
    key: str
    here: str
    there: str


class ImportRemark(NamedTuple):
    """What could not be taken as it stands, in so many rows from this line on."""

    text: str
    rows: int
    line: int


@dataclass(slots=True)
class ImportedPairs:
    """Rows of the file = `new` + `known` + `duplicates` + `bad`.

    `known`: the pair was there already; `duplicates`: another pair has the same two sentences, in this file or in the
    project. Of both, `conflicts` have another label there, `other_split` stay in another split, and `moved` are in the
    split that this file says now. `unlabelled` and `answered` are of the new ones; `answers` is how many answers of
    people came with these. The first bad rows and conflicts are listed.
    """

    path: Path
    new: int = 0
    known: int = 0
    duplicates: int = 0
    conflicts: int = 0
    other_split: int = 0
    moved: int = 0
    bad: int = 0
    unlabelled: int = 0
    answered: int = 0
    answers: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    conflict_rows: list[LabelConflict] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)  # of all bad rows
    remarks: dict[str, ImportRemark] = field(default_factory=dict)  # by their text

    @property
    def rows(self) -> int:
        return self.new + self.known + self.duplicates + self.bad

    def add_bad(self, row: BadRow) -> None:
        self.bad += 1
        self.bad_rows += [row] if len(self.bad_rows) < LISTED else []
        self.reasons[row.reason if row.reason in self.reasons or len(self.reasons) < LISTED else "other reasons"] += 1


class _Known(NamedTuple):
    """A pair that is there, its label as an export says it; `imported`, not mined."""

    key: str
    label: str | None
    distant: str | None
    split: str | None
    imported: int = 1


def import_pairs(
    project: Project,
    path: Path,
    *,
    domain: str,
    progress: Progress,
    at: datetime,
    numbers: Sequence[Label] = (),
    rows: Rows | None = None,
) -> ImportedPairs:
    """Take the file's pairs into the project, with their labels, people's answers, and all else that it says of them.

    They belong to one stand-in paper for each paper and domain that the rows name (`domain` where they name none). The
    same content again doubles nothing; after a break the same call completes it. A pair that is there already stays as
    it is; but where files say different splits of it, test goes before dev and dev before train, whichever came first.
    `rows` are those of the file where another process reads it. `UserError` when it cannot be read or lacks
    columns.
    """
    found = ImportedPairs(path)
    source = read_labelled_rows(path, domain=domain, numbers=numbers) if rows is None else iter(rows)
    batch = list(itertools.islice(source, _TOGETHER))  # what is no data set says so before all of it is read
    digest = _digest(path, progress)
    taken: set[str] = set()
    done = 0
    while batch:
        good: list[tuple[int, LabelledRow]] = []
        for line, row in batch:
            if isinstance(row, LabelledRow):
                good.append((line, row))
                continue
            found.add_bad(row)
        with project.transaction(bulk=True) as stores:
            _Batch(stores, digest, found, taken).store(good, at)
        done += len(batch)
        progress.tick(done, None, path.name)
        batch = list(itertools.islice(source, _TOGETHER))
    with project.transaction() as stores:
        stores.files.add_data_set(path, digest)
    return found


def _digest(path: Path, progress: Progress) -> str:
    """SHA-256 of what the file holds, compressed or not; as far as it can be unpacked."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == _GZIP
            file.seek(0)
            with gzip.open(file) if zipped else file as content:
                for piece in _pieces(cast(BinaryIO, content)):
                    digest.update(piece)
                    progress.tick(0, None, path.name)
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    return digest.hexdigest()


def _pieces(content: BinaryIO) -> Iterator[bytes]:
    try:
        while piece := content.read(_PIECE):
            yield piece
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return


class _Batch:
    """Rows of one transaction, and what becomes of them in `found`; `taken` are the keys of the file's new pairs."""

    def __init__(self, stores: Stores, digest: str, found: ImportedPairs, taken: set[str]) -> None:
        self._stores = stores
        self._connection: Connection = stores._connection
        self._digest = digest
        self._found = found
        self._taken = taken
        self._papers: dict[tuple[SourcePaper, str], int] = {}
        self._moved: dict[str, str] = {}  # the split by the key of a pair that was there

    def store(self, rows: Sequence[tuple[int, LabelledRow]], at: datetime) -> None:
        wanted = [(line, row, self._values(line, row)) for line, row in rows]
        by_key, by_text = self._there([values for _, _, values in wanted])
        new: dict[str, dict[str, Any]] = {}
        answers: list[tuple[str, int, Answer, AnswerSource]] = []
        other_answers: dict[str, tuple[int, list[Answer]]] = {}
        for line, row, values in wanted:
            key, texts = values["key"], convert.casefold_sentences(row.premise, row.hypothesis)
            self._remark(line, row.remarks)
            if there := by_key.get(key) or by_text.get(texts):
                is_known = key == there.key and key not in self._taken
                self._found.known += is_known
                self._found.duplicates += not is_known
                self._compare(line, row, there)
                self._settle_split(row, there, new)
                if row.answers:
                    other_answers[there.key] = line, sorted(row.answers)
                continue
            new[key] = values | {"paper_id": self._paper_id(row)}
            self._taken.add(key)
            label = row.settled and row.settled.value
            by_text[texts] = by_key[key] = _Known(key, label, row.label and row.label.value, row.split)
            given = [(answer, AnswerSource.ANSWER) for answer in row.answers]
            given += [(row.accepted, AnswerSource.ACCEPTED)] if row.accepted else []
            answers += [(key, number, answer, source) for number, (answer, source) in enumerate(given, start=1)]
            self._found.answered += bool(given)
            self._found.answers += len(given)
            self._found.unlabelled += not (given or row.label)
        insert_pairs(self._connection, list(new.values()))
        for key, split in self._moved.items():
            self._connection.exec_driver_sql("UPDATE pairs SET split = ? WHERE key = ?", (split, key))
        self._stores.answers.import_answers(answers, at, seen=_SEEN)
        self._found.new += len(new)
        self._compare_answers(other_answers)

    def _paper(self, row: LabelledRow) -> SourcePaper:
        return row.paper or SourcePaper(self._digest[:32], self._digest, "", None, None, "import", "1")

    def _paper_id(self, row: LabelledRow) -> int:
        """Of the stand-in, made when the first pair needs it."""
        known = self._paper(row), row.domain
        if known not in self._papers:
            self._papers[known] = _stand_in(self._connection, *known, self._digest)
        return self._papers[known]

    def _values(self, line: int, row: LabelledRow) -> dict[str, Any]:
        """The columns of a row's pair, but for its paper."""
        key = pair_key(self._paper(row).md5, row.premise, row.hypothesis_original, row.strategy)
        place = PaperPosition(0, 0, line)
        pair = Pair(
            key=key,
            premise=row.premise,
            hypothesis=row.hypothesis,
            hypothesis_original=row.hypothesis_original,
            strategy=row.strategy,
            distant_label=row.label,
            phrase=row.phrase,
            premise_at=place,
            hypothesis_at=place,
            page=row.page,
            flags=row.flags,
        )
        return convert.pair_values(pair) | {
            "run": None,
            "current": True,
            "ordinal": line,
            "split": row.split,
            "source_id": None if row.source_id == key else row.source_id,
            "source_label": row.source_label,
            "source": row.source or None,
        }

    def _there(self, rows: Sequence[dict[str, Any]]) -> tuple[dict[str, _Known], dict[tuple[str, str], _Known]]:
        """The project's pairs with one of the keys, and those with the two sentences of one, as they are exported."""
        keys = json.dumps([row["key"] for row in rows])
        premises = json.dumps(list({row["premise_hash"] for row in rows}))
        by_key = {row.key: _Known(*row) for row in self._connection.exec_driver_sql(_BY_KEY, (keys,))}
        wanted = {convert.casefold_sentences(row["premise"], row["hypothesis"]) for row in rows}
        by_text: dict[tuple[str, str], _Known] = {}
        for premise, hypothesis, *there in self._connection.exec_driver_sql(_BY_PREMISE, (premises,)):
            if (texts := convert.casefold_sentences(premise, hypothesis)) in wanted:
                by_text.setdefault(texts, _Known(*there))
        return by_key, by_text

    def _compare(self, line: int, row: LabelledRow, there: _Known) -> None:
        here = row.settled or row.label
        if here and (there.label or there.distant) and here not in (there.label, there.distant):
            self._found.conflicts += 1
            if len(self._found.conflict_rows) < LISTED:
                known = there.label or there.distant or ""
                self._found.conflict_rows.append(LabelConflict(line, there.key, here.value, known))

    def _settle_split(self, row: LabelledRow, there: _Known, new: dict[str, dict[str, Any]]) -> None:
        """A pair that a file holds out is held out whatever other files say; else a mined one goes with its paper."""
        known = new[there.key]["split"] if there.key in new else self._moved.get(there.key, there.split)
        if row.split is None or row.split == known:
            return
        if _RANKS[row.split] <= _RANKS.get(known or "", 0 if there.imported else _RANKS["train"]):
            self._found.other_split += known is not None
            return
        self._found.moved += 1
        if there.key in new:
            new[there.key]["split"] = row.split
        else:
            self._moved[there.key] = row.split

    def _compare_answers(self, given: dict[str, tuple[int, list[Answer]]]) -> None:
        """Say where a pair that is there has other answers than the file: nobody could tell whose are which."""
        if not given:
            return
        rows = self._connection.exec_driver_sql(_SAID, (json.dumps(list(given)),))
        known = {key: sorted(json.loads(said)) for key, said in rows}
        for key, (line, answers) in given.items():
            if known.get(key, []) != answers:
                self._remark(line, ["the pair is there with other answers of people; those of this file are not taken"])

    def _remark(self, line: int, texts: Iterable[str]) -> None:
        for text in texts:
            before = self._found.remarks.get(text, ImportRemark(text, 0, line))
            self._found.remarks[text] = before._replace(rows=before.rows + 1)


_RANKS = {"train": 1, "dev": 2, "test": 3}
_KNOWN = "pairs.key, pairs.label, pairs.distant_label, pairs.split, pairs.run IS NULL"
_BY_KEY = f"SELECT {_KNOWN} FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.key = wanted.value"
_SAID = """
    SELECT pair_key, json_group_array(answer) FROM answers
    WHERE pair_key IN (SELECT value FROM json_each(?)) AND via = 'answer' GROUP BY pair_key
"""
_BY_PREMISE = f"""
    SELECT premise, hypothesis, {_KNOWN} FROM json_each(?) AS wanted CROSS JOIN pairs ON premise_hash = wanted.value
    WHERE current ORDER BY pairs.id
"""


def _stand_in(connection: Connection, paper: SourcePaper, domain: str, digest: str) -> int:
    """The row of what stands for a paper that a data set names; for all of its papers where it names none."""
    md5 = blake2b(json.dumps([*paper, domain]).encode(), digest_size=16).hexdigest()
    values = {
        "sha256": paper.sha256,
        "kind": DATA_SET,
        "title": paper.title,  # no file's name: the same rows give the same export under any
        "authors": "[]",
        "year": paper.year,
        "doi": paper.doi,
        "domain": domain,
        "parser": paper.parser,
        "parser_version": paper.parser_version,
        "splitter": "",
        "digest": digest,
        "edited": "[]",
        "source_md5": paper.md5,
    }
    connection.execute(insert(PaperRow).values(md5=md5, **values).on_conflict_do_nothing(["md5"]))
    return connection.execute(select(PaperRow.id).where(PaperRow.md5 == md5)).scalar_one()
