"""The commands that mine, settle, describe and load corpora."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace

from desktop.cli.execution import CommandResult, Options, full_text, problem_lines, run_job
from desktop.cli.output import table
from desktop.cli.paper_tables import NEEDS_SENTENCES, table_data, table_text
from desktop.cli.settings_file import settings_from_file
from desktop.jobs.corpus.load import LoadOptions, load_corpus
from desktop.jobs.corpus.mine import CorpusMiningOptions, Engine, mine_corpus, parse_shard
from desktop.jobs.corpus.settle import CorpusFigures, read_figures, settle_corpus
from desktop.jobs.corpus.statistics import measure_shards
from desktop.jobs.pairs.paper_tables import PaperTable
from desktop.jobs.results import describe
from desktop.text import count, size
from miner.classifier.vocabulary import STARTER_TOKENIZER
from miner.corpus.mapping import MapSettings
from miner.mining.settings import MiningSettings
from miner.records import Label


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
    parts.append(table(("no papers, by reason", "files"), found.counts.failed))
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
