"""Imports the labelled pairs of a data set file, each pair once, with all its other columns."""

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

from miner.kinds.questionnaire import PairKinds
from miner.mining.identity import pair_key
from miner.mining.pair_values import casefold_sentences, pair_values
from miner.parsing.files import unreadable_error
from miner.paths import check_ordinary
from miner.progress import Progress
from miner.records import Answer, Label, Pair, PaperPosition
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource
from storage.annotation.imported_kinds import counted_kinds, import_kinds
from storage.exchange.known_pairs import KnownPair, find_known_pairs, mined_texts
from storage.exchange.labelled_files import read_labelled_rows
from storage.exchange.labelled_rows import BadRow, LabelledRow, SourcePaper
from storage.exchange.prediction_import import PredictionImporter
from storage.pairs import paper_splits
from storage.pairs.mended_texts import SentenceField
from storage.pairs.store import insert_pairs
from storage.papers.metadata import PAPERS
from storage.project import Project
from storage.schema import DATA_SET
from storage.stores import Stores

LISTED = 100  # bad rows and label conflicts that are listed; the others are only counted
_BATCH_ROWS = 5000  # rows of a transaction
_CHUNK_BYTES = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_ANSWER_CONTEXT = AnswerContext(origin="data set")

Rows = Iterable[tuple[int, LabelledRow | BadRow]]


class LabelConflict(NamedTuple):
    """A row with another label (`here`) than the project has for the pair (`there`), which the project keeps."""

    line: int
    key: str
    here: str
    there: str


class ImportRemark(NamedTuple):
    """Why values could not be imported unchanged: in how many rows, and the first line."""

    text: str
    rows: int
    line: int


@dataclass(slots=True)
class ImportedPairs:
    """The result of an import. Rows of the file = `new` + `known` + `duplicates` + `bad`.

    known: the project has this pair. duplicates: another pair, of this file or the project, has the same sentences.
    conflicts, other_split, moved: known and duplicate rows of which the project keeps another label, keeps another
    split, or takes the split of the file.
    unlabelled, answered: new pairs without a label, and with answers. answers: how many answers the new pairs have.
    with_kinds: new pairs with answers about kinds of reasoning.
    elsewhere: pairs of the file that the project's split has in another split than the file says.
    bad_rows, conflict_rows: the first ones. reasons: of all bad rows. remarks: by their text.
    predictions: how many pairs have somebody's prediction, by the name of the column.
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
    with_kinds: int = 0
    elsewhere: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    conflict_rows: list[LabelConflict] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    remarks: dict[str, ImportRemark] = field(default_factory=dict)
    predictions: dict[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return self.new + self.known + self.duplicates + self.bad

    def remark(self, line: int, texts: Iterable[str]) -> None:
        for text in texts:
            before = self.remarks.get(text, ImportRemark(text, 0, line))
            self.remarks[text] = before._replace(rows=before.rows + 1)

    def add_bad(self, row: BadRow) -> None:
        self.bad += 1
        self.bad_rows += [row] if len(self.bad_rows) < LISTED else []
        self.reasons[row.reason if row.reason in self.reasons or len(self.reasons) < LISTED else "other reasons"] += 1


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
    """Import the file's pairs, with their labels, answers, predictions, and everything else that it says of them.

    They belong to stand-in papers, one for each paper and domain that the rows name; `domain` is for rows without one.
    The same content again adds nothing, so an interrupted import is completed by the same call. A pair that the project
    has stays as it is, except that its split changes if the file puts it into a more protected one: test before dev,
    dev before train. `rows`: the rows of the file, if another process reads it. Raises `UserError` if the file cannot
    be read or lacks columns.
    """
    result = ImportedPairs(path)
    source = read_labelled_rows(path, domain=domain, numbers=numbers) if rows is None else iter(rows)
    batch = list(itertools.islice(source, _BATCH_ROWS))  # raises for other files, before all of the file is read
    digest = content_digest(path, progress)
    new_keys: set[str] = set()
    predictions = PredictionImporter(path.name, digest)
    done = 0
    while batch:
        good_rows: list[tuple[int, LabelledRow]] = []
        for line, row in batch:
            if isinstance(row, LabelledRow):
                good_rows.append((line, row))
                continue
            result.add_bad(row)
        with project.transaction(bulk=True) as stores:
            _BatchImporter(stores, digest, result, new_keys).store(good_rows, at)
            predictions.store(stores, good_rows, at, result.remark)
        done += len(batch)
        progress.tick(done, None, path.name)
        batch = list(itertools.islice(source, _BATCH_ROWS))
    with project.transaction() as stores:
        stores.files.add_data_set(path, digest)
        paper_splits.refresh_all(stores._connection)
        result.elsewhere = paper_splits.count_elsewhere(stores._connection, digest)
        if not result.new:  # else its predictions are removed with its papers
            predictions.note(stores, at)
    result.predictions = predictions.counts
    return result


def content_digest(path: Path, progress: Progress) -> str:
    """SHA-256 of the file's uncompressed content, as far as it can be decompressed."""
    digest = hashlib.sha256()
    try:
        check_ordinary(path)
        with path.open("rb") as file:
            zipped = file.read(2) == _GZIP_MAGIC
            file.seek(0)
            with gzip.open(file) if zipped else file as content:
                for chunk in _chunks(cast(BinaryIO, content)):
                    digest.update(chunk)
                    progress.tick(0, None, path.name)
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    return digest.hexdigest()


def _chunks(content: BinaryIO) -> Iterator[bytes]:
    try:
        while chunk := content.read(_CHUNK_BYTES):
            yield chunk
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return


class _BatchImporter:
    """Imports the rows of a transaction and counts them in `result`. new_keys: of the pairs that the file has added."""

    def __init__(self, stores: Stores, digest: str, result: ImportedPairs, new_keys: set[str]) -> None:
        self._stores = stores
        self._connection: Connection = stores._connection
        self._digest = digest
        self._result = result
        self._new_keys = new_keys
        self._papers: dict[tuple[SourcePaper, str], int] = {}
        self._moved: dict[str, str] = {}  # the new split by the key of a stored pair

    def store(self, rows: Sequence[tuple[int, LabelledRow]], at: datetime) -> None:
        rows_with_values = [(line, row, self._values(line, row)) for line, row in rows]
        by_key, by_text = find_known_pairs(self._connection, [(row, values) for _, row, values in rows_with_values])
        new: dict[str, dict[str, Any]] = {}
        answers: list[tuple[str, int, Answer, AnswerSource]] = []
        other_answers: dict[str, tuple[int, list[Answer]]] = {}
        kinds: dict[str, tuple[PairKinds, ...]] = {}
        other_kinds: dict[str, tuple[int, tuple[PairKinds, ...]]] = {}
        mended: list[tuple[str, SentenceField, str, str]] = []
        for line, row, values in rows_with_values:
            key, texts = values["key"], casefold_sentences(row.premise, row.hypothesis)
            self._result.remark(line, row.remarks)
            if stored := by_key.get(key) or by_text.get(texts) or by_text.get(mined_texts(row)):
                self._compare_texts(line, row, stored)
                is_known = key == stored.key and key not in self._new_keys
                self._result.known += is_known
                self._result.duplicates += not is_known
                self._compare_label(line, row, stored)
                self._update_split(row, stored, new)
                if row.answers:
                    other_answers[stored.key] = line, sorted(row.answers)
                if row.kinds and stored.key not in kinds:
                    other_kinds[stored.key] = line, row.kinds
                continue
            new[key] = values | {"paper_id": self._paper_id(row)}
            self._new_keys.add(key)
            label = row.final_label and row.final_label.value
            distant = row.label and row.label.value
            pair = KnownPair(key, label, distant, row.split, texts=texts if mined_texts(row) != texts else None)
            by_text[texts] = by_key[key] = by_text[mined_texts(row)] = pair
            mended += _mended_sentences(key, row)
            given = [(answer, AnswerSource.ANSWER) for answer in row.answers]
            given += [(row.accepted, AnswerSource.ACCEPTED)] if row.accepted else []
            answers += [(key, number, answer, source) for number, (answer, source) in enumerate(given, start=1)]
            kinds |= {key: row.kinds} if row.kinds else {}
            self._result.answered += bool(given)
            self._result.answers += len(given)
            self._result.unlabelled += not (given or row.label)
        self._stores.texts.import_texts(mended, at)
        insert_pairs(self._connection, list(new.values()))
        for key, split in self._moved.items():
            self._connection.exec_driver_sql("UPDATE pairs SET own_split = ? WHERE key = ?", (split, key))
        self._stores.answers.import_answers(answers, at, seen=_ANSWER_CONTEXT)
        import_kinds(self._connection, kinds, at)
        self._result.with_kinds += len(kinds)
        self._result.new += len(new)
        self._compare_kinds(other_kinds)
        self._compare_answers(other_answers)

    def _paper(self, row: LabelledRow) -> SourcePaper:
        return row.paper or SourcePaper(self._digest[:32], self._digest, "", None, None, "import", "1")

    def _paper_id(self, row: LabelledRow) -> int:
        """The id of the stand-in paper, which is inserted when the first pair needs it."""
        known = self._paper(row), row.domain
        if known not in self._papers:
            self._papers[known] = _insert_stand_in(self._connection, *known, self._digest)
        return self._papers[known]

    def _values(self, line: int, row: LabelledRow) -> dict[str, Any]:
        """The columns of a row's pair as it was mined, without the paper's id."""
        premise = row.mined_premise or row.premise
        key = pair_key(self._paper(row).md5, premise, row.hypothesis_original, row.strategy)
        place = PaperPosition(0, 0, line)
        pair = Pair(
            key=key,
            premise=premise,
            hypothesis=row.mined_hypothesis or row.hypothesis,
            hypothesis_original=row.hypothesis_original,
            strategy=row.strategy,
            distant_label=row.label,
            phrase=row.phrase,
            premise_at=place,
            hypothesis_at=place,
            page=row.page,
            flags=row.flags,
        )
        return pair_values(pair) | {
            "run": None,
            "current": True,
            "ordinal": line,
            "own_split": row.split,
            "source_id": None if row.source_id == key else row.source_id,
            "source_label": row.source_label,
            "source": row.source or None,
        }

    def _compare_texts(self, line: int, row: LabelledRow, stored: KnownPair) -> None:
        texts = casefold_sentences(row.premise, row.hypothesis)
        is_mended = stored.texts is not None or mined_texts(row) != texts
        if is_mended and texts != (stored.texts or mined_texts(row)):
            self._result.remark(line, ["the project has another text of this pair; that of this file is not imported"])

    def _compare_label(self, line: int, row: LabelledRow, stored: KnownPair) -> None:
        here = row.final_label or row.label
        if here and (stored.label or stored.distant) and here not in (stored.label, stored.distant):
            self._result.conflicts += 1
            if len(self._result.conflict_rows) < LISTED:
                known = stored.label or stored.distant or ""
                self._result.conflict_rows.append(LabelConflict(line, stored.key, here.value, known))

    def _update_split(self, row: LabelledRow, stored: KnownPair, new: dict[str, dict[str, Any]]) -> None:
        """A pair is held out if any file holds it out; otherwise a mined pair follows its paper."""
        known = new[stored.key]["own_split"] if stored.key in new else self._moved.get(stored.key, stored.split)
        if row.split is None or row.split == known:
            return
        if _RANKS[row.split] <= _RANKS.get(known or "", 0 if stored.imported else _RANKS["train"]):
            self._result.other_split += known is not None
            return
        self._result.moved += 1
        if stored.key in new:
            new[stored.key]["own_split"] = row.split
        else:
            self._moved[stored.key] = row.split

    def _compare_answers(self, given: dict[str, tuple[int, list[Answer]]]) -> None:
        """Remark on stored pairs with other answers than the file. Not imported: whose they are is unknown."""
        if not given:
            return
        rows = self._connection.exec_driver_sql(_ANSWERS_BY_KEY, (json.dumps(list(given)),))
        known = {key: sorted(json.loads(answers)) for key, answers in rows}
        for key, (line, answers) in given.items():
            if known.get(key, []) != answers:
                self._result.remark(
                    line, ["the project has other answers for this pair; those of this file are not imported"]
                )

    def _compare_kinds(self, given: dict[str, tuple[int, tuple[PairKinds, ...]]]) -> None:
        """Remark on stored pairs of which the project knows other kinds than the file. They are not imported."""
        known = counted_kinds(self._connection, list(given)) if given else {}
        for key, (line, kinds) in given.items():
            if sorted(map(_comparable, known.get(key, ()))) != sorted(map(_comparable, kinds)):
                text = "the project has other answers about kinds of this pair; those of this file are not imported"
                self._result.remark(line, [text])


def _comparable(kinds: PairKinds) -> tuple[str, list[str], str]:
    return kinds.relation or "", sorted(kinds.categories), kinds.direction or ""


_RANKS = {"train": 1, "dev": 2, "test": 3}
_ANSWERS_BY_KEY = """
    SELECT pair_key, json_group_array(answer) FROM answers
    WHERE pair_key IN (SELECT value FROM json_each(?)) AND via = 'answer' GROUP BY pair_key
"""


def _mended_sentences(key: str, row: LabelledRow) -> list[tuple[str, SentenceField, str, str]]:
    """(pair key, field, mined text, mended text) of each mended sentence of a row."""
    sentences = (
        (SentenceField.PREMISE, row.mined_premise, row.premise),
        (SentenceField.HYPOTHESIS, row.mined_hypothesis, row.hypothesis),
    )
    return [(key, field, mined, mended) for field, mined, mended in sentences if mined is not None]


def _identity(paper: SourcePaper, domain: str) -> list[Any]:
    """What tells stand-ins apart. Licence and journal only where there is one: earlier versions knew none."""
    return [*paper[:-2], domain, *filter(None, (paper.licence, paper.journal))]


def _insert_stand_in(connection: Connection, paper: SourcePaper, domain: str, digest: str) -> int:
    """The id of the stand-in for a paper that a data set names, or for the whole data set."""
    md5 = blake2b(json.dumps(_identity(paper, domain)).encode(), digest_size=16).hexdigest()
    values = {
        "sha256": paper.sha256,
        "kind": DATA_SET,
        "title": paper.title,  # not the file name: the same rows give the same export
        "authors": "[]",
        "year": paper.year,
        "doi": paper.doi,
        "licence": paper.licence,
        "journal": paper.journal,
        "domain": domain,
        "parser": paper.parser,
        "parser_version": paper.parser_version,
        "splitter": "",
        "digest": digest,
        "edited": "[]",
        "source_md5": paper.md5,
    }
    connection.execute(insert(PAPERS).values(md5=md5, **values).on_conflict_do_nothing(["md5"]))
    return int(connection.execute(select(PAPERS.c.id).where(PAPERS.c.md5 == md5)).scalar_one())
