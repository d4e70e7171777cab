"""The jobs for negatives by WordNet: their counts, their files, and a file for judging whether they are felicitous."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.jobs.lab.experiments.negatives import Negatives, read_negatives
from desktop.jobs.lab.experiments.propositions import numbered_sentences
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.probes.felicity import (
    MAX_BYTES,
    FelicityReport,
    argument_kinds,
    draw_felicity,
    felicity_table,
    masked,
    read_felicity,
    read_labels,
)
from miner.lab.probes.negatives import Bundle, NegativeItem, NegativeOptions, items_of, split_of
from miner.lab.probes.propositions import Proposition, load_parser
from miner.paths import check_ordinary
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from storage.exchange.export_files import NewFile, locked_export_folder
from storage.exchange.listed_files import publish_listed
from storage.pairs.filters import PairFilter
from storage.project import Project

BUNDLES, FELICITY = "negatives.jsonl", "felicity.tsv"
_TICK_EVERY = 100
_LIMITS = ProcessLimits(seconds=60, megabytes=4_000)
_NOTHING_ELSE = ("thing", "thing")


@dataclass(frozen=True, slots=True)
class NegativesReport:
    """The negatives. files: the files that were written. felicity: how many items there are to judge."""

    found: Negatives
    files: tuple[Path, ...]
    felicity: int


def make_negatives(
    project: Project,
    filter: PairFilter,
    folder: Path | None,
    options: NegativeOptions,
    *,
    wordnet: Path | None = None,
    workers: int | None = None,
) -> Job[NegativesReport]:
    """Count the negatives of the papers of the filter's domains; with `folder`, also write them to two files.

    The files are all bundles with their evidence as JSON lines, and items to judge as a table.

    `UserError` as `read_negatives`, and where the folder cannot be written.
    """

    def work(progress: Progress) -> NegativesReport:
        found = read_negatives(project, filter, options, progress, wordnet=wordnet, workers=workers)
        if folder is None:
            return NegativesReport(found, (), 0)
        drawn = draw_felicity(found.probe.bundles, options.seed)
        sentences = _Sentences(project, found.probe.bundles, progress)
        kinds = _kinds(drawn, sentences, worker_count(workers), progress) if drawn else []
        rows = [(item.key, masked(item.proposition, kind)) for item, kind in zip(drawn, kinds, strict=True)]
        with locked_export_folder(folder), ExitStack() as stack:
            files = [stack.enter_context(NewFile(folder, name)) for name in (BUNDLES, FELICITY)]
            for start in range(0, len(found.probe.bundles), _TICK_EVERY):
                progress.tick(start, len(found.probe.bundles), "writing")
                part = found.probe.bundles[start : start + _TICK_EVERY]
                files[0].write_lines([_line(bundle, options.seed, sentences) for bundle in part])
            files[1].write(felicity_table(rows).encode(), len(rows) + 1)
            publish_listed(folder, "negatives", files)
        return NegativesReport(found, tuple(folder / name for name in (BUNDLES, FELICITY)), len(drawn))

    return Job(tr("Making negatives"), work, tr("Parsed papers are kept; run it again to go on with the others."))


def judge_felicity(file: Path) -> Job[FelicityReport]:
    """How many positives and negatives a filled-in file judges felicitous; the file of bundles must be beside it.

    `UserError` where one of the files cannot be read, or a line cannot be right.
    """

    def work(progress: Progress) -> FelicityReport:
        bundles = file.with_name(BUNDLES)
        try:
            check_ordinary(bundles)
            with bundles.open(encoding="utf-8") as lines:
                labels = read_labels(_bundles(lines, progress))
        except OSError as exc:
            hint = tr("Leave {name} in the folder that `pairwright probe negatives --out` wrote.", name=file.name)
            raise UserError(
                tr("{bundles} cannot be read: {strerror}.", bundles=bundles, strerror=exc.strerror), hint=hint
            ) from exc
        except (ValueError, KeyError, TypeError, RecursionError) as exc:
            hint = tr("It must be the file that `pairwright probe negatives --out` wrote.")
            raise UserError(tr("{bundles} is no file of negatives.", bundles=bundles), hint=hint) from exc
        try:
            check_ordinary(file)
            if file.stat().st_size > MAX_BYTES:
                raise UserError(tr("{file} is too large to be a judged file.", file=file))
            return read_felicity(file.read_text(encoding="utf-8-sig"), labels)
        except OSError as exc:
            raise UserError(
                tr("{file} cannot be read: {strerror}.", file=file, strerror=exc.strerror),
                hint=tr("Name the judged file."),
            ) from exc
        except UnicodeDecodeError as exc:
            raise UserError(
                tr("{file} is not UTF-8 text.", file=file), hint=tr("Save it as tab-separated text in UTF-8.")
            ) from exc

    return Job(tr("Reading judgements"), work)


class _Sentences:
    """The texts of the sentences that bundles name, by "paper:number"; read once, paper by paper."""

    def __init__(self, project: Project, bundles: Iterable[Bundle], progress: Progress) -> None:
        wanted: dict[str, set[int]] = defaultdict(set)
        for bundle in bundles:
            for source in (*bundle.sentences, *(name for one in bundle.evidence for name in one.sentences)):
                paper, _, number = source.partition(":")
                wanted[paper].add(int(number))
        self._texts: dict[str, str] = {}
        for place, (paper, numbers) in enumerate(sorted(wanted.items())):
            if place % _TICK_EVERY == 0:
                progress.tick(place, len(wanted), tr("reading sentences"))
            try:
                with project.read_transaction() as stores:
                    sentences = numbered_sentences(stores.papers.get(paper))
            except KeyError:  # it was removed meanwhile
                continue
            self._texts |= {f"{paper}:{number}": sentences[number] for number in numbers if number < len(sentences)}

    def text(self, source: str) -> str:
        return self._texts.get(source, "")

    def row(self, source: str) -> dict[str, Any]:
        paper, _, number = source.partition(":")
        return {"paper_md5": paper, "sentence": int(number), "text": self.text(source)}


def _line(bundle: Bundle, seed: int, sentences: _Sentences) -> bytes:
    positive, *negatives = items_of(bundle)
    subject, _, object = bundle.positive
    row = {
        "window": bundle.window,
        "split": split_of(bundle, seed),
        "subject": subject,
        "object": object,
        "positive": {
            "id": positive.key,
            "predicate": positive.proposition.predicate,
            "sentences": list(map(sentences.row, bundle.sentences)),
        },
        "negatives": [{"id": one.key, "predicate": one.proposition.predicate} for one in negatives],
        "evidence": [
            {"predicate": one.predicate, "sentences": list(map(sentences.row, one.sentences))}
            for one in bundle.evidence
        ],
    }
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _bundles(lines: Iterable[str], progress: Progress) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines):
        if number % _TICK_EVERY == 0:
            progress.tick(number, None)
        yield json.loads(line)


_Said = tuple[str, Proposition]


def _kinds(
    items: Sequence[NegativeItem], sentences: _Sentences, workers: int, progress: Progress
) -> list[tuple[str, str]]:
    """The kinds of each item's arguments, from the first sentence that states its positive."""
    said = [(sentences.text(item.bundle.sentences[0]), item.bundle.positive) for item in items]
    if workers == 1:
        return list(map(_open_kinds(), said))
    found = run(_open_kinds, said, workers=1, limits=_LIMITS, on_poll=lambda: progress.tick(0, None, "masking"))
    return [_NOTHING_ELSE if isinstance(kinds, Failure) else kinds for _, kinds in found]


def _open_kinds() -> Callable[[_Said], tuple[str, str]]:
    nlp = load_parser(exclude=("parser", "senter"))

    def kinds(said: _Said) -> tuple[str, str]:
        return argument_kinds(nlp, *said)

    return kinds
