"""The columns for kinds of reasoning in TaxiNLI's released files and similar files.

A category has a column with its name, or with its name and its group's ("negation_logic"); any number but 0 is yes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import Direction, Taxonomy
from miner.records import Label
from storage.exchange.field_values import as_list

REASONING_COLUMNS = {
    "lexical": "lexical_linguistic",
    "syntactic": "syntactic_linguistic",
    "factivity": "factivity_linguistic",
    "negation": "negation_logic",
    "boolean": "boolean_logic",
    "quantifier": "quantifier_logic",
    "conditional": "conditional_logic",
    "comparative": "comparative_logic",
    "relational": "relational_reasoning",
    "spatial": "spatial_reasoning",
    "temporal": "temporal_reasoning",
    "causal": "causal_reasoning",
    "coreference": "coreference_reasoning",
    "world": "world_knowledge",
    "taxonomic": "taxonomic_knowledge",
}
"""TaxiNLI's columns by category, in their order."""
NEUTRAL_COLUMNS = {"topic": "general_q2", "subject": "subject_q2", "object": "object_q2"}
"""Its columns of what neutral sentences share, which are "-" for other pairs."""
ANNOTATED_LABEL, ANNOTATED_DIRECTION = "annotated_label", "annotated_direction"
_YES, _NO = frozenset(("yes", "y", "true")), frozenset(("", "-", "0", "0.0", "no", "n", "false", "nan", "none"))
_MAX_CATEGORY = 64  # characters


def category_columns(taxonomy: Taxonomy, names: Collection[str]) -> dict[str, str]:
    """The column of each category, in small letters, among these columns."""
    return {key: column for key in taxonomy.categories if (column := _column(key, names))}


def ticked_categories(fields: Mapping[str, object], columns: Mapping[str, str]) -> frozenset[str]:
    """The categories that a row says yes to. columns: as `category_columns` gives them."""
    return frozenset(key for key, column in columns.items() if _is_yes(str(fields.get(column) or "").strip()))


def as_direction(value: object) -> Direction | None:
    """The direction of this name; None for any other value."""
    return Direction(str(value)) if value in list(Direction) else None


def as_pair_kinds(value: object) -> tuple[PairKinds, ...] | None:
    """What annotators say, as a `full` export has it; None if one of them cannot be read.

    Each of them is a text: the relation, the direction ("-" for none), and the kinds, with a space between them.
    """
    listed = as_list(value)
    if listed is None:
        return None
    found = []
    for text in listed:
        relation, direction, *categories = str(text).split() if len(str(text).split()) > 1 else ("", "")
        given = as_direction(direction)
        if relation not in list(Label) or (given is None and direction != "-") or not all(map(is_category, categories)):
            return None
        found.append(PairKinds(relation, frozenset(categories), given, complete=True))
    return tuple(found)


def is_category(name: str) -> bool:
    """Whether a category can have this name: small enough, of letters, digits, "-" and "_"."""
    return 0 < len(name) <= _MAX_CATEGORY and name.isascii() and name.replace("-", "_").replace("_", "a").isalnum()


def _column(category: str, names: Collection[str]) -> str:
    """The column of a category: its name, with or without a group behind it; "" without one."""
    wanted = [category, NEUTRAL_COLUMNS.get(category, category)]
    if found := next((name for name in wanted if name in names), ""):
        return found
    return next((name for name in sorted(names) if name.startswith(f"{category}_") and name.count("_") == 1), "")


def _is_yes(value: str) -> bool:
    text = value.casefold()
    if text in _YES or text in _NO:
        return text in _YES
    try:
        return float(text) != 0
    except ValueError:
        return False
