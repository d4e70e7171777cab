"""Every exception of ours can be sent from one process to another."""

from __future__ import annotations

import builtins
import pickle
import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from desktop.jobs.papers.import_session import ImportResult, ImportStopped
from miner.codec import UnknownField
from miner.errors import UnreadableFile, UserError
from miner.parsing.grobid.server import GrobidPaused
from miner.processes.child import Failure, ProcessStartError
from miner.processes.computer_locks import HeldElsewhere, Holder
from storage.errors import DamagedProject

ROOT = Path(__file__).parents[1]
WHAT, HINT = "It is gone.", "Look elsewhere."

# Those whose `__init__` takes other arguments than that of `UserError`, or of `Exception`.
EXAMPLES: dict[type[Exception], Callable[[], Exception]] = {
    DamagedProject: lambda: DamagedProject(Path("a.pairwright"), WHAT, hint=HINT),
    GrobidPaused: lambda: GrobidPaused("gone", WHAT, hint=HINT),
    HeldElsewhere: lambda: HeldElsewhere(Holder("lab-7", "", "anna", "2026-11-29 10:00")),
    ImportStopped: lambda: ImportStopped(UserError(WHAT, hint=HINT), ImportResult(new=3)),
    ProcessStartError: lambda: ProcessStartError(Failure("refused", WHAT, UserError(WHAT, hint=HINT))),
    UnknownField: lambda: UnknownField("colour"),
    UnreadableFile: lambda: UnreadableFile("scan", WHAT, hint=HINT),
}


@cache
def exception_names() -> list[str]:
    """Module and name of each class under `Exception` that the program defines, read from its source."""
    classes: list[tuple[str, str]] = []
    bases: dict[str, list[str]] = defaultdict(list)  # of all classes of that name
    for folder in ("desktop", "miner", "storage"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for name, under in re.findall(r"^class (\w+)\(([^()]*)\):", path.read_text(encoding="utf-8"), re.MULTILINE):
                classes.append((module, name))
                bases[name] += re.findall(r"(\w+)(?= *(?:,|\[|$))", under)

    def is_exception(name: str) -> bool:
        known = getattr(builtins, name, None)
        if isinstance(known, type) and issubclass(known, BaseException):
            return True
        return any(is_exception(base) for base in bases.get(name, ()))

    return [f"{module}:{name}" for module, name in classes if is_exception(name)]


def example(kind: type[Exception]) -> Exception:
    if kind in EXAMPLES:
        return EXAMPLES[kind]()
    assert "__init__" not in vars(kind) or kind is UserError, "give an example of it"
    return kind(WHAT, hint=HINT) if issubclass(kind, UserError) else kind(WHAT)


@pytest.mark.parametrize("name", exception_names())
def test_an_exception_arrives_as_it_was_sent(name: str) -> None:
    module, _, class_name = name.partition(":")
    sent = example(getattr(import_module(module), class_name))
    arrived = pickle.loads(pickle.dumps(sent))
    assert type(arrived) is type(sent)
    assert str(arrived) == str(sent)
    assert arrived.args == sent.args
    assert repr(vars(arrived)) == repr(vars(sent))  # errors among the attributes are equal to nothing


def test_the_classes_are_found() -> None:
    names = {name.partition(":")[2] for name in exception_names()}
    assert {kind.__name__ for kind in EXAMPLES} | {"UserError", "Cancelled", "EmptyPart", "UnknownField"} <= names


def test_a_message_shows_no_more_of_a_file_than_a_person_reads() -> None:
    error = UserError(f"{'a' * 70_000} is no label.", hint="\x1b[31m\0red\ttab\nline")
    assert len(str(error)) < 5_000
    assert str(error).endswith("…")
    assert error.hint == "\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}red\ttab\nline"
