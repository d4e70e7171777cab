"""Storing and exporting a million pairs, beside what SQLite itself needs for the same rows."""

from __future__ import annotations

import filecmp
import random
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from miner.parsing.files import FileKind
from miner.progress import Progress
from miner.records import Funnel, Label, MinedPaper, Pair, Paper, PaperPosition, Paragraph, Section, Sentence, Strategy
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange.pair_export import export_pairs
from storage.papers.files import FileSource
from storage.project import Project

PAPERS = 10_000
PAIRS = 100  # of each paper
PAPERS_PER_TRANSACTION = 64  # as in the mining job
_WORDS = [blake2b(str(number).encode(), digest_size=4).hexdigest()[: 2 + number % 7] for number in range(20_000)]
_SHELL_QUERY = """
    SELECT json_object(
        'pairID', key, 'sentence1', premise, 'sentence2', hypothesis, 'label', distant_label,
        'distant_label', distant_label, 'gold_label', gold, 'annotator_labels', json('[]'),
        'accepted_suggestion', json(iif(accepted, 'true', 'false')), 'suggested_label', suggestions.label,
        'suggestion_confidence', suggestions.confidence, 'suggestion_model', suggestions.run, 'strategy', strategy,
        'linking_phrase', phrase, 'sentence2_original', hypothesis_original,
        'edited', json(iif(pairs.edited, 'true', 'false')), 'sentence1_mined', mined_premise,
        'sentence2_mined', mined_hypothesis,
        'crosses_paragraph', json(iif(instr(flags, 'crosses_paragraph'), 'true', 'false')), 'flags', json(flags),
        'domain', domain, 'split', pairs.split,
        'paper_sha256', sha256, 'paper_md5', md5, 'title', papers.title, 'doi', doi,
        'year', year, 'licence', nullif(licence, ''), 'journal', nullif(journal, ''), 'section', sections.title,
        'page', page, 'parser', parser, 'parser_version', parser_version,
        'direction', coalesce(direction, iif(phrase = 'However', 'neither', NULL)),
        'distant_direction', iif(phrase = 'However', 'neither', NULL), 'annotated_direction', direction,
        'kinds', json(coalesce('["' || replace(trim(categories), '  ', '","') || '"]', '[]')),
        'annotator_kinds',
        json(coalesce((SELECT json_group_array(relation) FROM kind_events WHERE pair_key = key), '[]')),
        'tags', json(coalesce((SELECT json_group_array(new) FROM mark_events WHERE pair_key = key), '[]')),
        'mining_run', mining_runs.id, 'source_id', source_id, 'source_label', source_label,
        'source_columns', json(source)
    )
    FROM papers JOIN pairs ON pairs.paper_id = papers.id
    LEFT JOIN sections ON sections.paper_id = pairs.paper_id AND sections.ordinal = premise_section
    LEFT JOIN mining_runs ON mining_runs.number = pairs.run
    LEFT JOIN suggestions ON suggestions.pair = pairs.id AND suggestions.run = 1
    LEFT JOIN pair_kinds ON pair_kinds.pair_key = key
    ORDER BY md5, pairs.ordinal;
"""

Figure = tuple[str, str, str, str, bool | None]


def measure(shared: Path) -> Iterator[Figure]:
    """(figure, measured, goal, peer, met); `shared` is not needed: the pairs are made up, seeded."""
    with tempfile.TemporaryDirectory() as folder:
        ours, raw = Path(folder, "ours.pairwright"), Path(folder, "raw.pairwright")
        seconds = _store(ours)
        raw_seconds = _copy_rows(ours, raw)
        ratio = seconds / raw_seconds
        peer = f"sqlite3.executemany {raw_seconds:.1f} s"
        yield f"storing {PAPERS * PAIRS:,} pairs", f"{seconds:.1f} s, {ratio:.2f} x", "≤ 2.5 x", peer, ratio <= 2.5
        raw.unlink()
        yield from _export(ours, Path(folder))
        yield _export_parquet(ours, Path(folder))
        yield _statistics(ours)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        yield "memory while storing and exporting", f"{peak:,} MB", "≤ 400 MB", "whole process", peak <= 400


def _statistics(path: Path) -> Figure:
    """The figures of the papers' tables 2, 3 and 12, beside one pass over the same rows."""
    with Project.open(path) as project, project.read_transaction() as stores:
        started = time.perf_counter()
        query = "SELECT sum(premise_words + hypothesis_words + length(premise) + length(hypothesis)) FROM pairs"
        stores._connection.exec_driver_sql(query).scalar_one()
        one_pass = time.perf_counter() - started
        started = time.perf_counter()
        found = stores.data_set_statistics.measure(ExportOptions())
        seconds = time.perf_counter() - started
    what = f"statistics of {found.count():,} pairs, {found.measured_pairs:,} of them measured"
    ratio = seconds / one_pass
    return what, f"{seconds:.1f} s, {ratio:.1f} x", "≤ 10 x", f"one SELECT {one_pass:.1f} s", ratio <= 10


def _store(path: Path) -> float:
    """Seconds spent in storage, from pairs in memory to rows on disk."""
    spent = 0.0
    md5s = sorted(blake2b(str(number).encode(), digest_size=16).hexdigest() for number in range(PAPERS))
    with Project.create(path) as project:
        with project.transaction(bulk=True) as stores:
            for md5 in md5s:
                prose = (Section("Introduction", (Paragraph("A sentence.", (Sentence(0, 11),)),)),)
                paper = Paper(md5, md5 * 2, "A title", domain="biology", parser="embedded", sections=prose)
                stores.papers.save(paper, FileSource(Path(md5), FileKind.PDF))
            run = stores.mining_runs.start("run", "{}", program="bench", language_model="")
        for first in range(0, PAPERS, PAPERS_PER_TRANSACTION):
            mined = {md5: _mined(md5) for md5 in md5s[first : first + PAPERS_PER_TRANSACTION]}
            started = time.perf_counter()
            with project.read_transaction() as stores:
                pending_papers = stores.mining_runs.next_papers(run, limit=PAPERS_PER_TRANSACTION)
            with project.transaction(bulk=True) as stores:
                for pending in pending_papers:
                    stores.pairs.replace_for(pending, mined[pending.md5], _any_number)
            spent += time.perf_counter() - started
        started = time.perf_counter()
    return spent + time.perf_counter() - started


def _any_number(_: Mapping[Label, int]) -> int:
    return PAIRS


def _mined(md5: str) -> MinedPaper:
    draw = random.Random(md5)
    pairs = []
    for number in range(PAIRS):
        # Frequent words are frequent, as in prose: the full-text index feels it.
        premise, hypothesis = (" ".join(_WORDS[int(20_000 * draw.random() ** 3)] for _ in range(24)) for _ in range(2))
        pairs.append(
            Pair(
                key=blake2b(f"{md5}{number}".encode(), digest_size=16).hexdigest(),
                premise=premise,
                hypothesis=hypothesis,
                hypothesis_original=f"However, {hypothesis}",
                strategy=Strategy.LINKED,
                distant_label=Label.CONTRASTING,
                phrase="However",
                premise_at=PaperPosition(0, number, 0),
                hypothesis_at=PaperPosition(0, number, 1),
                page=1 + number // 10,
            )
        )
    return MinedPaper(tuple(pairs), Funnel({Strategy.LINKED: PAIRS}, {Strategy.LINKED: PAIRS}, {}))


def _copy_rows(source: Path, target: Path) -> float:
    """Seconds `executemany` takes for the same rows: same schema, same batches, rows made ready outside the clock."""
    spent = 0.0
    Project.create(target).close()
    with closing(sqlite3.connect(source)) as rows, closing(sqlite3.connect(target, isolation_level=None)) as raw:
        raw.execute("PRAGMA synchronous = NORMAL")
        for table in ("papers", "mining_runs"):
            _insert(raw, table, rows.execute(f"SELECT * FROM {table}").fetchall())
        columns = ", ".join(column[1] for column in rows.execute("PRAGMA table_info (pairs)"))  # without computed ones
        reader = rows.execute(f"SELECT {columns} FROM pairs ORDER BY id")
        where = [column[0] for column in reader.description]
        premise, hypothesis = where.index("premise"), where.index("hypothesis")
        while batch := reader.fetchmany(PAPERS_PER_TRANSACTION * PAIRS):
            text = [(row[0], row[premise], row[hypothesis]) for row in batch]
            started = time.perf_counter()
            raw.execute("BEGIN IMMEDIATE")
            _insert(raw, f"pairs ({columns})", batch)
            raw.executemany("INSERT INTO pairs_text (rowid, premise, hypothesis) VALUES (?, ?, ?)", text)
            raw.execute("COMMIT")
            spent += time.perf_counter() - started
        started = time.perf_counter()
    return spent + time.perf_counter() - started


def _insert(connection: sqlite3.Connection, table: str, rows: list[tuple[object, ...]]) -> None:
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _export_parquet(path: Path, folder: Path) -> Figure:
    """Parquet beside JSON lines, each twice, in turns."""
    seconds = dict.fromkeys((FileFormat.JSONL, FileFormat.PARQUET), 0.0)
    with Project.open(path) as project:
        for kind in (*seconds, *seconds):
            started = time.perf_counter()
            export_pairs(project, folder / kind, ExportOptions(Preset.FULL, format=kind), Progress())
            seconds[kind] += (time.perf_counter() - started) / 2
            shutil.rmtree(folder / kind)
    lines, parquet = seconds.values()
    name = f"exporting {PAPERS * PAIRS:,} pairs, all fields, as Parquet"
    ratio = parquet / lines
    return name, f"{parquet:.1f} s, {ratio:.2f} x", "≤ 1.5 x", f"JSON lines {lines:.1f} s", ratio <= 1.5


def _export(path: Path, folder: Path) -> Iterator[Figure]:
    with Project.open(path) as project:
        started = time.perf_counter()
        export_pairs(project, folder / "out", ExportOptions(Preset.FULL), Progress())
        seconds = time.perf_counter() - started
    name = f"exporting {PAPERS * PAIRS:,} pairs, all fields"
    shell = shutil.which("sqlite3")
    if shell is None:
        yield name, f"{seconds:.1f} s", "≤ 1.5 x", "no sqlite3 shell here (apt install sqlite3)", None
        return
    written = folder / "shell.jsonl"
    started = time.perf_counter()
    with written.open("wb") as output:
        subprocess.run([shell, "-readonly", str(path)], input=_SHELL_QUERY.encode(), stdout=output, check=True)
    shell_seconds = time.perf_counter() - started
    same = filecmp.cmp(written, folder / "out" / "pairs.jsonl", shallow=False)
    ratio = seconds / shell_seconds
    peer = f"sqlite3 shell {shell_seconds:.1f} s, {'same' if same else 'OTHER'} bytes"
    yield name, f"{seconds:.1f} s, {ratio:.2f} x", "≤ 1.5 x", peer, same and ratio <= 1.5
