"""The tables of a corpus and their columns; the one place that declares them.

`papers`: a row for each paper, without its text. `paragraphs`: its text, with `sentences` as start and end of each in
turn, and `spans` by `miner.parsing.spans.pack_spans`. `pairs`: by `miner.mining.pair_values`, `ordinal` in the paper.
`funnel`: how many candidates of a paper were kept or dropped, by strategy and reason. `files`: a row for each paper
that was given: which it is, or why it is no paper. `md5`: of that paper; `own_md5`: of the file, where the paper has
another, as the file is another form of it. `number`: of a line or of a member of an archive, from 1; 0 for a file of
one paper.
"""

from __future__ import annotations

from miner.libraries import pa

SCHEMA_VERSION = 2
"""Increase it when a table changes; corpora of other versions are refused."""

_TEXTS = pa.list_(pa.string())

PAPERS = pa.schema(
    [
        ("md5", pa.string()),
        ("kind", pa.string()),
        ("sha256", pa.string()),
        ("digest", pa.string()),
        ("title", pa.string()),
        ("authors", _TEXTS),
        ("year", pa.int32()),
        ("doi", pa.string()),
        ("domain", pa.string()),
        ("journal", pa.string()),
        ("licence", pa.string()),
        ("keywords", _TEXTS),
        ("language", pa.string()),
        ("pages", pa.int32()),
        ("parser", pa.string()),
        ("parser_version", pa.string()),
        ("splitter", pa.string()),
        ("hidden_words", pa.int32()),
        ("repaired_characters", pa.int32()),
        ("repaired_fonts", pa.int32()),
        ("words", pa.int32()),
        ("unknown_words", pa.int32()),
        ("unknown_lines", _TEXTS),
        ("sources", pa.list_(pa.struct([("field", pa.string()), ("source", pa.string()), ("is_sure", pa.bool_())]))),
        ("sections", pa.list_(pa.struct([("title", pa.string()), ("kind", pa.string())]))),
        ("sentences", pa.int32()),  # how many
    ]
)
PARAGRAPHS = pa.schema(
    [
        ("md5", pa.string()),
        ("section", pa.int32()),
        ("ordinal", pa.int32()),
        ("text", pa.string()),
        ("after_break", pa.bool_()),
        ("sentences", pa.list_(pa.int32())),
        ("spans", pa.binary()),
    ]
)
PAIRS = pa.schema(
    [
        ("md5", pa.string()),
        ("ordinal", pa.int32()),
        ("key", pa.string()),
        ("premise", pa.string()),
        ("hypothesis", pa.string()),
        ("hypothesis_original", pa.string()),
        ("strategy", pa.string()),
        ("distant_label", pa.string()),
        ("phrase", pa.string()),
        ("premise_section", pa.int32()),
        ("premise_paragraph", pa.int32()),
        ("premise_sentence", pa.int32()),
        ("hypothesis_section", pa.int32()),
        ("hypothesis_paragraph", pa.int32()),
        ("hypothesis_sentence", pa.int32()),
        ("page", pa.int32()),
        ("flags", pa.string()),  # JSON, as in projects
        ("premise_hash", pa.int64()),
        ("hypothesis_hash", pa.int64()),
        ("premise_words", pa.int32()),
        ("hypothesis_words", pa.int32()),
        ("overlap", pa.int32()),
    ]
)
FUNNEL = pa.schema(
    [
        ("md5", pa.string()),
        ("strategy", pa.string()),
        ("outcome", pa.string()),  # candidate, kept or dropped
        ("reason", pa.string()),
        ("count", pa.int32()),
    ]
)
FILES = pa.schema(
    [
        ("path", pa.string()),
        ("number", pa.int64()),
        ("name", pa.string()),
        ("kind", pa.string()),
        ("md5", pa.string()),  # none if it is no paper
        ("own_md5", pa.string()),
        ("sha256", pa.string()),
        ("code", pa.string()),
        ("reason", pa.string()),
        ("hint", pa.string()),
    ]
)
TABLES = {"papers": PAPERS, "paragraphs": PARAGRAPHS, "pairs": PAIRS, "funnel": FUNNEL, "files": FILES}
ORDERS = {
    "papers": ("md5",),
    "paragraphs": ("md5", "section", "ordinal"),
    "pairs": ("md5", "ordinal"),
    "funnel": ("md5", "strategy", "outcome", "reason"),
    "files": ("path", "number"),
}
"""By which columns the rows of a shard are sorted."""

ANSWERS_VERSION = 1
"""Increase it when `ANSWERS` changes; files of other versions are refused."""
ANSWERS = pa.schema(
    [
        ("md5", pa.string()),  # of the pair's paper
        ("pair_key", pa.string()),
        ("annotator", pa.string()),  # the name
        ("role", pa.string()),
        ("what", pa.string()),  # answer, kinds, a kind of mark (flag, note, bad, tag), or premise or hypothesis
        ("at", pa.string()),  # ISO 8601, UTC
        ("value", pa.string()),  # none: withdrawn
        ("old", pa.string()),  # of a sentence: the text before
        ("seen", pa.string()),  # of an answer: JSON, as in projects
        ("via", pa.string()),  # of an answer: answer or accepted
        ("taxonomy", pa.string()),  # of kinds: the digest of the questions' file
    ]
)
"""What people did to pairs, an event a row. Rows are never changed, only added."""
ANSWERS_IDENTITY = ("pair_key", "annotator", "what", "taxonomy", "at", "value")
"""Rows with these in common are one event."""

_ORIGIN = [("part", pa.string()), ("item", pa.int64())]
_TO_COMPARE = [
    ("keys", pa.list_(pa.int64())),  # hashes of `KnownPaper.keys`
    ("characters", pa.int64()),  # of the text
]
MAPPED = {name: pa.schema([*_ORIGIN, *schema]) for name, schema in TABLES.items()} | {
    "papers": pa.schema([*_ORIGIN, *PAPERS, *_TO_COMPARE]),
    "files": pa.schema([*_ORIGIN, *(field for field in FILES if field.name != "own_md5")]),
}
"""The tables of a part. A paper that was given twice is in it, or in several parts, with another `item` each time."""
