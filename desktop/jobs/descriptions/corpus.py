"""The results of jobs on corpora, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultText, joined
from desktop.text import count
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.corpus.load import CorpusLoad
    from desktop.jobs.corpus.mine import CorpusMining
    from desktop.jobs.corpus.suggest import CorpusSuggestions
    from miner.corpus.settle import Settled


def describe_corpus_mining(mined: CorpusMining) -> ResultText:
    parts = [
        tr(
            "{papers} mined from {files}",
            papers=count(mined.papers, "paper"),
            files=count(mined.sources - mined.known, "file"),
        )
    ]
    parts += [tr("{files} mined before", files=count(mined.known, "file"))] if mined.known else []
    parts += [tr("{are} no paper", are=count(mined.failed, "item is", "items are"))] if mined.failed else []
    notes = (tr("When all papers are mined: pairwright corpus settle {place}", place=mined.place),)
    return ResultText(joined(parts), notes if mined.papers or mined.failed else ())


def describe_settling(settled: Settled) -> ResultText:
    parts = [tr("{pairs} of {papers}", pairs=count(settled.pairs, "pair"), papers=count(settled.papers, "paper"))]
    parts += (
        [tr("{were} given more than once", were=count(settled.copies, "paper was", "papers were"))]
        if settled.copies
        else []
    )
    parts += (
        [tr("{share} a pair with another", share=count(settled.shared, "paper shares", "papers share"))]
        if settled.shared
        else []
    )
    written = tr("{written:,} of {shards} written", written=settled.written, shards=count(settled.shards, "shard"))
    return ResultText(joined([*parts, written if settled.written else tr("no shard has changed")]))


def describe_load(done: CorpusLoad) -> ResultText:
    where = tr("{url}, schema {schema}", url=done.url, schema=done.schema)
    if not done.changed and not done.removed:
        return ResultText(tr("No shard has changed since the last load into {where}.", where=where))
    parts = [
        tr(
            "{pairs} of {papers} loaded into {where}",
            pairs=count(done.rows["pairs"], "pair"),
            papers=count(done.rows["papers"], "paper"),
            where=where,
        )
    ]
    parts.append(tr("{changed:,} of {shards} had changed", changed=done.changed, shards=count(done.shards, "shard")))
    return ResultText(joined(parts))


def describe_corpus_suggestions(done: CorpusSuggestions) -> ResultText:
    parts = [
        tr("{pairs} judged by {model}", pairs=count(done.new, "pair"), model=done.model),
        tr("{pairs} have a suggestion, in {folder}", pairs=count(done.pairs, "pair"), folder=done.folder),
    ]
    return ResultText(joined(parts), done.notes)
