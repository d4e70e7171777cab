"""The tables and views of a warehouse: what each holds, as statements that PostgreSQL and DuckDB both understand.

The views give the figures of the papers of SciNLI and MSciNLI: `table_2`, `table_3` and `table_13`, from the pairs, and
from samples of them that the program has measured, as its own tables do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from miner.corpus.schema import ORDERS, TABLES

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
        "A row for each paper that was given: which it is, or why it is none.",
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
        {"judged": "Of how many pairs of a domain at most the sentences were parsed.", "mining": "The settings."},
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
}
_FIGURE_KEYS = {
    "loaded": ("version",),
    "shards": ("prefix",),
    "measured_pairs": ("md5", "ordinal"),
    "vocabularies": ("domain", "token"),
}
WAREHOUSE_TABLES = {
    name: WarehouseTable(schema, ORDERS.get(name) or _FIGURE_KEYS[name], *_COMMENTS[name])
    for name, schema in {**TABLES, **FIGURES}.items()
}

_MEANS = """
    WITH strata AS (
        SELECT papers.domain, pairs.distant_label AS label, count(*) AS pairs
        FROM {schema}.pairs JOIN {schema}.papers ON papers.md5 = pairs.md5
        WHERE pairs.distant_label IS NOT NULL AND pairs.strategy <> 'implicit'
        GROUP BY papers.domain, pairs.distant_label
    ), means AS (
        SELECT domain, label, avg(premise_tokens) AS premise, avg(hypothesis_tokens) AS hypothesis,
            avg(overlap) AS overlap
        FROM {schema}.measured_pairs GROUP BY domain, label
    ), judged AS (
        SELECT domain, premise_complete, hypothesis_complete,
            row_number() OVER ({part} ORDER BY place) AS number
        FROM {schema}.measured_pairs WHERE premise_complete IS NOT NULL
    ), complete AS (
        SELECT {group}100 * avg(CASE WHEN premise_complete THEN 1.0 ELSE 0.0 END) AS premises,
            100 * avg(CASE WHEN hypothesis_complete THEN 1.0 ELSE 0.0 END) AS hypotheses
        FROM judged WHERE number <= (SELECT judged FROM {schema}.loaded) {grouped}
    ), counted AS (
        SELECT {group}CAST(sum(strata.pairs) AS bigint) AS pairs,
            CAST(sum(CASE WHEN label = 'contrasting' THEN strata.pairs ELSE 0 END) AS bigint) AS contrasting,
            CAST(sum(CASE WHEN label = 'reasoning' THEN strata.pairs ELSE 0 END) AS bigint) AS reasoning,
            CAST(sum(CASE WHEN label = 'entailment' THEN strata.pairs ELSE 0 END) AS bigint) AS entailment,
            CAST(sum(CASE WHEN label = 'neutral' THEN strata.pairs ELSE 0 END) AS bigint) AS neutral,
            CAST(sum(strata.pairs * premise) / sum(strata.pairs) AS double precision) AS premise_tokens,
            CAST(sum(strata.pairs * hypothesis) / sum(strata.pairs) AS double precision) AS hypothesis_tokens,
            CAST(100 * sum(strata.pairs * overlap) / sum(strata.pairs) AS double precision) AS word_overlap
        FROM strata JOIN means USING (domain, label) {grouped}
    )
    SELECT {group}pairs, contrasting, reasoning, entailment, neutral, premise_tokens, hypothesis_tokens,
        CAST(premises AS double precision) AS complete_premises,
        CAST(hypotheses AS double precision) AS complete_hypotheses, word_overlap
    FROM counted {join} {ordered}
"""
VIEWS = {
    "table_3": (
        "Table 3 of SciNLI: the whole data set. Shares in per cent; lengths and overlap of a random sample.",
        _MEANS.format(schema="{schema}", part="", group="", grouped="", join="CROSS JOIN complete", ordered=""),
    ),
    "table_2": (
        "Table 2 of MSciNLI: each domain. Shares in per cent; lengths and overlap of a random sample.",
        _MEANS.format(
            schema="{schema}",
            part="PARTITION BY domain",
            group="domain, ",
            grouped="GROUP BY domain",
            join="LEFT JOIN complete USING (domain)",
            ordered="ORDER BY domain",
        ),
    ),
    "table_13": (
        "Table 13 of MSciNLI: the cosine of each two domains' token frequencies.",
        """
    WITH lengths AS (
        SELECT domain, sqrt(sum(CAST(count AS double precision) * count)) AS length
        FROM {schema}.vocabularies GROUP BY domain
    ), products AS (
        SELECT one.domain, other.domain AS other_domain,
            sum(CAST(one.count AS double precision) * other.count) AS product
        FROM {schema}.vocabularies AS one JOIN {schema}.vocabularies AS other ON one.token = other.token
        WHERE one.domain >= other.domain GROUP BY one.domain, other.domain
    )
    SELECT products.domain, other_domain, product / (one.length * other.length) AS cosine
    FROM products JOIN lengths AS one ON one.domain = products.domain
        JOIN lengths AS other ON other.domain = other_domain
    ORDER BY products.domain, other_domain
        """,
    ),
}
"""By name the comment of a view and its query, in which `{schema}` is the quoted name of the schema."""
