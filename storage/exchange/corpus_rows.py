"""The rows of a corpus as papers and pairs that a project can store; `ValueError` for what Pairwright never writes.

A corpus may come from anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

from miner import codec
from miner.corpus.locations import Location
from miner.corpus.schema import ORDERS, TABLES
from miner.corpus.shards import Shard, read_groups
from miner.libraries import np, pa, pc
from miner.parsing.checks import fields_to_check
from miner.records import FieldSource, Label, PairFlag, Paper, PaperDescription, SectionKind, Strategy
from storage.convert import check_spans, field_types
from storage.papers.metadata import PaperSummary
from storage.papers.transfer import FileReference, PaperRows, check_file, check_summary

_KEY = re.compile("[0-9a-f]{32}")
_FLAGS = frozenset(PairFlag)
_LABELS, _STRATEGIES = [*Label, None], list(Strategy)
_OPTIONAL = frozenset(("year", "doi", "pages", "spans", "distant_label", "phrase", "page"))
_LISTS = ("authors", "keywords", "unknown_lines")
_COPIED = tuple(name for name in (*field_types(PaperDescription), "kind", "digest") if name not in _LISTS)
_FUNNEL = ("strategy", "outcome", "reason", "count")


class ShardRows:
    """The rows of papers in a shard, taken in the order of their MD5s: each part of a file is read once.

    md5s: of all papers that will be taken, ascending.
    """

    def __init__(self, out: Location, shard: Shard, md5s: Sequence[str]) -> None:
        self._groups = {table: read_groups(out, shard, table, md5s[0], md5s[-1]) for table in TABLES}
        self._read = {table: schema.empty_table() for table, schema in TABLES.items()}

    def take(self, md5s: Sequence[str]) -> dict[str, pa.Table]:
        """The rows of the next papers by table."""
        wanted = pa.array(md5s, pa.string())
        tables = {table: self._up_to(table, md5s[-1]) for table in TABLES}
        tables = {table: rows.filter(pc.is_in(rows["md5"], wanted)) for table, rows in tables.items()}
        if tables["papers"]["md5"].to_pylist() != list(md5s):
            raise ValueError("a paper is missing")
        for table, rows in tables.items():
            if table != "files" and any(rows[name].null_count for name in rows.column_names if name not in _OPTIONAL):
                raise ValueError("a value is missing")
        return tables

    def _up_to(self, table: str, md5: str) -> pa.Table:
        """The rows up to a paper that were not taken; of `files`, which have another order, all."""
        rows, is_sorted = self._read[table], "md5" in ORDERS[table]
        while not is_sorted or not rows.num_rows or rows["md5"][-1].as_py() <= md5:
            if (group := next(self._groups[table], None)) is None:
                break
            rows = pa.concat_tables([rows, group])
        self._read[table] = rows
        if not is_sorted:
            return rows
        md5s = rows["md5"].combine_chunks()
        if not pc.all(pc.less_equal(md5s[:-1], md5s[1:]), min_count=0).as_py():
            raise ValueError("papers are not in their order")
        count = pc.sum(pc.less_equal(md5s, md5), min_count=0).as_py()
        self._read[table] = rows.slice(count)
        return rows.slice(0, count)


def paper_rows(tables: Mapping[str, pa.Table], first: int) -> PaperRows:
    """The papers, with their text and files, in columns as long as that will do: it is most of a corpus.

    first: the id of the first paper.
    """
    papers, paragraphs, files = (tables[name] for name in ("papers", "paragraphs", "files"))
    summaries, sections = list[PaperSummary](), list[tuple[int, int, str, str]]()
    for paper, row in enumerate(papers.to_pylist(), start=first):
        summaries.append(_summary(row))
        sections += [
            (paper, ordinal, one["title"], SectionKind(one["kind"]).value)
            for ordinal, one in enumerate(row["sections"])
        ]
    if any(title is None for _, _, title, _ in sections):
        raise ValueError("a section has no title")
    own_md5 = pc.coalesce(files["own_md5"], files["md5"])
    named = (column.to_pylist() for column in (files["path"], files["number"], own_md5, files["sha256"]))
    sources = list(zip(_ids(files, papers, first), *named, strict=True))
    for _, *file in sources:
        check_file(FileReference(*file))
    for spans in paragraphs["spans"].drop_null().to_pylist():
        check_spans(spans)
    place = paragraphs.column_names.index("sentences")
    paragraphs = paragraphs.set_column(place, "sentences", _sentences(paragraphs))
    return PaperRows(summaries, sections, _with_ids(paragraphs, papers, first, paragraphs.column_names[1:]), sources)


def _with_ids(rows: pa.Table, papers: pa.Table, first: int, names: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Some columns of rows, which begin with the id of their paper."""
    return zip(_ids(rows, papers, first), *(rows[name].to_pylist() for name in names), strict=True)


def _ids(rows: pa.Table, papers: pa.Table, first: int) -> list[int]:
    places = pc.index_in(rows["md5"], value_set=papers["md5"].combine_chunks())
    return list(pc.add(places, first).to_pylist())


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


def _summary(row: Mapping[str, Any]) -> PaperSummary:
    values = {name: row[name] for name in _COPIED} | {name: tuple(row[name]) for name in _LISTS}
    sources = {one["field"]: one["source"] for one in row["sources"]}
    parsed = SimpleNamespace(**{**row, "sources": [FieldSource(**one) for one in row["sources"]]})
    to_check = tuple(fields_to_check(cast(Paper, parsed)))
    summary = PaperSummary(**values, sources=dict(sorted(sources.items())), to_check=to_check)
    check_summary(summary)
    return summary


def pair_columns(tables: Mapping[str, pa.Table], first: int) -> dict[str, list[Any]]:
    """The columns of `pairs` of the project, but for the run. first: the id of the first paper."""
    pairs = tables["pairs"]
    for column, known in (("strategy", _STRATEGIES), ("distant_label", _LABELS)):
        if not pc.all(pc.is_in(pairs[column], pa.array(known, pa.string()))).as_py() and pairs.num_rows:
            raise ValueError(f"an unknown {column}")
    if not pc.all(pc.match_substring_regex(pairs["key"], f"^{_KEY.pattern}$")).as_py() and pairs.num_rows:
        raise ValueError("the key of a pair is not one")
    for flags in pc.unique(pairs["flags"]).to_pylist():
        if not _FLAGS.issuperset(codec.decode(list[str], flags)):
            raise ValueError("an unknown flag")
    columns = {name: pairs[name].to_pylist() for name in pairs.column_names if name != "md5"}
    return {"paper_id": _ids(pairs, tables["papers"], first), "current": [True] * pairs.num_rows, **columns}


def funnel_rows(tables: Mapping[str, pa.Table], first: int) -> list[tuple[Any, ...]]:
    """The rows of the papers' funnels. first: the id of the first paper."""
    return list(_with_ids(tables["funnel"], tables["papers"], first, _FUNNEL))
