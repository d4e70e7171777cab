"""A mapped corpus of made-up rows, to settle: 15 pairs a paper, of which one in a hundred has another's texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from miner import codec
from miner.corpus.locations import Location
from miner.corpus.parts import CorpusSettings, claim, write_part
from miner.corpus.schema import MAPPED
from miner.mining.settings import MiningSettings
from miner.records import Label, Strategy
from miner.versions import mining_program

_PART, _OF_PAPER = 500_000, 15  # pairs
_SENTENCES = 20_000  # that differ; each is as long as in papers, 150 characters


def write_corpus(folder: Path, pairs: int) -> None:
    """Write the parts of a corpus with this many pairs; the same each time."""
    out, random = Location.of(str(folder)), np.random.default_rng(7)
    claim(out, CorpusSettings(codec.encode(MiningSettings()), mining_program(), "rules", "made up"))
    for _ in range(pairs // _PART):
        write_part(out, (), [_rows(random, _PART // _OF_PAPER, pairs)])


def _rows(random: np.random.Generator, papers: int, pairs: int) -> dict[str, pa.RecordBatch]:
    md5s, items = _hexes(random, papers), pa.array(random.integers(-(2**63), 2**63 - 1, papers))
    origin = {"item": items, "md5": md5s}
    places = pa.array(np.repeat(np.arange(papers), _OF_PAPER))
    count = len(places)
    linked = [Strategy.LINKED] * 12
    strategies = [*linked, Strategy.BOTH_RANDOM, Strategy.FIRST_RANDOM, Strategy.SECOND_RANDOM]
    labels = [*Label][:3] * 4 + [Label.NEUTRAL] * 3
    hashes = random.integers(-(2**63), 2**63 - 1, (2, count))
    shared = random.random(count) < 0.01
    texts = random.integers(0, max(2, pairs // 300), shared.sum())
    hashes[:, shared] = np.array((texts * 7919, texts * 104729))
    numbers = {
        field.name: pa.array(random.integers(0, 40, count, dtype=np.int32))
        for field in MAPPED["pairs"]
        if field.type == pa.int32()
    }
    rows: dict[str, tuple[int, dict[str, Any]]] = {
        "pairs": (
            count,
            numbers
            | {name: values.take(places) for name, values in origin.items()}
            | {
                "ordinal": pa.array(np.tile(np.arange(_OF_PAPER, dtype=np.int32), papers)),
                "key": _hexes(random, count),
                "strategy": pa.array([one.value for one in strategies] * papers),
                "distant_label": pa.array([one.value for one in labels] * papers),
                "premise_hash": pa.array(hashes[0]),
                "hypothesis_hash": pa.array(hashes[1]),
            }
            | {name: _sentences(random, count) for name in ("premise", "hypothesis", "hypothesis_original")}
            | {"phrase": _same("However", count), "flags": _same("[]", count)},
        ),
        "papers": (papers, origin | {"digest": md5s, "sha256": md5s, "kind": _same("papers", papers)}),
        "files": (papers, origin | {"path": md5s, "kind": _same("papers", papers)}),
        "funnel": (
            papers,
            origin
            | {
                "strategy": _same(Strategy.LINKED.value, papers),
                "outcome": _same("kept", papers),
                "count": pa.array(np.full(papers, 12, np.int32)),
            },
        ),
        "paragraphs": (0, {}),
    }
    return {table: _batch(pa.schema(list(MAPPED[table])[1:]), *given) for table, given in rows.items()}


def _batch(schema: pa.Schema, count: int, given: dict[str, Any]) -> pa.RecordBatch:
    """The given columns; the others are empty."""
    columns = []
    for field in schema:
        values = given.get(field.name)
        if values is None:
            is_number = pa.types.is_integer(field.type) or pa.types.is_boolean(field.type)
            empty = pa.scalar(0 if is_number else "" if field.type == pa.string() else None)
            values = pa.repeat(empty, count)
        columns.append(values.cast(field.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _same(value: str, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(value), count)


def _sentences(random: np.random.Generator, count: int) -> pa.Array:
    words = [" ".join(f"word{number:04d}" for number in row) for row in random.integers(0, 10_000, (_SENTENCES, 17))]
    return pa.array(words).take(pa.array(random.integers(0, _SENTENCES, count)))


def _hexes(random: np.random.Generator, count: int) -> pa.Array:
    """Random hexadecimal texts of 32 characters."""
    offsets = np.arange(0, 32 * (count + 1), 32, dtype=np.int32)
    return pa.StringArray.from_buffers(
        count, pa.py_buffer(offsets), pa.py_buffer(random.bytes(16 * count).hex().encode())
    )
