"""Small faults, put into a copy of the program one at a time: what finds each of them?

    python -m tests.mutations [NAME ...]

prints a table of the faults: whether the type checker or the tests that are named find it, and how long they took.
Nothing in the working tree is changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TYPES = "mypy"
_CLI, _EXPORT = "tests/desktop/cli/", "tests/storage/exchange/"


class Mutation(NamedTuple):
    """In `file`, `old` becomes `new`. finders: what is run until one fails: `TYPES`, files of tests or tests."""

    name: str
    file: str
    old: str
    new: str
    finders: tuple[str, ...]


MUTATIONS = (
    Mutation(
        "an option that a form forgets",
        "desktop/ui/pages/export/form.py",
        '        self._fields.bind("settled", self.settled)\n',
        "",
        ("tests/desktop/ui/pages/export/test_page.py",),
    ),
    Mutation(
        "an option that a command forgets",
        "desktop/cli/options/exchange.py",
        '    add_option(parser, SplitOptions, "train_labels")\n',
        "",
        (f"{_CLI}test_project_split.py",),
    ),
    Mutation(
        "a drop reason without a text",
        "miner/mining/drop_reasons.py",
        '"too_near": DropText(',
        '"near": DropText(',
        ("tests/miner/mining/test_neutral_pairs.py",),
    ),
    Mutation(
        "a filter without a rule",
        "miner/mining/sentence_filters.py",
        '    "unreadable": _is_unreadable,\n',
        "",
        ("tests/miner/mining/test_sentence_filters.py",),
    ),
    Mutation(
        "a user's setting that is not on the page",
        "desktop/ui/pages/settings/entries.py",
        '        "reduced_motion",\n',
        '        "motion",\n',
        ("tests/desktop/ui/pages/settings/test_page.py",),
    ),
    Mutation(
        "a format without its importer",
        "desktop/jobs/papers/imports.py",
        "case FileKind.JATS | FileKind.TEI:",
        "case FileKind.TEI:",
        (TYPES, "tests/desktop/jobs/papers/test_imports.py"),
    ),
    Mutation(
        "a format without its parser",
        "miner/parsing/file_parser.py",
        "case FileKind.JATS | FileKind.ARCHIVE:",
        "case FileKind.ARCHIVE:",
        ("tests/miner/parsing/test_file_parser.py", "tests/desktop/jobs/papers/test_publishers_xml.py"),
    ),
    Mutation(
        "a parser without its rank",
        "miner/parsing/parse_ranks.py",
        "GROBID: PaperParser(2, ",
        "GROBID: PaperParser(0, ",
        ("tests/storage/papers/test_store.py",),
    ),
    Mutation(
        "a parser without its version",
        "miner/parsing/parse_ranks.py",
        '    JSON_LINES: PaperParser(1, JSON_LINES_VERSION, "lines"),\n',
        "",
        ("tests/desktop/jobs/papers/test_outdated.py",),
    ),
    Mutation(
        "an ending that is not taken",
        "miner/parsing/formats.py",
        '(".jsonl", ".ndjson")',
        '(".jsonl",)',
        ("tests/desktop/jobs/papers/test_imports.py",),
    ),
    Mutation(
        "an exported field that is missing",
        "storage/exchange/export_fields.py",
        '        "doi": ExportField("papers.doi", "DOI of the paper"),\n',
        "",
        (f"{_EXPORT}test_pair_export.py",),
    ),
    Mutation(
        "two exported fields swapped",
        "storage/exchange/export_fields.py",
        '        "prem": _SENTENCES["sentence1"],\n        "hyp": _SENTENCES["sentence2"],\n',
        '        "prem": _SENTENCES["sentence2"],\n        "hyp": _SENTENCES["sentence1"],\n',
        (f"{_EXPORT}test_kinds_export.py",),
    ),
    Mutation(
        "a filter without a condition",
        "storage/pairs/filters.py",
        '    accepted: bool | None = _is_so("accepted", _YES, _PEOPLE)\n',
        "",
        (TYPES, "tests/storage/pairs/test_query.py"),
    ),
    Mutation(
        "a condition that people's work does not change",
        "storage/pairs/filters.py",
        '_is_so("edited", _YES, _PEOPLE)',
        '_is_so("edited", _YES)',
        ("tests/storage/pairs/test_filters.py",),
    ),
    Mutation(
        "a condition without a name on screen",
        "desktop/ui/services/display_names.py",
        '    "accepted": FilterField(tr("Accepted suggestion"), _MODEL, {"True": tr("yes"), "False": tr("no")}),\n',
        "",
        ("tests/desktop/ui/pages/pairs/test_page.py",),
    ),
    Mutation(
        "another default of a setting",
        "storage/settings.py",
        'Setting("blind", True, _boolean)',
        'Setting("blind", False, _boolean)',
        ("tests/storage/test_settings.py", "tests/desktop/ui/pages/review/test_page.py"),
    ),
    Mutation(
        "a user's setting that is missing",
        "desktop/settings.py",
        '    annotator: Annotated[str, _is_text] = ""\n',
        "",
        (TYPES,),
    ),
    Mutation(
        "a stored field that is not read",
        "storage/convert.py",
        "        sources=field_sources(row),\n",
        "",
        ("tests/storage/papers/test_store.py",),
    ),
    Mutation(
        "columns read by their order, not their names",
        "storage/convert.py",
        "    in_order = names == tuple(types)[: len(names)] and not by_keyword",
        "    in_order = not by_keyword",
        ("tests/storage/test_convert.py",),
    ),
    Mutation(
        "two columns of a query that have the name of the other",
        "storage/annotation/kinds.py",
        "SELECT pairs.key, premise, hypothesis, premise_words, hypothesis_words,",
        "SELECT pairs.key, hypothesis AS premise, premise AS hypothesis, premise_words, hypothesis_words,",
        ("tests/storage/annotation/test_kinds.py",),
    ),
    Mutation(
        "two sentences of an answer swapped",
        "storage/annotation/votes.py",
        "SELECT latest.annotator, premise, hypothesis, new\n",
        "SELECT latest.annotator, hypothesis, premise, new\n",
        ("tests/storage/annotation/test_votes.py",),
    ),
    Mutation(
        "an order of rounds that is another one",
        "storage/annotation/rounds.py",
        "return self._in_order(filter, annotator, size, best_first=True)",
        "return self._in_order(filter, annotator, size)",
        ("tests/desktop/jobs/review/test_rounds.py",),
    ),
    Mutation(
        "answers that count although an earlier pair waits",
        "miner/precision/sampling.py",
        "ends[draw] = min(ends.get(draw, 1.0), pair.number / probability)",
        "ends[draw] = 1.0",
        ("tests/miner/precision/test_sampling.py",),
    ),
    Mutation(
        "intervals that believe few errors",
        "miner/precision/estimates.py",
        "min(right, count - right) / _ERRORS_OF_PROOF",
        "count",
        ("tests/miner/precision/test_estimates.py",),
    ),
    Mutation(
        "an order of rounds without its branch",
        "storage/annotation/rounds.py",
        "case RoundOrder.LEAST_CERTAIN | RoundOrder.ACTIVE:",
        "case RoundOrder.ACTIVE:",
        (TYPES,),
    ),
    Mutation(
        "a trait that is another one",
        "storage/pairs/traits.py",
        'return _globs(text, ["*[0-9]*"])',
        'return _globs(text, ["*[1-9]*"])',
        ("tests/storage/pairs/test_traits.py",),
    ),
    Mutation(
        "a command that is not there",
        "desktop/cli/commands.py",
        "    exchange.leaks,\n",
        "",
        (f"{_CLI}test_main.py::test_every_command_has_help_with_examples_that_parse", f"{_CLI}test_splits.py"),
    ),
    Mutation(
        "another default of an option",
        "desktop/cli/options/annotation.py",
        'choices=roles, default="annotator"',
        'choices=roles, default="reference"',
        (f"{_CLI}test_annotation.py",),
    ),
    Mutation(
        "defaults of two options swapped",
        "desktop/cli/options/annotation.py",
        'choices=("benchmark", "pilot", "estimate"), default="benchmark"',
        'choices=("benchmark", "pilot", "estimate"), default="pilot"',
        (f"{_CLI}test_annotation.py",),
    ),
    Mutation(
        "a result that is not described",
        "desktop/jobs/results.py",
        '    "MergedFile": describe_merged_file,\n',
        "",
        ("tests/desktop/jobs/review/test_answer_files.py",),
    ),
    Mutation(
        "a page without its tab",
        "desktop/ui/shell/navigation.py",
        "(_DOUBTS, _MODEL)",
        "(_DOUBTS,)",
        ("tests/desktop/ui/shell",),
    ),
    Mutation(
        "an answering key that another page does not have",
        "desktop/settings.py",
        '("review", "disagreements", "kinds", "pairs.label")',
        '("review", "disagreements", "kinds")',
        ("tests/desktop/ui/pages/settings/test_page.py",),
    ),
)


def main(names: list[str]) -> int:
    """The number of faults that nothing has found."""
    unknown = {*names} - {one.name for one in MUTATIONS}
    if unknown:
        sys.exit(f"There is no fault called {', '.join(sorted(unknown))}.")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        _copy_tree(copy)
        for one in MUTATIONS:
            if not names or one.name in names:
                began = time.monotonic()
                found_by = _find(one, copy)
                missed += found_by is None
                print(f"{one.name:55} {time.monotonic() - began:5.0f} s  {found_by or 'NOT FOUND'}", flush=True)
    return missed


def _copy_tree(copy: Path) -> None:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", copy / ".mypy_cache")


def _find(one: Mutation, copy: Path) -> str | None:
    """The first finder that fails on the copy with this fault, which is mended afterwards."""
    path = copy / one.file
    sound = path.read_text(encoding="utf-8")
    assert sound.count(one.old) == 1, one.name
    path.write_text(sound.replace(one.old, one.new), encoding="utf-8")
    try:
        return next((finder for finder in one.finders if _fails(finder, copy)), None)
    finally:
        path.write_text(sound, encoding="utf-8")


def _fails(finder: str, copy: Path) -> bool:
    command = ["mypy"] if finder == TYPES else ["pytest", "-q", "-x", "-p", "no:randomly", "-m", "not slow", finder]
    environment = {**os.environ, "PYTHONPATH": str(copy), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-m", *command], cwd=copy, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{finder} could not be run: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
