"""The rows of a corpus as papers and pairs that a project can store; `ValueError` for what Pairwright never writes.

A corpus may come from anybody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from miner import codec
from miner.corpus.locations import Location
from miner.corpus.schema import TABLES
from miner.corpus.shards import Shard, read_shard
from miner.errors import UserError
from miner.parsing.checks import fields_to_check
from miner.records import FieldSource, Label, PairFlag, Paper, SectionKind, Strategy
from storage.convert import check_spans
from storage.papers.transfer import FileReference, PaperColumns, PaperRows, check_file

_KEY = re.compile("[0-9a-f]{32}")
_FLAGS = frozenset(PairFlag)
_LABELS, _STRATEGIES = [*Label, None], list(Strategy)
_OPTIONAL = frozenset(("year", "doi", "pages", "spans", "distant_label", "phrase", "page"))
_COPIED = tuple(
    name for name in PaperColumns.__dataclass_fields__ if name not in ("edited", "source_md5", "sources", "to_check")
)
_LISTS = ("authors", "keywords", "unknown_lines")


def read_rows(out: Location, shard: Shard, table: str, md5s: Sequence[str]) -> pa.Table:
    """The rows of papers, whose MD5s ascend, in a shard; only the row groups that can have them are read."""
    column = pc.field("md5")
    wanted = (column >= md5s[0]) & (column <= md5s[-1])
    if len(md5s) < shard.sizes["papers"].rows:
        wanted &= column.isin(md5s)
    found = read_shard(out, shard, table, TABLES[table].names, wanted)
    try:
        found = found.cast(TABLES[table])
    except (ValueError, pa.ArrowException) as exc:
        place = out.child(shard.path(table)).shown
        raise UserError(f"The shard {place} has other columns.", hint="Settle the corpus again.") from exc
    if table != "files" and any(found[name].null_count for name in TABLES[table].names if name not in _OPTIONAL):
        raise ValueError("a value is missing")
    return found


def paper_rows(papers: pa.Table, paragraphs: pa.Table, files: pa.Table) -> PaperRows:
    """The papers, with their text and files, in columns as long as that will do: it is most of a corpus."""
    columns, sections = list[PaperColumns](), list[tuple[int, int, str, str]]()
    for place, row in enumerate(papers.to_pylist()):
        columns.append(_columns(row))
        sections += [
            (place, ordinal, one["title"], SectionKind(one["kind"]).value)
            for ordinal, one in enumerate(row["sections"])
        ]
    if any(title is None for _, _, title, _ in sections):
        raise ValueError("a section has no title")
    own_md5 = pc.coalesce(files["own_md5"], files["md5"])
    named = (column.to_pylist() for column in (files["path"], files["number"], own_md5, files["sha256"]))
    sources = list(zip(_places(files, papers), *named, strict=True))
    for _, *file in sources:
        check_file(FileReference(*file))
    for spans in paragraphs["spans"].to_pylist():
        check_spans(spans)
    places = _places(paragraphs, papers)
    names = ("section", "ordinal", "text", "after_break")
    texts = zip(
        places,
        *(paragraphs[name].to_pylist() for name in names),
        _sentences(paragraphs).to_pylist(),
        paragraphs["spans"].to_pylist(),
        strict=True,
    )
    return PaperRows(columns, sections, texts, sources)


def _places(rows: pa.Table, papers: pa.Table) -> list[int]:
    """Of each row, the place of its paper in `papers`."""
    return list(pc.index_in(rows["md5"], value_set=papers["md5"].combine_chunks()).to_pylist())


def _sentences(paragraphs: pa.Table) -> pa.ChunkedArray:
    """The sentences of paragraphs as JSON, as `storage.convert.paragraph_values` writes them."""
    lists = paragraphs["sentences"].combine_chunks()
    ends = np.asarray(lists.value_lengths()).cumsum()
    offsets, numbers = np.concatenate(([0], ends)), np.asarray(lists.flatten())
    if np.any(offsets % 2):
        raise ValueError("a sentence has no end")
    # In a paragraph, the numbers do not fall, begin at 0 or later, and no sentence is empty.
    steps = np.diff(numbers, prepend=0)
    steps[offsets[:-1][offsets[:-1] < len(numbers)]] = 0
    lengths = np.asarray(pc.utf8_length(paragraphs["text"]))
    with_sentences = ends > offsets[:-1]
    lasts = numbers[ends[with_sentences] - 1]
    if np.any(steps < 0) or np.any(numbers < 0) or np.any(numbers[::2] >= numbers[1::2]):
        raise ValueError("a sentence is not one")
    if np.any(lasts > lengths[with_sentences]):
        raise ValueError("a sentence ends behind its paragraph")
    texts = pc.cast(pa.array(numbers), pa.string())
    each = pc.binary_join_element_wise(texts.take(_every_second(texts, 0)), texts.take(_every_second(texts, 1)), ",")
    joined = pc.binary_join(pa.ListArray.from_arrays(pa.array(offsets // 2, pa.int32()), each), "],[")
    whole = pc.binary_join_element_wise("[[", joined, "]]", "")
    return pc.if_else(pa.array(with_sentences), whole, "[]")


def _every_second(values: pa.Array, first: int) -> pa.Array:
    return pa.array(np.arange(first, len(values), 2))


def _columns(row: Mapping[str, Any]) -> PaperColumns:
    values = {name: row[name] for name in _COPIED} | {name: _json(row[name]) for name in _LISTS}
    sources = {one["field"]: one["source"] for one in row["sources"]}
    values |= {"edited": "[]", "source_md5": None, "sources": json.dumps(sources, ensure_ascii=False, sort_keys=True)}
    parsed = SimpleNamespace(**{**row, "sources": [FieldSource(**one) for one in row["sources"]]})
    values["to_check"] = json.dumps(fields_to_check(cast(Paper, parsed)))
    return codec.from_data(PaperColumns, values)


def pair_rows(pairs: pa.Table) -> list[dict[str, Any]]:
    """The rows of `pairs` of the project, with the MD5 in place of the paper's id, and without the run."""
    for column, known in (("strategy", _STRATEGIES), ("distant_label", _LABELS)):
        if not pc.all(pc.is_in(pairs[column], pa.array(known, pa.string()))).as_py() and pairs.num_rows:
            raise ValueError(f"an unknown {column}")
    if not pc.all(pc.match_substring_regex(pairs["key"], f"^{_KEY.pattern}$")).as_py() and pairs.num_rows:
        raise ValueError("the key of a pair is not one")
    for flags in pc.unique(pairs["flags"]).to_pylist():
        if not _FLAGS.issuperset(codec.decode(list[str], flags)):
            raise ValueError("an unknown flag")
    return [row | {"current": True} for row in pairs.to_pylist()]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
