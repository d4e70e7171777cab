"""Says which named numbers of the embedded parser matter for real papers: who changes one sees what depends on it.

    python -m tests.bench.parser_constants ../shared layout headings

moves each number of these modules (of all, where none is named) by a fifth down and up, at least by 1 where it is a
whole one, and parses until a paper comes out otherwise. No part of `make bench`: all modules take some hours.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import pickle
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from miner.errors import UnreadableFile
from miner.parsing import embedded
from miner.parsing.embedded import PdfLimits, parse_pdf, pdfium

PACKAGE = "miner.parsing.embedded."
EACH = 2  # every second paper of each folder
SHARES = (0.8, 1.2)


class Number(NamedTuple):
    """A number that a module names; `at`: its place, where the name has several."""

    module: ModuleType
    name: str
    at: tuple[int, ...]
    value: float

    def __str__(self) -> str:
        place = "".join(f"[{at}]" for at in self.at)
        return f"{self.module.__name__.removeprefix(PACKAGE)}.{self.name}{place} = {self.value:g}"

    def moved(self, share: float) -> float:
        """The number times `share`; a whole number stays one, and moves by 1 at least."""
        if isinstance(self.value, float):
            return self.value * share
        return round(self.value * share) if abs(self.value) >= 5 else self.value + (1 if share > 1 else -1)


class Parses:
    """The parses of some PDFs; pages are read by PDFium once, unless `whole`."""

    def __init__(self, pdfs: list[Path], *, whole: bool) -> None:
        self._pdfs = {pdf: pdf.read_bytes() for pdf in pdfs}
        self._pages: dict[bytes, bytes] = {}
        self._read = embedded._read_text
        if not whole:
            embedded._read_text = self._read_once
        self._digests = {pdf: self._digest(pdf) for pdf in pdfs}
        self._order = pdfs

    def close(self) -> None:
        embedded._read_text = self._read

    def first_changed(self) -> Path | None:
        """The first paper that comes out otherwise than before; None if all come out the same."""
        for pdf in self._order:
            if self._digest(pdf) != self._digests[pdf]:
                self._order = [pdf, *(other for other in self._order if other != pdf)]  # it may well be the next, too
                return pdf
        return None

    def _digest(self, pdf: Path) -> str:
        try:
            text = repr(parse_pdf(self._pdfs[pdf]))
        except UnreadableFile as exc:
            text = exc.code
        except (ArithmeticError, LookupError, TypeError, ValueError) as exc:  # of a number that cannot be
            text = repr(exc)
        return hashlib.md5(text.encode("utf-8", "surrogatepass")).hexdigest()

    def _read_once(self, pdf: bytes, limits: PdfLimits) -> Any:
        if pdf not in self._pages:
            self._pages[pdf] = pickle.dumps(self._read(pdf, limits))
        return pickle.loads(self._pages[pdf])


def modules() -> list[ModuleType]:
    found = [info.name for info in pkgutil.walk_packages(embedded.__path__, PACKAGE)]
    return [importlib.import_module(name) for name in found]


def numbers(module: ModuleType) -> Iterator[Number]:
    """The numbers that constants of the module are, or consist of."""
    for statement in ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(name, ast.Name) and name.id.isupper():
                        yield from (
                            Number(module, name.id, at, value) for at, value in _parts(getattr(module, name.id))
                        )


def _parts(value: object, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], float]]:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value:
        yield at, value
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from _parts(part, (*at, index))


def replaced(value: Any, at: tuple[int, ...], new: float) -> Any:
    if not at:
        return new
    return tuple(replaced(part, at[1:], new) if index == at[0] else part for index, part in enumerate(value))


def set_everywhere(number: Number, value: object, known: list[ModuleType]) -> None:
    """Set the constant in its module and in those that import it."""
    for module in [number.module] if number.name.startswith("_") else known:
        if number.name in vars(module):
            setattr(module, number.name, value)
    for module in known:
        for function in vars(module).values():
            wrapped = getattr(function, "__wrapped__", None)
            if isinstance(function, functools._lru_cache_wrapper) and wrapped.__code__.co_argcount:
                function.cache_clear()


def main(shared: Path, names: list[str]) -> None:
    known = modules()
    readers = {name for name in sys.modules if name.startswith(PACKAGE) and _is_imported(name, pdfium, set())}
    pdfs = [pdf for folder in ("corpus", "jats") for pdf in sorted((shared / "data" / folder).glob("*.pdf"))[::EACH]]
    for module in known:
        if names and module.__name__.removeprefix(PACKAGE) not in names:
            continue
        found = list(numbers(module))
        if not found:
            continue
        parses = Parses(pdfs, whole=module.__name__ in readers)
        for number in found:
            whole = getattr(module, number.name)
            results = []
            for share in SHARES:
                moved = number.moved(share)
                set_everywhere(number, replaced(whole, number.at, moved), known)
                changed = parses.first_changed()
                results.append(f"{moved:g}: {changed.stem[:30] if changed else '-'}")
            set_everywhere(number, whole, known)
            print(f"{number}; {'; '.join(results)}", flush=True)
        parses.close()
    print(f"-: no change in {len(pdfs)} papers")


def _is_imported(name: str, by: ModuleType, seen: set[str]) -> bool:
    """Whether a module of the package is that one, or is imported by it, by whatever way round."""
    if name == by.__name__:
        return True
    seen.add(by.__name__)
    owners = {getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in vars(by).values()}
    inner = [sys.modules[owner] for owner in owners if str(owner).startswith(PACKAGE) and owner not in seen]
    return any(_is_imported(name, module, seen) for module in inner)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
