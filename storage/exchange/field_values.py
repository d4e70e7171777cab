"""The values of a data set file's fields, converted to our types; None where a value cannot be converted."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from miner.parsing.text import tidy
from miner.records import PairFlag, Strategy
from storage.pairs.tags import clean_tag

_MAX_TEXT_LENGTH = 1_000  # of a title, a section and the like
_MAX_NESTING = 32  # of lists and objects; SQLite reads up to a thousand
NOT_UNICODE = re.compile("[\ud800-\udfff]")


def as_list(value: object) -> list[object] | None:
    """A list, or a text of one (JSON, Python's form, or separated by commas); None for anything else."""
    if value in (None, ""):
        return []
    if isinstance(value, str):
        words = [word.strip(" '\"") for word in value.strip().removeprefix("[").removesuffix("]").split(",")]
        return [word for word in words if word]
    return value if isinstance(value, list) else None


def as_object(value: object) -> dict[str, Any] | None:
    """An object, or a text of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def short_text(value: object) -> str | None:
    """A text in one line, or a number as text."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    text = tidy(str(value))
    return text if len(text) <= _MAX_TEXT_LENGTH else None


def as_bool(value: object) -> bool | None:
    return value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).lower())


def as_integer(value: object, minimum: int, maximum: int) -> int | None:
    number = int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value) else value
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if minimum <= number <= maximum else None


def as_probability(value: object) -> float | None:
    if not isinstance(value, str | int | float):
        return None
    with suppress(ValueError, OverflowError):
        probability = float(value)
        return probability if 0 <= probability <= 1 else None
    return None


def as_hash(value: object, pattern: re.Pattern[str]) -> str | None:
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def as_strategy(value: object) -> Strategy | None:
    return Strategy(str(value)) if value in list(Strategy) else None


def as_flags(value: object) -> tuple[PairFlag, ...] | None:
    words = as_list(value)
    if words is None or not all(word in list(PairFlag) for word in words):
        return None
    return tuple(PairFlag(str(word)) for word in words)


def compact_json(value: object) -> str | None:
    """Compact JSON; None for values without JSON, or nested too deeply."""
    if not _is_shallow(value, _MAX_NESTING):
        return None
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return None
    return json.dumps(value, allow_nan=False, separators=(",", ":")) if NOT_UNICODE.search(text) else text


def _is_shallow(value: object, levels: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_is_shallow(part, levels - 1) for part in parts if isinstance(part, dict | list))


def as_tags(value: object) -> list[str] | None:
    """Tags as our own exports list them, or the JSON text of such a list; None for anything else."""
    try:
        listed = json.loads(value) if isinstance(value, str) else value
        if not isinstance(listed, list) or any(clean_tag(tag) != tag for tag in listed):
            return None
    except (ValueError, TypeError, RecursionError):
        return None
    return sorted(set(listed))
