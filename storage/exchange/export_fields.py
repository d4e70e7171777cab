"""The fields of exported data sets, by preset: the one place that declares them.

The SQL is of a query from `storage.dataset.candidates.FROM`; a list or a value of any form is given as JSON.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from miner.records import Label, PairFlag
from storage.dataset.candidates import PAIR_SPLIT, label_of
from storage.dataset.export_options import ExportOptions, Preset
from storage.dataset.gold_rule import GOLD
from storage.exchange.kinds_columns import NEUTRAL_COLUMNS, REASONING_COLUMNS
from storage.pairs.current_suggestions import LABEL_NAME, PROBABILITY_SCALE
from storage.pairs.pair_kinds import COUNTED, DISTANT_DIRECTION, LISTED
from storage.pairs.paper_splits import PAPER_MD5
from storage.pairs.tags import IS_TAGGED, TAGS_LISTED


class FieldKind(Enum):
    """What a field holds: text, a list of texts, a number of some kind, the number of a class, or JSON of any form."""

    TEXT = auto()
    TEXTS = auto()
    BOOLEAN = auto()
    INTEGER = auto()
    NUMBER = auto()
    CLASS = auto()
    JSON = auto()


_LABEL_SQL = ":label"  # stands for the label that the options of an export ask for


class ExportField(NamedTuple):
    """A field of a row. text: what it is, for the data card."""

    sql: str
    text: str
    kind: FieldKind = FieldKind.TEXT

    def sql_for(self, options: ExportOptions) -> str:
        """The SQL of its value."""
        return self.sql.replace(_LABEL_SQL, f"({label_of(options)})")


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
_NUMBERS = " ".join(f"WHEN '{label}' THEN {number}" for number, label in enumerate(Label))
_ID_FIELD = ExportField(_ID, "id of the pair")
_SENTENCES = {
    "sentence1": ExportField("pairs.premise", "premise"),
    "sentence2": ExportField("pairs.hypothesis", "hypothesis, without its linking phrase"),
}
_LABEL = ExportField(_LABEL_SQL, "the gold label where there is one, else the distant label")
_GENRE = ExportField("papers.domain", "domain of the paper")
_ANSWERS_FIELD = ExportField(_ANSWERS, "the answers of the annotators", FieldKind.TEXTS)
_ANNOTATED_DIRECTION = (
    "the direction that most annotators give: forward (the premise entails the hypothesis), "
    "backward, both, neither or unclear"
)

EXPORT_FIELDS: dict[Preset, dict[str, ExportField]] = {
    Preset.SCINLI: {"id": _ID_FIELD, **_SENTENCES, "label": _LABEL},
    Preset.MISMATCHED: {"id": _ID_FIELD, **_SENTENCES, "label": _LABEL, "Domain": _GENRE},
    Preset.SNLI: {
        "gold_label": ExportField(
            f"coalesce({_LABEL_SQL}, '-')", f"{_LABEL.text}, - for none; distant labels have no annotator_labels"
        ),
        **_SENTENCES,
        "annotator_labels": _ANSWERS_FIELD,
        "pairID": _ID_FIELD,
        "genre": _GENRE,
    },
    Preset.INTEGERS: {
        "premise": _SENTENCES["sentence1"],
        "hypothesis": _SENTENCES["sentence2"],
        "label": ExportField(f"CASE {_LABEL_SQL} {_NUMBERS} ELSE -1 END", _LABEL.text, FieldKind.CLASS),
        "label_text": ExportField(_LABEL_SQL, "the label's name"),
    },
    Preset.TAXINLI: {
        "prem": _SENTENCES["sentence1"],
        "hyp": _SENTENCES["sentence2"],
        "label": _LABEL,
        "annotated_label": ExportField(
            "kinds.relation", "the majority label of the annotators who answered about kinds of reasoning"
        ),
        **{
            column: ExportField(
                f"instr(kinds.categories, ' {name} ') > 0",
                f"1 if at least half of the annotators gave this kind of reasoning: {name}",
                FieldKind.INTEGER,
            )
            for name, column in REASONING_COLUMNS.items()
        },
        **{
            column: ExportField(
                f"""
                    CASE WHEN instr(kinds.categories, ' {name} ') THEN '1'
                        WHEN {_LABEL_SQL} = '{Label.NEUTRAL}' THEN '0' ELSE '-' END
                """,
                f"1 if the sentences of a neutral pair share the {name}, - for other pairs",
            )
            for name, column in NEUTRAL_COLUMNS.items()
        },
        "annotated_direction": ExportField("coalesce(kinds.direction, '-')", _ANNOTATED_DIRECTION),
        "pairID": _ID_FIELD,
        "genre": _GENRE,
    },
    Preset.FULL: {
        "pairID": ExportField("pairs.key", "id of the pair"),
        **_SENTENCES,
        "label": _LABEL,
        "distant_label": ExportField(
            "pairs.distant_label",
            "the label that follows from the linking phrase, or neutral for a pair drawn as neutral",
        ),
        "gold_label": ExportField(
            GOLD, "the label of the annotators' majority, if the rule for gold labels accepts it"
        ),
        "annotator_labels": _ANSWERS_FIELD,
        "accepted_suggestion": ExportField(
            "json(iif(pairs.accepted, 'true', 'false'))",
            "whether the gold label is a model's suggestion that a person accepted",
            FieldKind.BOOLEAN,
        ),
        "suggested_label": ExportField(
            f"coalesce({LABEL_NAME}, pairs.source ->> '$.suggested_label')", "the label that a model suggests"
        ),
        "suggestion_confidence": ExportField(
            f"""
            coalesce(suggestions.confidence * 1.0 / {PROBABILITY_SCALE}, pairs.source ->> '$.suggestion_confidence')
        """,
            "the calibrated probability of that label",
            FieldKind.NUMBER,
        ),
        "suggestion_model": ExportField(
            "coalesce(models.digest, pairs.source ->> '$.suggestion_model')", "digest of the model's files"
        ),
        "strategy": ExportField(
            "pairs.strategy", "how the pair was found: by a linking phrase, by one of three neutral draws, or imported"
        ),
        "linking_phrase": ExportField("pairs.phrase", "the phrase that was removed from the hypothesis"),
        "sentence2_original": ExportField("pairs.hypothesis_original", "the hypothesis as the paper has it"),
        "edited": ExportField(
            "json(iif(pairs.edited, 'true', 'false'))",
            "whether a person completed or corrected a sentence of the pair",
            FieldKind.BOOLEAN,
        ),
        "sentence1_mined": ExportField("pairs.mined_premise", "the premise before that correction"),
        "sentence2_mined": ExportField("pairs.mined_hypothesis", "the hypothesis before that correction"),
        "crosses_paragraph": ExportField(
            f"json(iif(instr(pairs.flags, '\"{PairFlag.CROSSES_PARAGRAPH}\"'), 'true', 'false'))",
            "whether the premise is the end of the paragraph before",
            FieldKind.BOOLEAN,
        ),
        "flags": ExportField("json(pairs.flags)", "what mining noticed about the pair", FieldKind.TEXTS),
        "domain": _GENRE,
        "split": ExportField(PAIR_SPLIT, "train, dev or test"),
        "paper_sha256": ExportField("papers.sha256", "SHA-256 of the paper's file"),
        "paper_md5": ExportField(PAPER_MD5, "MD5 of the paper's PDF, which identifies it"),
        "title": ExportField("papers.title", "title of the paper"),
        "doi": ExportField("papers.doi", "DOI of the paper"),
        "year": ExportField("papers.year", "year of the paper", FieldKind.INTEGER),
        "licence": ExportField("nullif(papers.licence, '')", "licence of the paper"),
        "journal": ExportField("nullif(papers.journal, '')", "journal of the paper"),
        "section": ExportField(
            "coalesce(sections.title, pairs.source ->> '$.section')", "heading of the premise's section"
        ),
        "page": ExportField("pairs.page", "page of the hypothesis", FieldKind.INTEGER),
        "parser": ExportField("papers.parser", "the parser that read the paper"),
        "parser_version": ExportField("papers.parser_version", "its version"),
        "direction": ExportField(
            f"coalesce(kinds.direction, {DISTANT_DIRECTION})",
            "which sentence entails the other: by most annotators, else by the linking phrase",
        ),
        "distant_direction": ExportField(
            DISTANT_DIRECTION, "the direction that the linking phrase announces, or neither for a pair drawn as neutral"
        ),
        "annotated_direction": ExportField("kinds.direction", _ANNOTATED_DIRECTION),
        "kinds": ExportField(
            f"json({LISTED.format(column='kinds.categories')})",
            "the kinds of reasoning that at least half of the annotators gave (TaxiNLI's categories)",
            FieldKind.TEXTS,
        ),
        "annotator_kinds": ExportField(
            _ANNOTATOR_KINDS,
            "the answers of each annotator: relation, direction (- for none) and kinds",
            FieldKind.TEXTS,
        ),
        "tags": ExportField(_TAGS, "why systems get the pair wrong, by the people who read it", FieldKind.TEXTS),
        "mining_run": ExportField(
            "coalesce(mining_runs.id, pairs.source ->> '$.mining_run')",
            "id of the mining run, from settings, program, rules and language model",
        ),
        "source_id": ExportField("pairs.source_id", "the pair's id in an imported data set"),
        "source_label": ExportField("pairs.source_label", "the pair's label in that data set"),
        "source_columns": ExportField(
            "json(pairs.source -> '$.columns')", "the pair's other columns in that data set", FieldKind.JSON
        ),
    },
}
"""The fields of a row of each preset, in order."""


def reads_from(preset: Preset, *tables: str) -> bool:
    """Whether a field of the preset has a value from one of these tables, by their names in the query."""
    named = re.compile(rf"\b(?:{'|'.join(tables)})\.")
    return any(named.search(field.sql) for field in EXPORT_FIELDS[preset].values())


def has_suggestions(preset: Preset) -> bool:
    """Whether a field says what a model suggests."""
    return reads_from(preset, "suggestions", "models")


def has_fixed_kinds(preset: Preset) -> bool:
    """Whether each of TaxiNLI's kinds of reasoning has a field, so that there is none for other kinds."""
    return EXPORT_FIELDS[preset].keys() >= {*REASONING_COLUMNS.values(), *NEUTRAL_COLUMNS.values()}
