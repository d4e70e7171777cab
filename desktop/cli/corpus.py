"""The commands that mine, settle, describe and load corpora, pull projects from them, and push answers back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from desktop.cli.conflicts import conflict_data
from desktop.cli.execution import CommandResult, Options, full_text, problem_lines, run_job
from desktop.cli.output import table
from desktop.cli.paper_tables import NEEDS_SENTENCES, table_data, table_text
from desktop.cli.settings_file import settings_from_file
from desktop.jobs.corpus.load import LoadOptions, load_corpus
from desktop.jobs.corpus.mine import CorpusMiningOptions, Engine, mine_corpus, parse_shard
from desktop.jobs.corpus.pull import pull_corpus
from desktop.jobs.corpus.push import push_project
from desktop.jobs.corpus.settle import CorpusFigures, read_figures, settle_corpus
from desktop.jobs.corpus.statistics import measure_shards
from desktop.jobs.descriptions.stock import failure_name
from desktop.jobs.pairs.paper_tables import PaperTable
from desktop.jobs.results import describe
from desktop.text import count, size
from miner.classifier.vocabulary import STARTER_TOKENIZER
from miner.corpus.mapping import MapSettings
from miner.mining.settings import MiningSettings
from miner.records import Label
from storage.exchange.added_project import PersonConflict
from storage.project import Project


def mine(options: Options) -> CommandResult:
    settings = settings_from_file(options.settings) if options.settings else MiningSettings()
    if options.seed is not None:
        settings = replace(settings, seed=options.seed)
    how = CorpusMiningOptions(
        MapSettings(settings, options.model, options.domain),
        Engine(options.engine),
        options.jobs,
        options.actors,
        parse_shard(options.shard),
    )
    done = run_job(mine_corpus(options.papers, options.out, how), options)
    result = describe(done)
    return CommandResult(full_text(result), asdict(done), notes=problem_lines(result.problems))


def settle(options: Options) -> CommandResult:
    done = run_job(settle_corpus(options.place, memory_mb=options.memory), options)
    return CommandResult(full_text(describe(done)), asdict(done))


def pull(options: Options) -> CommandResult:
    job = pull_corpus(options.place, options.target, options.where, options.papers, options.seed)
    done = run_job(job, options)
    answers = done.pulled.answers
    data = {
        "place": done.place,
        "project": str(done.project),
        "is_new": done.is_new,
        **{name: getattr(done.pulled, name) for name in ("papers", "pairs", "known", "matching")},
        **{name: getattr(answers, name) for name in ("answers", "marks", "texts", "people")},
        "conflicts": _conflicts(answers.conflicts),
    }
    return CommandResult(full_text(describe(done)), data)


def push(options: Options) -> CommandResult:
    with Project.open(options.source, read_only=True) as project:
        done = run_job(push_project(project, options.place), options)
    pushed = done.pushed
    names = ("events", "known", "elsewhere", "people", "file")
    data = {"place": done.place, **{name: getattr(pushed, name) for name in names}}
    return CommandResult(full_text(describe(done)), data | {"conflicts": _conflicts(pushed.conflicts)})


def _conflicts(found: Sequence[PersonConflict]) -> list[dict[str, Any]]:
    return [{"annotator": one.name, **conflict_data(one.conflict)} for one in found]


def stats(options: Options) -> CommandResult:
    if options.table is not None:
        return _paper_table(options)
    found = run_job(read_figures(options.place), options)
    return CommandResult(_figures_text(found), asdict(found))


def _figures_text(found: CorpusFigures) -> str:
    papers, pairs = Counter[str](), Counter[tuple[str, str]]()
    for domain, _, _, number in found.counts.papers:
        papers[domain] += number
    for domain, _, label, number in found.counts.pairs:
        pairs[domain, label] += number
    labels = [*Label, *(label for label in ("",) if any(key[1] == label for key in pairs))]
    rows = [
        (domain or "(no domain)", papers[domain], *(pairs[domain, label] for label in labels))
        for domain in sorted(papers)
    ]
    shards = f"{count(found.shards, 'shard')} of {size(found.size)}"
    parts = [
        f"{count(sum(papers.values()), 'paper')} and {count(sum(pairs.values()), 'pair')} in {shards}.",
        table(("domain", "papers", *(str(label) or "no label" for label in labels)), rows),
    ]
    parts.append(table(("other forms of papers", "files"), found.counts.linked))
    failed = [(failure_name(code), number) for code, number in found.counts.failed]
    parts.append(table(("no papers, by reason", "files"), failed))
    return "\n\n".join(filter(None, parts))


def _paper_table(options: Options) -> CommandResult:
    which = PaperTable(options.table)
    job = measure_shards(
        options.place,
        sentences=options.sample if which in NEEDS_SENTENCES else 0,
        tokenizer=(options.tokenizer or STARTER_TOKENIZER) if which is PaperTable.SIMILARITY else None,
        seed=options.seed,
        workers=options.jobs,
    )
    measured = run_job(job, options).figures
    return CommandResult(table_text(measured, which, options.format), table_data(measured, which))


def load(options: Options) -> CommandResult:
    tokenizer = options.tokenizer or STARTER_TOKENIZER
    how = LoadOptions(options.schema, options.sample, tokenizer, options.jobs)
    done = run_job(load_corpus(options.place, options.url, how), options)
    return CommandResult(full_text(describe(done)), asdict(done))
