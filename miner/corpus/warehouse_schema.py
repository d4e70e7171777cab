"""The tables of a warehouse: what each holds, by types that PostgreSQL and DuckDB both understand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from miner.corpus.schema import ANSWERS, ORDERS, TABLES
from miner.libraries import pa

WAREHOUSE_VERSION = 2
"""Increase it when a table or view changes; tables of another version are made anew."""
LOADS = "pairwright_loads"
"""The table that tells which tables are of a load; without it, tables of these names are somebody else's."""

_LOADED = pa.schema(
    [
        ("version", pa.int32()),
        ("corpus", pa.string()),
        ("run", pa.string()),
        ("program", pa.string()),
        ("language_model", pa.string()),
        ("splitter", pa.string()),
        ("mining", pa.string()),
        ("tokenizer", pa.string()),
        ("parser", pa.string()),
        ("judged", pa.int32()),
        ("answers", pa.string()),
    ]
)
SHARDS = pa.schema([("prefix", pa.string()), ("content", pa.string())])
MEASURED = pa.schema(
    [
        ("md5", pa.string()),
        ("ordinal", pa.int32()),
        ("place", pa.int32()),
        ("domain", pa.string()),
        ("label", pa.string()),
        ("premise_tokens", pa.int32()),
        ("hypothesis_tokens", pa.int32()),
        ("overlap", pa.float64()),
        ("premise_complete", pa.bool_()),
        ("hypothesis_complete", pa.bool_()),
    ]
)
VOCABULARIES = pa.schema([("domain", pa.string()), ("token", pa.int32()), ("count", pa.int64())])
EVENTS = pa.schema([*ANSWERS, ("number", pa.int32())])
"""What people did to pairs, and the number of the event among those of its pair."""
FIGURES = {"loaded": _LOADED, "shards": SHARDS, "measured_pairs": MEASURED, "vocabularies": VOCABULARIES}


@dataclass(frozen=True, slots=True)
class WarehouseTable:
    """A table of the warehouse. key: its primary key. jsons: columns of nested values, which are JSON there."""

    schema: pa.Schema
    key: tuple[str, ...]
    comment: str
    columns: Mapping[str, str]

    @property
    def jsons(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.schema if _is_nested(field.type) or field.name in _JSON_TEXTS)

    def sql_type(self, name: str) -> str:
        """The type of a column, by a name that both databases know."""
        kind = self.schema.field(name).type
        if name in self.jsons:
            return "json"
        return f"{_TYPES[kind.value_type]}[]" if pa.types.is_list(kind) else _TYPES[kind]


_TYPES = {
    pa.string(): "text",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.float64(): "double precision",
    pa.bool_(): "boolean",
    pa.binary(): "bytea",
}
_JSON_TEXTS = ("flags", "mining")


def _is_nested(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) and pa.types.is_struct(kind.value_type))


_MD5 = "Names the paper: the MD5 of its content."
_COMMENTS: dict[str, tuple[str, dict[str, str]]] = {
    "papers": (
        "A row for each paper, without its text.",
        {
            "md5": _MD5,
            "kind": "The kind of file that it was read from.",
            "digest": "A digest of the text as parsed.",
            "sources": "Where each field was found, and whether that is sure.",
            "sections": "Titles and kinds of the sections, in order; other tables count them from 0.",
            "sentences": "How many sentences the paper has.",
        },
    ),
    "paragraphs": (
        "The text of the papers.",
        {
            "section": "The number of the section, from 0.",
            "ordinal": "The number of the paragraph in its section, from 0.",
            "sentences": "Start and end of each sentence in turn, in characters of the text, from 0.",
            "spans": "Marked places of the text, packed.",
        },
    ),
    "pairs": (
        "The pairs of sentences.",
        {
            "ordinal": "The number of the pair in its paper, from 0.",
            "key": "Names the pair in projects, releases and answers.",
            "hypothesis_original": "The hypothesis with its linking phrase.",
            "strategy": "How the pair was found.",
            "distant_label": "The label that the phrase stands for; null for none.",
            "phrase": "The linking phrase; null for neutral pairs.",
            "flags": "What is unusual about the pair.",
            "premise_words": "Words between spaces; for tokens see measured_pairs.",
            "overlap": "Per cent of the hypothesis' words that the premise has.",
        },
    ),
    "funnel": (
        "How many candidates of a paper mining kept or dropped, and why.",
        {"outcome": "candidate, kept or dropped", "reason": "Why they were dropped; empty for other outcomes."},
    ),
    "files": (
        "A row for each paper that was given: which paper it is, or why it could not be read.",
        {
            "number": "Of a line or of a member of an archive, from 1; 0 for a file of one paper.",
            "md5": "Of the paper; null if it is none.",
            "own_md5": "Of the file, where it is another form of the paper, such as its PDF; else null.",
            "code": "Why it is no paper, in one word.",
            "reason": "Why it is no paper, as a sentence.",
        },
    ),
    "loaded": (
        "What was loaded, and what made it.",
        {
            "judged": "Of how many pairs of a domain at most the sentences were parsed.",
            "mining": "The settings.",
            "answers": "A digest of the files that the table answers was loaded from.",
        },
    ),
    "shards": ("Which shards of the corpus are loaded; a later load replaces those that have changed.", {}),
    "measured_pairs": (
        "A random sample of the pairs, measured as the papers of SciNLI and MSciNLI do.",
        {
            "place": "In the random order of the draw, from 1.",
            "premise_tokens": "Tokens, punctuation included.",
            "overlap": "Share of the hypothesis' tokens that the premise has, 0 to 1.",
            "premise_complete": "Whether the premise is a complete sentence; null where it was not parsed.",
        },
    ),
    "vocabularies": (
        "How often each token is in a random sample of a domain's pairs.",
        {"token": "The token's id under the tokenizer of the table loaded."},
    ),
    "answers": (
        "What people did to the pairs and pushed to the corpus, an event a row; current_answers has what holds.",
        {
            "md5": "The paper of the pair.",
            "pair_key": "The pair: pairs.key.",
            "number": "In the order in which the events of the pair happened, from 1.",
            "annotator": "The annotator's name.",
            "role": "What the answers are: annotator (votes), adjudicator, reference, expert or layperson.",
            "what": "answer; kinds; a mark: flag, note, bad or tag; or the sentence that was mended.",
            "at": "When: ISO 8601 in UTC, in the order of time as text.",
            "value": "The label, the mark or the new text; null: withdrawn.",
            "old": "Of a mended sentence: the text before.",
            "seen": "Of an answer: what the annotator saw, as JSON.",
            "via": "Of an answer: answer, or accepted if the annotator accepted a model's suggestion.",
            "taxonomy": "Of kinds: the digest of the file of questions.",
        },
    ),
}
_KEYS = {
    "loaded": ("version",),
    "shards": ("prefix",),
    "measured_pairs": ("md5", "ordinal"),
    "vocabularies": ("domain", "token"),
    "answers": ("pair_key", "number"),
}
WAREHOUSE_TABLES = {
    name: WarehouseTable(schema, ORDERS.get(name) or _KEYS[name], *_COMMENTS[name])
    for name, schema in {**TABLES, **FIGURES, "answers": EVENTS}.items()
}

SINCE = {"answers": 2, "current_answers": 2, "gold_labels": 2}
"""In which version a table or view was new, where that is not the first; a load of an older one has none."""
