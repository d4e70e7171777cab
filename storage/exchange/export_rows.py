"""The rows of an export: the fields of each preset, as a query that gives JSON or columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from sqlalchemy import Connection

from miner.errors import UserError
from miner.records import Label, PairFlag
from storage.connections import driver_connection
from storage.dataset.candidates import FROM, PAIR_SPLIT, exclusion_reason, label_of
from storage.dataset.gold import GOLD
from storage.dataset.options import ExportOptions, FileFormat, Preset
from storage.exchange.kinds_columns import NEUTRAL_COLUMNS, REASONING_COLUMNS
from storage.pairs.current_suggestions import LABEL_NAME, PROBABILITY_SCALE, SUGGESTIONS_ON_PAIR
from storage.pairs.pair_kinds import COUNTED, DISTANT_DIRECTION, LISTED
from storage.pairs.paper_splits import PAPER_MD5
from storage.pairs.tags import IS_TAGGED, TAGS_LISTED

JSON, SPLIT, LABEL, STRATEGY, REASON, FIELDS = range(6)  # columns of a row of `read_batches`; the last one is the first
DELIMITED = (FileFormat.CSV, FileFormat.TSV)
_BATCH_ROWS = 250  # ten times as many no longer fit the processor's cache and take longer
_ORDER = f"{PAPER_MD5}, pairs.ordinal, pairs.key"  # imported rows keep the order of their file
_SUGGESTIONS = f"""
    LEFT JOIN {SUGGESTIONS_ON_PAIR}
    LEFT JOIN suggestion_runs ON suggestion_runs.id = suggestions.run
    LEFT JOIN models ON models.id = suggestion_runs.model_id
"""
_KINDS_LABEL = label_of(ExportOptions(Preset.TAXINLI))
_PAIR_KINDS = "LEFT JOIN pair_kinds AS kinds ON kinds.pair_key = pairs.key"
_ANSWERS = """
    json(iif(pairs.votes = 0 AND NOT pairs.accepted, coalesce(pairs.source -> '$.annotator_labels', '[]'), (
        SELECT json_group_array(answer) FROM (
            SELECT answer FROM answers LEFT JOIN annotators ON annotators.key = answers.annotator
            WHERE pair_key = pairs.key AND via = 'answer' AND coalesce(role, 'annotator') = 'annotator'
            ORDER BY annotator
        )
    )))
"""
# An imported id is exported again if it is one of ours; other ids may not be unique.
_ID = """
    iif(length(pairs.source_id) = 32 AND pairs.source_id NOT GLOB '*[^0-9a-f]*', pairs.source_id, pairs.key)
"""
_ANNOTATOR_KINDS = f"""
    json(iif(kinds.annotators, (
        SELECT json_group_array(
            relation || ' ' || coalesce(direction, '-') || rtrim(' ' || replace(trim(categories), '  ', ' '))
        ) FROM (
            {COUNTED.format(wanted="", condition="e.pair_key = pairs.key")} ORDER BY e.annotator
        )
    ), '[]'))
"""
_TAGS = f"""
    json(coalesce((
        SELECT nullif(json_group_array(value), '[]') FROM (
            SELECT DISTINCT tag.value FROM mark_events AS e, json_each({TAGS_LISTED}) AS tag
            WHERE e.pair_key = pairs.key AND {IS_TAGGED} ORDER BY tag.value
        )
    ), pairs.source -> '$.tags', '[]'))
"""
_OTHER_KINDS = f"""
    SELECT DISTINCT value FROM pair_kinds, json_each({LISTED.format(column="categories")})
    WHERE pair_key IN (SELECT key FROM candidates WHERE reason IS NULL)
        AND value NOT IN (SELECT value FROM json_each(?)) ORDER BY value
"""
_NUMBERS = " ".join(f"WHEN '{label}' THEN {number}" for number, label in enumerate(Label))
_SENTENCES = {"sentence1": "pairs.premise", "sentence2": "pairs.hypothesis"}


class FieldKind(Enum):
    """What a field holds: text, a list of texts, a number of some kind, the number of a class, or JSON of any form."""

    TEXT = auto()
    TEXTS = auto()
    BOOLEAN = auto()
    INTEGER = auto()
    NUMBER = auto()
    CLASS = auto()
    JSON = auto()


_KINDS = {  # by name; the others are text
    "annotator_labels": FieldKind.TEXTS,
    "flags": FieldKind.TEXTS,
    "accepted_suggestion": FieldKind.BOOLEAN,
    "crosses_paragraph": FieldKind.BOOLEAN,
    "edited": FieldKind.BOOLEAN,
    "year": FieldKind.INTEGER,
    "page": FieldKind.INTEGER,
    "suggestion_confidence": FieldKind.NUMBER,
    "source_columns": FieldKind.JSON,
    "kinds": FieldKind.TEXTS,
    "annotator_kinds": FieldKind.TEXTS,
    "tags": FieldKind.TEXTS,
    **dict.fromkeys(REASONING_COLUMNS.values(), FieldKind.INTEGER),
}
_FIELDS = {
    Preset.SCINLI: {"id": _ID, **_SENTENCES, "label": "pairs.label"},
    Preset.MISMATCHED: {"id": _ID, **_SENTENCES, "label": "pairs.label", "Domain": "papers.domain"},
    Preset.SNLI: {
        "gold_label": f"coalesce({GOLD}, '-')",
        **_SENTENCES,
        "annotator_labels": _ANSWERS,
        "pairID": _ID,
        "genre": "papers.domain",
    },
    Preset.INTEGERS: {
        "premise": "pairs.premise",
        "hypothesis": "pairs.hypothesis",
        "label": f"CASE pairs.label {_NUMBERS} ELSE -1 END",
        "label_text": "pairs.label",  # what the number stands for
    },
    Preset.TAXINLI: {
        "prem": "pairs.premise",
        "hyp": "pairs.hypothesis",
        "label": _KINDS_LABEL,
        "annotated_label": "kinds.relation",
        **{column: f"instr(kinds.categories, ' {name} ') > 0" for name, column in REASONING_COLUMNS.items()},
        **{
            column: f"""
                CASE WHEN instr(kinds.categories, ' {name} ') THEN '1'
                    WHEN {_KINDS_LABEL} = '{Label.NEUTRAL}' THEN '0' ELSE '-' END
            """
            for name, column in NEUTRAL_COLUMNS.items()
        },
        "annotated_direction": "coalesce(kinds.direction, '-')",
        "pairID": _ID,
        "genre": "papers.domain",
    },
    Preset.FULL: {
        "pairID": "pairs.key",
        **_SENTENCES,
        "label": "pairs.label",
        "distant_label": "pairs.distant_label",
        "gold_label": GOLD,
        "annotator_labels": _ANSWERS,
        "accepted_suggestion": "json(iif(pairs.accepted, 'true', 'false'))",
        "suggested_label": f"coalesce({LABEL_NAME}, pairs.source ->> '$.suggested_label')",
        "suggestion_confidence": f"""
            coalesce(suggestions.confidence * 1.0 / {PROBABILITY_SCALE}, pairs.source ->> '$.suggestion_confidence')
        """,
        "suggestion_model": "coalesce(models.digest, pairs.source ->> '$.suggestion_model')",
        "strategy": "pairs.strategy",
        "linking_phrase": "pairs.phrase",
        "sentence2_original": "pairs.hypothesis_original",
        "edited": "json(iif(pairs.edited, 'true', 'false'))",
        "sentence1_mined": "pairs.mined_premise",
        "sentence2_mined": "pairs.mined_hypothesis",
        "crosses_paragraph": f"json(iif(instr(pairs.flags, '\"{PairFlag.CROSSES_PARAGRAPH}\"'), 'true', 'false'))",
        "flags": "json(pairs.flags)",
        "domain": "papers.domain",
        "split": PAIR_SPLIT,
        "paper_sha256": "papers.sha256",
        "paper_md5": PAPER_MD5,
        "title": "papers.title",
        "doi": "papers.doi",
        "year": "papers.year",
        "licence": "nullif(papers.licence, '')",
        "journal": "nullif(papers.journal, '')",
        "section": "coalesce(sections.title, pairs.source ->> '$.section')",
        "page": "pairs.page",
        "parser": "papers.parser",
        "parser_version": "papers.parser_version",
        "direction": f"coalesce(kinds.direction, {DISTANT_DIRECTION})",
        "distant_direction": DISTANT_DIRECTION,
        "annotated_direction": "kinds.direction",
        "kinds": f"json({LISTED.format(column='kinds.categories')})",
        "annotator_kinds": _ANNOTATOR_KINDS,
        "tags": _TAGS,
        "mining_run": "coalesce(mining_runs.id, pairs.source ->> '$.mining_run')",
        "source_id": "pairs.source_id",
        "source_label": "pairs.source_label",
        "source_columns": "json(pairs.source -> '$.columns')",
    },
}


def read_batches(connection: Connection, options: ExportOptions) -> Iterator[list[tuple[Any, ...]]]:
    """All pairs in order, in batches: JSON (bytes), split, label, strategy ("" for none) and exclusion reason.

    A pair that is left out has a reason and no JSON; the reason of the others is None. For CSV and TSV there is no
    JSON: the fields follow as columns, lists as JSON. For Parquet, whose reading of JSON takes the most time, the
    fields are named by their numbers, from 0.
    """
    # The driver's own cursor: SQLAlchemy's rows would add a tenth to the time of an export.
    cursor = driver_connection(connection).execute(rows_query(options))
    while batch := cursor.fetchmany(_BATCH_ROWS):
        yield batch


def read_first_rows(connection: Connection, options: ExportOptions, split: str | None, limit: int) -> list[str]:
    """The first rows as they will be written, of one split, or of all if `split` is None."""
    options = replace(options, format=FileFormat.JSONL)
    of_split = "" if split is None else f"AND coalesce({PAIR_SPLIT}, '') = :split"
    query = rows_query(options, f"WHERE ({exclusion_reason(options)}) IS NULL {of_split}") + " LIMIT :limit"
    return [
        row[JSON].decode() for row in driver_connection(connection).execute(query, {"split": split, "limit": limit})
    ]


def check_kinds(connection: Connection, options: ExportOptions) -> None:
    """Raise `UserError` if pairs have kinds of reasoning that the fields of the preset do not have."""
    if options.preset is Preset.TAXINLI:
        named = (json.dumps([*REASONING_COLUMNS, *NEUTRAL_COLUMNS]),)
        others = [row[0] for row in driver_connection(connection).execute(_OTHER_KINDS, named)]
        if others:
            raise UserError(
                f"Some pairs have kinds of reasoning that TaxiNLI does not have: {', '.join(others[:5])}.",
                hint="Export everything (--preset full), which has the kinds of any taxonomy.",
            )


def field_kinds(preset: Preset) -> dict[str, FieldKind]:
    """The fields of a row, in order."""
    kinds = {name: _KINDS.get(name, FieldKind.TEXT) for name in _FIELDS[preset]}
    return kinds | ({"label": FieldKind.CLASS} if preset is Preset.INTEGERS else {})


def rows_query(options: ExportOptions, condition: str = "") -> str:
    """The SQL of `read_batches`; `condition` is a WHERE clause."""
    fields = _FIELDS[options.preset]
    if options.format is FileFormat.PARQUET:  # its columns have a type each, and JSON of any form has none
        fields = {
            str(number): f"({value}) ->> '$'" if _KINDS.get(name) is FieldKind.JSON else value
            for number, (name, value) in enumerate(fields.items())
        }
    excluded = exclusion_reason(options)
    if options.format in DELIMITED:
        content, columns = "NULL", "".join(f", {value}" for value in fields.values())
    else:
        named = ", ".join(f"'{name}', {value}" for name, value in fields.items())
        content, columns = f"iif({excluded} IS NULL, CAST(json_object({named}) AS BLOB), NULL)", ""
    suggestions = _SUGGESTIONS if options.preset is Preset.FULL else ""
    kinds = _PAIR_KINDS if options.preset in (Preset.FULL, Preset.TAXINLI) else ""
    return f"""
        SELECT {content},
            coalesce({PAIR_SPLIT}, ''), coalesce({label_of(options)}, ''), pairs.strategy, {excluded}{columns}
        {FROM}
        LEFT JOIN sections ON sections.paper_id = pairs.paper_id AND sections.ordinal = pairs.premise_section
        LEFT JOIN mining_runs ON mining_runs.number = pairs.run
        {suggestions}
        {kinds}
        {condition}
        ORDER BY {_ORDER}
    """
