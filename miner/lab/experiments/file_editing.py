"""Changes single values of an experiment file and leaves the rest as it was written, comments too.

A place in a file is a path of keys and positions, such as ("system", 1, "input"). The functions give the new text.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any

from miner import codec
from miner.errors import UserError
from miner.libraries import tomlkit

Path = tuple[str | int, ...]


def file_values(text: str) -> dict[str, Any]:
    """The values of a file; `UserError` where it is not TOML."""
    try:
        return codec.parse_toml(text)
    except ValueError as exc:
        raise UserError(f"This experiment file is not TOML: {exc}.", hint="Correct the line and try again.") from exc


def set_value(text: str, path: Path, value: Any) -> str:
    """Set a value, with the tables that it is in. None removes it."""

    def change(values: Any) -> None:
        *above, last = path
        for key in above:
            if isinstance(values, dict) and key not in values:
                values[key] = _inline({}) if _is_document(values) else {}
            values = values[key]
        if value is not None:
            values[last] = _inline(value) if _is_document(values) else value
        elif isinstance(values, dict):
            values.pop(last, None)
        else:
            del values[last]

    return _changed(text, change)


def add_table(text: str, name: str, value: Mapping[str, Any]) -> str:
    """Add a table to a list of tables such as "system", behind those there are."""

    def change(values: Any) -> None:
        if not _is_document(values):
            values.setdefault(name, []).append(dict(value))
            return

        if name not in values:
            values[name] = tomlkit.aot()
        table = tomlkit.table()
        for key, one in value.items():
            table[key] = _inline(one)
        values[name].append(table)

    return _changed(text, change)


def add_set(text: str, name: str, value: Mapping[str, Any]) -> str:
    """Add a data set, replacing a set with this name."""

    def change(values: Any) -> None:
        if not _is_document(values):
            values.setdefault("data", {})[name] = dict(value)
            return

        if "data" not in values:
            values["data"] = tomlkit.table(is_super_table=True)
        table = tomlkit.table()
        for key, one in value.items():
            table[key] = _inline(one)
        values["data"][name] = table

    return _changed(text, change)


def rename_set(text: str, old: str, new: str) -> str:
    """Give a data set another name, everywhere in the file."""
    values = file_values(text)
    sets = values.get("data", {})
    if old not in sets or new in sets:
        return text
    values["data"] = {new if name == old else name: one for name, one in sets.items()}
    for one in values["data"].values():
        if isinstance(one, dict):
            if isinstance(one.get("union"), list):
                one["union"] = [new if name == old else name for name in one["union"]]
            if one.get("of") == old:
                one["of"] = new
    for system in values.get("system", []):
        if isinstance(system.get("intermediate"), dict) and system["intermediate"].get("data") == old:
            system["intermediate"]["data"] = new
        if system.get("exemplars") == old:
            system["exemplars"] = new
    header = re.compile(rf'(\[\s*data\s*\.\s*)({re.escape(_key(old))}|"{re.escape(old)}")(\s*[\].])')
    renamed = header.sub(lambda found: f"{found[1]}{_key(new)}{found[3]}", text)
    for quoted in (f'"{old}"', f"'{old}'"):
        if _same(renamed, values):
            break
        renamed = renamed.replace(quoted, f'"{new}"')
    return renamed if _same(renamed, values) else _written(text, values)


def error_line(text: str, problem: str) -> int | None:
    """The line, from 1, that a problem of `parse_experiment` is about; None where that is not known."""
    if found := re.search(r"\(at line (\d+)", problem):
        return int(found[1])
    lines = text.splitlines()
    if "(at end of document)" in problem:
        return max(1, len(lines))
    start = _section_line(lines, problem)
    if start is None:
        key = re.search(r"unknown key: (\S+?)\.?$", problem) or re.search(r"`(\w+)`", problem)
        return None if key is None else _key_line(lines, key[1], 0, len(lines))
    end = next((number for number in range(start + 1, len(lines)) if lines[number].lstrip().startswith("[")), None)
    end = len(lines) if end is None else end
    for pattern in (
        r"unknown key: (\S+?)\.?$",
        r"kind: (\w+)\.?$",
        r", (train|dev|test)\b",
        r"`\$\.(\w+)`",
        r"`(\w+)`",
    ):
        if found := re.search(pattern, problem):
            word = "kind" if pattern.startswith("kind") else found[1]
            if line := _key_line(lines, word, start, end):
                return line
    return start + 1


def _section_line(lines: list[str], problem: str) -> int | None:
    """The index of the line where the section begins that a problem names."""
    if found := re.match(r"(System|Table) (\d+)\b", problem):
        heads = [n for n, line in enumerate(lines) if re.match(rf"\s*\[\[\s*{found[1].lower()}\s*\]\]", line)]
        return heads[int(found[2]) - 1] if int(found[2]) <= len(heads) else None
    if problem.startswith("The cartography"):
        return next((n for n, line in enumerate(lines) if re.match(r"\s*\[\s*cartography\s*\]", line)), None)
    for number, line in enumerate(lines):
        head = re.match(r"""\s*\[\s*data\s*\.\s*["']?(.+?)["']?\s*\]""", line)
        if head and re.match(rf"The set {re.escape(head[1])}\b", problem):
            return number
    return None


def _key_line(lines: list[str], key: str, start: int, end: int) -> int | None:
    """The number of the line that sets a key, also within an inline table."""
    pattern = re.compile(rf"""(^|[{{,\s])["']?{re.escape(key)}["']?\s*=""")
    return next((n + 1 for n in range(start, end) if pattern.search(lines[n])), None)


def _changed(text: str, change: Callable[[Any], None]) -> str:
    """The text with a change, which is made to the plain values and to the document, and compared."""
    wanted = copy.deepcopy(file_values(text))
    change(wanted)

    try:
        document = tomlkit.parse(text)
        change(document)
        new = tomlkit.dumps(document)
    except (tomlkit.exceptions.TOMLKitError, TypeError, ValueError, KeyError, IndexError, AttributeError):
        return _written(text, wanted)
    return new if _same(new, wanted) else _written(text, wanted)


def _written(text: str, values: Mapping[str, Any]) -> str:
    """The values as a new file, below the comments that the text begins with."""
    import tomli_w

    head = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        head.append(f"{line}\n")
    return "".join(head) + tomli_w.dumps(values)


def _same(text: str, values: Mapping[str, Any]) -> bool:
    try:
        return codec.parse_toml(text) == values
    except ValueError:
        return False


def _is_document(values: Any) -> bool:
    """Whether these values are of a document that keeps its layout."""
    return hasattr(values, "unwrap")


def _inline(value: Any) -> Any:
    """A value as the document has it; a table within one line."""

    if not isinstance(value, Mapping):
        return tomlkit.item(value)
    table = tomlkit.inline_table()
    for key, one in value.items():
        table[key] = _inline(one)
    return table


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
