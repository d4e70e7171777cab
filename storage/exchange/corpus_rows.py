"""The rows of a corpus as papers and pairs that a project can store; `ValueError` for what Pairwright never writes.

A corpus may come from anybody.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from miner import codec
from miner.corpus.locations import Location
from miner.corpus.schema import TABLES
from miner.corpus.shards import Shard, read_shard
from miner.errors import UserError
from miner.parsing.checks import fields_to_check
from miner.records import Label, PairFlag, Strategy
from storage import convert
from storage.papers.transfer import FileReference, PaperColumns, PaperCopy, checked_copy

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


def paper_copies(papers: pa.Table, paragraphs: pa.Table, files: pa.Table) -> list[PaperCopy]:
    """The papers, with their text and files."""
    texts: defaultdict[str, list[tuple[int, str, bool, str, bytes | None]]] = defaultdict(list)
    columns = [paragraphs[name].to_pylist() for name in ("md5", "section", "text", "after_break", "sentences", "spans")]
    for md5, section, text, after_break, offsets, spans in zip(*columns, strict=True):
        sentences = json.dumps(list(zip(offsets[::2], offsets[1::2], strict=True)))
        texts[md5].append((section, text, after_break, sentences, spans))
    sources: defaultdict[str, list[FileReference]] = defaultdict(list)
    columns = [files[name].to_pylist() for name in ("path", "number", "md5", "sha256")]
    for path, number, md5, sha256 in zip(*columns, strict=True):
        sources[md5].append(FileReference(path, number, md5, sha256))
    return [_copy(row, texts[row["md5"]], sources[row["md5"]]) for row in papers.to_pylist()]


def _copy(
    row: Mapping[str, Any], paragraphs: Sequence[tuple[int, str, bool, str, bytes | None]], files: list[FileReference]
) -> PaperCopy:
    values = {name: row[name] for name in _COPIED} | {name: _json(row[name]) for name in _LISTS}
    values |= {"edited": "[]", "source_md5": None}
    values["sources"] = json.dumps(
        {one["field"]: one["source"] for one in row["sources"]}, ensure_ascii=False, sort_keys=True
    )
    values["to_check"] = _json([one["field"] for one in row["sources"] if not one["is_sure"]])
    sections = [(ordinal, one["title"], one["kind"]) for ordinal, one in enumerate(row["sections"])]
    if any(not 0 <= paragraph[0] < len(sections) for paragraph in paragraphs):
        raise ValueError("a paragraph has no section")
    columns = codec.from_data(PaperColumns, values)
    paper = convert.paper_from_rows(values, sections, paragraphs)  # type: ignore[arg-type]
    return checked_copy(replace(columns, to_check=json.dumps(fields_to_check(paper))), paper, files)


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
