"""The results of jobs on corpora, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultText, joined
from desktop.text import count
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.corpus.load import CorpusLoad
    from desktop.jobs.corpus.mine import CorpusMining
    from desktop.jobs.corpus.pull import PulledCorpus
    from desktop.jobs.corpus.push import PushedProject
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
        [tr("{files} of them", files=count(settled.linked, "file is another form", "files are other forms"))]
        if settled.linked
        else []
    )
    parts += (
        [tr("{share} a pair with another", share=count(settled.shared, "paper shares", "papers share"))]
        if settled.shared
        else []
    )
    written = tr("{written:,} of {shards} written", written=settled.written, shards=count(settled.shards, "shard"))
    note = tr(
        "{are} damaged and left out. Mine again, then settle.", are=count(settled.damaged, "part is", "parts are")
    )
    sentence = joined([*parts, written if settled.written else tr("no shard has changed")])
    return ResultText(sentence, (note,) if settled.damaged else ())


def describe_pull(done: PulledCorpus) -> ResultText:
    pulled, answers = done.pulled, done.pulled.answers
    parts = [
        tr("{pairs} of {papers} pulled", pairs=count(pulled.pairs, "pair"), papers=count(pulled.papers, "paper")),
        tr("{meet} the conditions", meet=count(pulled.matching, "paper meets", "papers meet")),
    ]
    parts += [tr("{known:,} of them were there", known=pulled.known)] if pulled.known else []
    parts += [count(answers.answers, "answer")] if answers.answers else []
    parts += [count(answers.marks, "flag or note", "flags and notes")] if answers.marks else []
    parts += [count(answers.texts, "corrected sentence")] if answers.texts else []
    parts += [count(answers.conflict_count, "conflict")] if answers.conflict_count else []
    notes: tuple[str, ...] = (_conflict_note(),) if answers.conflict_count else ()
    if done.is_foreign:
        made_by = f"{pulled.program}, {pulled.language_model}"
        notes += (tr("The corpus was mined by {made_by}; mining here would find other pairs.", made_by=made_by),)
    return ResultText(joined(parts), notes)


def describe_push(done: PushedProject) -> ResultText:
    pushed = done.pushed
    events = count(pushed.events, "answer, mark or sentence", "answers, marks and sentences")
    parts = [tr("{events} pushed to {place}", events=events, place=done.place)]
    parts += [tr("{known:,} were there", known=pushed.known)] if pushed.known else []
    parts += [count(pushed.conflict_count, "conflict")] if pushed.conflict_count else []
    notes: tuple[str, ...] = (_conflict_note(),) if pushed.conflict_count else ()
    if pushed.elsewhere:
        notes += (tr("{elsewhere:,} more are about pairs that the corpus does not have.", elsewhere=pushed.elsewhere),)
    return ResultText(joined(parts), notes)


def _conflict_note() -> str:
    return tr("A conflict is a pair that one person has answered differently in two projects; the later answer counts.")


def describe_load(done: CorpusLoad) -> ResultText:
    where = tr("{url}, schema {schema}", url=done.url, schema=done.schema)
    if not done.rows:
        return ResultText(tr("Nothing has changed since the last load into {where}.", where=where))
    answers = count(done.rows.get("answers", 0), "event")
    if "pairs" not in done.rows:
        return ResultText(tr("{events} of annotators loaded into {where}.", events=answers, where=where))
    parts = [
        tr(
            "{pairs} of {papers} loaded into {where}",
            pairs=count(done.rows["pairs"], "pair"),
            papers=count(done.rows["papers"], "paper"),
            where=where,
        )
    ]
    parts.append(tr("{changed:,} of {shards} had changed", changed=done.changed, shards=count(done.shards, "shard")))
    parts += [tr("{events} of annotators loaded", events=answers)] if done.rows.get("answers") else []
    return ResultText(joined(parts))


def describe_corpus_suggestions(done: CorpusSuggestions) -> ResultText:
    parts = [
        tr("{pairs} judged by {model}", pairs=count(done.new, "pair"), model=done.model),
        tr("{pairs} have a suggestion, in {folder}", pairs=count(done.pairs, "pair"), folder=done.folder),
    ]
    return ResultText(joined(parts), done.notes)
