"""Gathers every text of the window into `pairwright.ts`, which is read and translated; compiles translations.

    python packaging/translations/make.py             after texts have changed
    python packaging/translations/make.py de          makes or updates pairwright_de.ts, for Qt Linguist
    python packaging/translations/make.py --compile   pairwright_*.ts to desktop/translations/*.qm, which are shipped

Qt's own `lupdate` and `lrelease` do the work. lupdate knows `tr(…)`; the titles of jobs, as in `@read_job("…")`, are
given to it, and the nouns of `count(number, "paper")` as texts with a number, so that each language can have its own
plurals.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import PySide6

from miner.mining.drop_reasons import DROP_TEXTS
from miner.parsing.formats import FORMATS
from miner.records import ANSWER_DEFINITIONS
from storage.pairs.tags import USUAL_TAGS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SHOWN_FROM_BELOW = (
    *(text for reason in DROP_TEXTS.values() for text in (reason.name, reason.meaning)),
    *ANSWER_DEFINITIONS.values(),
    *USUAL_TAGS.values(),
    *(text for one in FORMATS for text in (one.form, one.plural)),
)
"""Texts of miner and storage, which know no window, that it shows by `tr`."""
JOB_DECORATORS = frozenset(("read_job", "write_job"))
CATALOGUE = HERE / "pairwright.ts"
COMPILED = ROOT / "desktop" / "translations"
TOOLS = Path(PySide6.__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", nargs="?", help="a language to translate into, such as de or pt_BR")
    parser.add_argument("--compile", action="store_true", help="make the files that the program loads")
    options = parser.parse_args()
    if options.compile:
        for file in HERE.glob("pairwright_*.ts"):
            compile_translation(file, COMPILED / f"{file.stem}.qm")
    elif options.language:
        gather(HERE / f"pairwright_{options.language}.ts", options.language)
    else:
        CATALOGUE.unlink(missing_ok=True)  # lupdate would add new texts to the end of a file
        gather(CATALOGUE, "en")


def gather(catalogue: Path, language: str) -> None:
    """Bring the catalogue up to date: new texts come, those that are gone go, translations stay."""
    sources = sorted((ROOT / "desktop").rglob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        others = Path(folder) / "others.py"
        nouns = {*counted_nouns(sources), *((one.noun, one.plural) for one in FORMATS)}
        calls = [f"tr({singular!r}, {plural!r}, n)\n" for singular, plural in sorted(nouns)]
        calls += [f"tr({text!r})\n" for text in (*SHOWN_FROM_BELOW, *job_titles(sources))]
        others.write_text("".join(calls), "utf-8")
        options = ["-silent", "-no-obsolete", "-locations", "none", "-source-language", "en"]
        subprocess.run(
            [TOOLS / "lupdate", *options, "-target-language", language, *sources, others, "-ts", catalogue], check=True
        )


def compile_translation(translation: Path, compiled: Path) -> None:
    """Make the file that Qt loads."""
    subprocess.run([TOOLS / "lrelease", "-silent", translation, "-qm", compiled], check=True)


def counted_nouns(sources: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Singular and plural of each noun that `desktop.text.count` is called with."""
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"count", "counted"}:
                match [argument.value for argument in node.args[1:] if isinstance(argument, ast.Constant)]:
                    case [str(singular)]:
                        yield singular, f"{singular}s"
                    case [str(singular), str(plural)]:
                        yield singular, plural


def job_titles(sources: Iterable[Path]) -> Iterator[str]:
    """The titles of jobs in the decorators of `desktop.jobs.transactions`."""
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in JOB_DECORATORS:
                yield from (argument.value for argument in node.args if isinstance(argument, ast.Constant))


if __name__ == "__main__":
    main()
