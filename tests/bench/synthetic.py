"""A made-up project of a million pairs, the same each time, for measuring: `python -m tests.bench.synthetic FILE`.

Straight into SQLite, past the stores: what takes mining minutes is there in half of one. Its shape is that of a big
corpus: thousands of papers, frequent words and phrases frequent, a few hundredths of the pairs answered or marked.
"""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path

from miner.records import NEUTRAL_STRATEGIES, Answer, Label, PairFlag, Strategy
from storage.annotation.answers import gold_label
from storage.integrity.checksums import add_checksums, fill_checksums
from storage.integrity.history_chain import seal_added
from storage.pairs import judgement
from storage.project import Project

PAIRS = 1_000_000
PAPERS = 8_000
ANNOTATORS = ("mk", "ada", "jo")
ANSWERED, FLAGGED, NOTED, BAD = 0.04, 0.006, 0.003, 0.004  # shares of the pairs

_PHRASES = {
    Label.CONTRASTING: ("However", "In contrast", "On the other hand", "Nevertheless", "On the contrary", "Conversely"),
    Label.REASONING: ("Therefore", "Thus", "Hence", "Consequently", "As a result", "As a consequence", "From here"),
    Label.ENTAILMENT: ("In other words", "That is", "Specifically", "In particular", "This means", "More precisely"),
}
_DOMAINS = (
    *("coastal engineering", "immunology", "astronomy", "linguistics", "soil science", "materials", "robotics"),
    *("economics", "botany", "hydrology"),
)
_SECTIONS = ("Abstract", "Introduction", "Materials and methods", "Results", "Discussion", "Conclusion")
_FREQUENT = """
    the of and in to a is that for with are as by on we this from be which at were was an have not can it these
    between or model results data using our based two high also different more than used study method however has both
    its one system analysis temperature effect time large surface energy number field cells water small process values
"""
_SYLLABLES = "ba co di fe ga hy io ka lu me no ol pe qua ri so tri ul vo xa zy tor ment ing tion ous al ic ase ene"
_ROWS_PER_STATEMENT = 20_000

_Row = tuple[object, ...]


def build(path: Path, *, pairs: int = PAIRS, papers: int = PAPERS, seed: int = 1) -> None:
    """Make the project at `path`, which must not exist."""
    draw = random.Random(seed)
    Project.create(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "cache_size = -400000",
            "foreign_keys = OFF",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'pairs' AND sql IS NOT NULL"
        indices = connection.execute(query).fetchall()
        connection.execute("BEGIN")
        for name, _ in indices:
            connection.execute(f"DROP INDEX {name}")
        _add_papers(connection, papers, draw)
        people = _Annotators(draw)
        rows = _pair_rows(pairs, papers, draw, people)
        while batch := list(itertools.islice(rows, _ROWS_PER_STATEMENT)):
            _insert(connection, f"pairs ({_COLUMNS})", batch)
        people.write(connection)
        for _, statement in indices:
            connection.execute(statement)
        connection.execute("INSERT INTO pairs_text (pairs_text) VALUES ('rebuild')")
        add_checksums(connection)
        fill_checksums(connection)
        seal_added(connection)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    with Project.open(path) as project, project.transaction() as stores:  # what follows from the answers
        judged = judgement.find_changed(stores._connection)
        for start in range(0, len(judged), _ROWS_PER_STATEMENT):
            judgement.refresh(stores._connection, judged[start : start + _ROWS_PER_STATEMENT])


def suggest(path: Path, *, share: float = 1.0, seed: int = 1) -> None:
    """Give a share of the project's pairs suggestions, as a model that is right three times of four would."""
    draw = random.Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = -400000")
        connection.execute("BEGIN")
        _insert(connection, "models", [(1, "c" * 32, "bench", "folder", "/models/bench", "{}", None, _at(0), None)])
        run = (1, 1, 1.0, "complete", "cpu", "0.1.0", _at(0), _at(9), 0, False, None)
        _insert(connection, "suggestion_runs", [run])
        pairs = connection.execute("SELECT id, distant_label FROM pairs WHERE current AND status != 'bad' ORDER BY id")
        rows = (_suggestion(id, Label(label), draw) for id, label in pairs.fetchall() if draw.random() < share)
        while batch := list(itertools.islice(rows, _ROWS_PER_STATEMENT)):
            _insert(connection, "suggestions", batch)
        add_checksums(connection)
        fill_checksums(connection)
        connection.execute("COMMIT")


def _suggestion(pair: int, distant: Label, draw: random.Random) -> _Row:
    label = distant if draw.random() < 0.75 else draw.choice(list(Label))
    confidence = draw.randint(2600, 9999)
    others = [(10_000 - confidence) // 3] * 4
    others[list(Label).index(label)] = confidence
    of_distant = others[list(Label).index(distant)]
    known = draw.random() < 0.9  # the model saw the others
    doubt = 10_000 - of_distant if known else None
    return (pair, 1, list(Label).index(label), confidence, *others, doubt, 0 if known else None, None)


def project_at(path: Path) -> Path:
    """The project at `path`, made when it is not there yet or its schema is not today's."""
    if path.exists() and _schema(path) == _schema_of_today(path.parent):
        return path
    for name in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        name.unlink(missing_ok=True)
    build(path)
    return path


def _schema_of_today(folder: Path) -> list[_Row]:
    with tempfile.TemporaryDirectory(dir=folder) as name:
        empty = Path(name, "empty.pairwright")
        Project.create(empty).close()
        return _schema(empty)


def _schema(path: Path) -> list[_Row]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[_Row]) -> None:
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _hex(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _add_papers(connection: sqlite3.Connection, papers: int, draw: random.Random) -> None:
    words = _vocabulary()
    md5s = sorted(_hex(f"paper {number}") for number in range(papers))
    rows: list[_Row] = []
    columns = (
        "id, md5, sha256, kind, title, authors, year, doi, domain, pages, parser, parser_version, splitter, digest"
    )
    for number, md5 in enumerate(md5s, start=1):
        title = " ".join(draw.choices(words, k=draw.randint(4, 12))).capitalize()
        authors = json.dumps([f"{_word(draw).title()} {_word(draw).title()}" for _ in range(draw.randint(1, 5))])
        year = 2026 - int(36 * draw.random() ** 2) if draw.random() > 0.02 else None
        domain = _DOMAINS[int(len(_DOMAINS) * draw.random() ** 1.5)]
        pages, parser = draw.randint(4, 40), draw.choice(("embedded", "embedded", "grobid"))
        fixed = (f"10.1000/{md5[:8]}", domain, pages, parser, "0.8.0", "punkt-1", md5, "[]")
        rows.append((number, md5, md5 * 2, "pdf", title, authors, year, *fixed))
    _insert(connection, f"papers ({columns}, edited)", rows)
    _insert(
        connection,
        "files (path, line, md5, sha256, paper_id)",
        [(f"/papers/{md5[:12]}.pdf", 0, md5, md5 * 2, number) for number, md5 in enumerate(md5s, start=1)],
    )
    sections = [(n, ordinal, title, "body") for n in range(1, papers + 1) for ordinal, title in enumerate(_SECTIONS)]
    _insert(connection, "sections", sections)
    _insert(connection, "mining_runs", [(1, "bench", "{}", "0.1.0", "en_core_web_sm", "done", md5s[-1], None, None)])


_COLUMNS = """
    key, paper_id, run, current, ordinal, premise, hypothesis, hypothesis_original, strategy, distant_label, phrase,
    premise_section, premise_paragraph, premise_sentence, hypothesis_section, hypothesis_paragraph,
    hypothesis_sentence, page, flags, premise_hash, hypothesis_hash, split, own_split, status, gold, contested,
    flagged, noted, premise_words, hypothesis_words, overlap
"""


def _pair_rows(pairs: int, papers: int, draw: random.Random, people: _Annotators) -> Iterator[_Row]:
    """Rows of `_COLUMNS`, paper by paper, the linked pairs first."""
    words = _vocabulary()
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    phrases = [(label, phrase) for label, names in _PHRASES.items() for phrase in names]
    often = list(itertools.accumulate(1 / (rank + 1) for rank in range(len(phrases))))
    draw.shuffle(phrases)
    ends = [*sorted(draw.sample(range(1, pairs), papers - 1)), pairs]
    number = 0
    for paper, end in enumerate(ends, start=1):
        split = draw.choices(("train", "dev", "test"), (8, 1, 1))[0] if paper % 4 else None
        size = end - number
        for ordinal in range(size):
            number += 1
            lengths = [
                8 + min(72, int(draw.expovariate(1 / 14))) for _ in range(2)
            ]  # no pair is taller than the window
            premise, hypothesis = (" ".join(draw.choices(words, cum_weights=weights, k=k)) + "." for k in lengths)
            premise = premise.capitalize()
            if ordinal * 10 < size * 6:
                strategy: Strategy = Strategy.LINKED
                label, phrase = draw.choices(phrases, cum_weights=often)[0]
                original = f"{phrase}, {hypothesis}"
            else:
                strategy, label, phrase = draw.choice(NEUTRAL_STRATEGIES), Label.NEUTRAL, None
                original = hypothesis.capitalize()
            flags = [flag for flag, share in _FLAGS if draw.random() < share]
            key = _hex(f"pair {number}")
            section = 1 + 5 * ordinal // size
            place = (section, ordinal % 9, 3, section, ordinal % 9, 4, 1 + ordinal * 12 // size)
            hashes = (draw.getrandbits(63), draw.getrandbits(63))
            yield (
                *(key, paper, 1, True, ordinal, premise, hypothesis, original, strategy, label, phrase),
                *(*place, json.dumps(flags), *hashes, split, split, *people.judge(key, label), *lengths),
                int(100 * draw.random() ** 2),
            )


_FLAGS = ((PairFlag.CROSSES_PARAGRAPH, 0.08), (PairFlag.PREMISE_HAS_PHRASE, 0.05), (PairFlag.NO_COMMA, 0.2))


class _Annotators:
    """What annotators did: the rows of their histories, each pair's state as `annotation.status` would find it."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._answers: list[_Row] = []
        self._marks: list[_Row] = []

    def judge(self, key: str, distant: Label) -> _Row:
        """status, gold, contested, flagged and noted of a pair."""
        draw = self._draw
        given: list[Answer] = []
        if draw.random() < ANSWERED:
            for annotator in ANNOTATORS[: draw.choice((1, 1, 1, 2, 3))]:
                given.append(Answer(distant) if draw.random() < 0.75 else draw.choice(list(Answer)))
                self._answers.append((key, annotator, _at(len(self._answers)), "{}", given[-1]))
        marks = [kind for kind, share in (("flag", FLAGGED), ("note", NOTED), ("bad", BAD)) if draw.random() < share]
        for kind in marks:
            text = {"flag": "1", "note": "Look at this again.", "bad": "broken sentence"}[kind]
            self._marks.append((key, draw.choice(ANNOTATORS), _at(len(self._marks)), kind, text))
        gold = gold_label(given)
        status = "bad" if "bad" in marks else "open" if not given else "settled" if gold else "unsettled"
        return status, gold, len(set(given)) > 1, "flag" in marks, "note" in marks

    def write(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "INSERT INTO actions (id, at, annotator, title, state) VALUES (1, ?, 'mk', 'Made', 'done')",
            (_at(0),),
        )
        _insert(connection, "label_events (pair_key, annotator, at, seen, new)", self._answers)
        _insert(connection, "mark_events (pair_key, annotator, at, kind, new)", self._marks)


def _at(number: int) -> str:
    return (datetime(2026, 1, 5, 9, tzinfo=UTC) + timedelta(minutes=number)).isoformat()


def _vocabulary() -> list[str]:
    """Frequent words first."""
    generator = random.Random(7)
    return list(dict.fromkeys([*_FREQUENT.split(), *(_word(generator) for _ in range(30_000))]))


def _word(draw: random.Random) -> str:
    return "".join(draw.choices(_SYLLABLES.split(), k=draw.randint(2, 4)))


if __name__ == "__main__":
    started = time.perf_counter()
    project_at(Path(sys.argv[1]))
    print(f"{PAIRS:,} pairs in {time.perf_counter() - started:.0f} s")
