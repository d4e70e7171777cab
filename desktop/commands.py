"""The commands: each makes its job from what was typed, runs it and says what came of it, in words and as data."""

from __future__ import annotations

import argparse
import dataclasses
import json
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from desktop.console import Bar, count, table
from desktop.jobs.doctor import doctor as doctor_job
from desktop.jobs.exchange import export as export_job
from desktop.jobs.exchange import import_data_sets
from desktop.jobs.intake import Added, AddOptions, Problem
from desktop.jobs.mining import mine as mine_job
from desktop.jobs.mining import mining_settings
from desktop.jobs.overview import Overview, overview
from desktop.jobs.papers import add as add_job
from desktop.jobs.sentences import learn_sentences
from miner.errors import UserError
from miner.mining.filters import FILTERS
from miner.mining.pairs import REASONS
from miner.mining.patterns import Phrase
from miner.mining.settings import Casing, MiningSettings
from miner.parsing.grobid import Grobid
from miner.progress import Job, Progress
from miner.records import Flag, Funnel, Label, Strategy
from miner.workers import Limits
from storage.exchange.choosing import ExportOptions, Preset
from storage.project import SUFFIX, Project

R = TypeVar("R")
Options = argparse.Namespace

_NO_MODEL = "No spaCy model: rules look for verbs. With one it is surer: python -m spacy download en_core_web_sm"


@dataclass(frozen=True, slots=True)
class Said:
    """What a command has to say: `text` for people, `data` for programs, `asides` for people beside either.

    Not `good` when it failed at its whole task.
    """

    text: str
    data: Any
    good: bool = True
    asides: tuple[str, ...] = ()


def new(options: Options) -> Said:
    path: Path = options.file
    if path.suffix != SUFFIX:
        raise UserError(f"A project's name ends in {SUFFIX}.", hint=f"Try: pairwright new {path.with_suffix(SUFFIX)}")
    Project.create(path).close()
    return Said(f"Made {path}. Add papers to it: pairwright add FOLDER --domain NAME", {"project": str(path)})


def add(options: Options) -> Said:
    grobid = Grobid(options.grobid) if options.parser == "grobid" else None
    chosen = AddOptions(
        options.domain, options.year, grobid, options.retry, options.jobs, Limits(options.seconds, options.megabytes)
    )
    with _open(options) as project:
        added = _run(add_job(project, options.paths, chosen), options)
    data = {**dataclasses.asdict(added), "given": added.given}
    data["failed"] = [{**problem._asdict(), "path": str(problem.path)} for problem in added.failed]
    good = not added.failed or len(added.failed) < added.given
    return Said(_added_text(added), data, good, tuple(map(_problem_text, added.failed)))


def _problem_text(problem: Problem) -> str:
    line = f", line {problem.line:,}" if problem.line else ""
    return f"{problem.path}{line}: {problem.reason} {problem.hint}".rstrip()


def _added_text(added: Added) -> str:
    parts = [f"{count(added.new, 'new paper')}"]
    parts += [f"{added.known:,} already there"] if added.known else []
    parts += [f"{added.replaced:,} replaced by a better parse"] if added.replaced else []
    reasons = Counter(problem.code for problem in added.failed)
    why = ", ".join(f"{code} {number:,}" for code, number in reasons.most_common())
    parts += [f"{len(added.failed):,} could not be read ({why})"] if added.failed else []
    text = f"Given {count(added.given, 'paper')}: {', '.join(parts)}."
    return text + (f" Passed over {count(added.ignored, 'other file')}." if added.ignored else "")


def mine(options: Options) -> Said:
    with _open(options) as project:
        settings = _chosen_settings(mining_settings(project), options)
        done = _run(mine_job(project, settings, workers=options.jobs, model=options.model), options)
        seen = _run(overview(project), options)
    text = f"Mined {done.mined:,} of {count(done.papers, 'paper')}; the others were mined by these settings before."
    if done.mined == done.papers:
        text = f"Mined {count(done.papers, 'paper')}."
    data = {"run": done.run, "mined": done.mined, "papers": done.papers, "language_model": done.language_model}
    text = f"{text}\n\n{_pairs_text(seen)}\n\n{_funnel_text(done.funnel)}"
    asides = (_NO_MODEL,) if done.language_model.startswith("rules") else ()
    return Said(text, {**data, **_funnel_data(done.funnel)}, asides=asides)


def stats(options: Options) -> Said:
    with _open(options) as project:
        seen = _run(overview(project), options)
    codes = Counter(failure.code for failure in seen.failures)
    parts = [
        f"{count(seen.papers, 'paper')}, {count(seen.sentences, 'sentence')}, {count(seen.pairs, 'pair')}",
        table(("domain", "papers"), [(name or "(none)", number) for name, number in seen.domains.items()]),
        table(("not read", "files"), codes.most_common()),
    ]
    if seen.run is None:
        parts.append("Not mined yet: pairwright mine")
    else:
        if seen.unmined:
            parts.append(f"{count(seen.unmined, 'paper')} still to mine: pairwright mine")
        parts += [_pairs_text(seen), _funnel_text(seen.funnel), _phrases_text(seen)]
    data = {
        "papers": seen.papers,
        "sentences": seen.sentences,
        "domains": seen.domains,
        "failures": [dataclasses.asdict(failure) for failure in seen.failures],
        "pairs": seen.pairs,
        "counts": _counts_data(seen),
        "phrases": [dict(zip(("phrase", "label", "pairs"), row, strict=True)) for row in seen.phrases],
        "unmined": seen.unmined,
        **_funnel_data(seen.funnel),
    }
    return Said("\n\n".join(filter(None, parts)), data)


def export(options: Options) -> Said:
    try:
        without = frozenset(map(Flag, options.without))
    except ValueError as exc:
        raise UserError(f"Unknown flag: {exc}.", hint=f"Flags are: {', '.join(Flag)}.") from exc
    strategies = frozenset(Strategy) if options.implicit else frozenset(Strategy) - {Strategy.IMPLICIT}
    chosen = ExportOptions(Preset(options.preset), options.split, options.balance, options.seed, strategies, without)
    with _open(options) as project:
        receipt = _run(export_job(project, options.folder, chosen), options)
    lines = [f"Wrote {count(receipt.rows, 'pair')} to {options.folder}."]
    lines += [f"  {file.name}  {count(file.rows, 'row')}  SHA-256 {file.sha256}" for file in receipt.files]
    lines += [f"Left out: {', '.join(f'{why} {number:,}' for why, number in receipt.left_out.items())}."][
        : len(receipt.left_out)
    ]
    lines += [f"{count(receipt.leaks, 'sentence')} in more than one split."] if receipt.leaks else []
    lines += [f"{count(receipt.unmined, 'paper')} not mined yet: pairwright mine"] if receipt.unmined else []
    return Said("\n".join(lines), json.loads((options.folder / "receipt.json").read_text(encoding="utf-8")))


def import_pairs(options: Options) -> Said:
    with _open(options) as project:
        found = _run(import_data_sets(project, options.paths, options.domain), options)
    lines, asides = [], []
    for file in found:
        known = f", {file.known:,} already there" if file.known else ""
        bad = f", {count(file.bad, 'bad row')}" if file.bad else ""
        lines.append(f"{file.path}: {count(file.new, 'new pair')}{known}{bad}.")
        asides += [f"{file.path}, line {row.line:,}: {row.reason}" for row in file.bad_rows]
        asides += [f"{file.path}: {file.bad - len(file.bad_rows):,} more"] if file.bad > len(file.bad_rows) else []
    data = [{**dataclasses.asdict(file), "path": str(file.path)} for file in found]
    for file, entry in zip(found, data, strict=True):
        entry["bad_rows"] = [row._asdict() for row in file.bad_rows]
    return Said("\n".join(lines), data, any(file.new or file.known for file in found), tuple(asides))


def info(options: Options) -> Said:
    with _open(options) as project:
        seen = _run(overview(project), options)
        path = project.path
    run, settings = seen.run, seen.settings
    lines = [
        f"{path}, {path.stat().st_size / 1e6:,.1f} MB",
        f"{count(seen.papers, 'paper')}, {count(len(seen.failures), 'file')} not read, {count(seen.pairs, 'pair')}",
        f"mining run {run.id} ({run.state}), {run.program}, {run.language_model}" if run else "not mined yet",
        f"seed {settings.seed}, casing {settings.casing}, filters {', '.join(sorted(settings.filters)) or 'none'}",
        "phrases " + ", ".join(phrase.text for phrase in settings.phrases if phrase.on),
    ]
    data = {
        "project": str(path),
        "bytes": path.stat().st_size,
        "papers": seen.papers,
        "pairs": seen.pairs,
        "run": dataclasses.asdict(run) if run else None,
        "settings": json.loads(settings.to_json()),
    }
    return Said("\n".join(lines), data)


def learn(options: Options) -> Said:
    with _open(options) as project:
        learnt = _run(learn_sentences(project), options)
    text = f"Learnt from {count(learnt.papers, 'paper')}; {learnt.changed:,} have other sentences now."
    return Said(f"{text} Mine again: pairwright mine", learnt._asdict())


def doctor(options: Options) -> Said:
    found = [options.project] if options.project else sorted(Path().glob(f"*{SUFFIX}"))
    project = found[0] if len(found) == 1 else None
    checks = _run(doctor_job(project, Grobid(options.grobid), Path.cwd()), options)
    marks = {True: "ok", False: "WRONG", None: "-"}
    lines = [f"{marks[check.sound]:5}  {check.name:20}  {check.finding}" for check in checks]
    lines += [f"{check.name}: {check.hint}" for check in checks if check.hint]
    return Said("\n".join(lines), [check._asdict() for check in checks], good=all(c.sound is not False for c in checks))


def _run(job: Job[R], options: Options) -> R:
    """The job's result; Ctrl-C asks it to stop at a good place, a second one stops at once."""
    bar = Bar(job.title, quiet=options.quiet)
    progress = Progress(bar)
    with _interruptible(progress):
        try:
            return job.work(progress)
        finally:
            bar.close()


@contextmanager
def _interruptible(progress: Progress) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        if progress.cancelled:
            raise KeyboardInterrupt
        progress.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _open(options: Options) -> Project:
    if options.project is not None:
        return Project.open(options.project)
    found = sorted(Path().glob(f"*{SUFFIX}"))
    if len(found) == 1:
        return Project.open(found[0])
    if found:
        names = ", ".join(path.name for path in found)
        raise UserError(f"There are several projects here: {names}.", hint="Say which: --project FILE")
    raise UserError("There is no project here.", hint="Make one: pairwright new NAME.pairwright, or say --project FILE")


def _chosen_settings(settings: MiningSettings, options: Options) -> MiningSettings:
    """The project's settings as the command changes them."""
    if options.defaults:
        settings = MiningSettings()
    if options.settings:
        try:
            settings = MiningSettings.from_json(options.settings.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as exc:
            raise UserError(f"{options.settings} cannot be read: {exc}.", hint="Give a JSON file of settings.") from exc
    if options.extended is not None:
        phrases = (replace(phrase, on=options.extended) if phrase.extended else phrase for phrase in settings.phrases)
        settings = replace(settings, phrases=tuple(phrases))
    for given in options.phrase:
        text, _, label = given.rpartition("=")
        if label not in set(Label) or not text.strip():
            raise UserError(
                f"“{given}” is no phrase with its relation.", hint='Write: --phrase "By contrast=contrasting"'
            )
        settings = settings.with_phrase(Phrase(text.strip(), Label(label), True, False))
    for text in options.on:
        settings = settings.switch(text, True)
    for text in options.off:
        settings = settings.switch(text, False)
    for names, on in ((options.no_filter, False), (options.filter, True)):
        for name in names:
            changed = frozenset(FILTERS) if name == "all" else frozenset((name,))
            settings = replace(settings, filters=settings.filters | changed if on else settings.filters - changed)
            if unknown := changed - set(FILTERS):
                raise UserError(
                    f"Unknown filter {', '.join(unknown)}.", hint=f"Filters are: {', '.join(FILTERS)}, or all."
                )
    given = {
        "crosses_paragraph": options.crossing,
        "implicit": options.implicit,
        "casing": options.casing and Casing(options.casing),
        "seed": options.seed,
    }
    return replace(settings, **{name: value for name, value in given.items() if value is not None})


def _pairs_text(seen: Overview) -> str:
    """Pairs by class and strategy, a line a domain where there are several."""
    by_class: Counter[tuple[str, str]] = Counter()
    for (_, strategy, label), number in seen.counts.items():
        by_class[label or "(none)", strategy] += number
    return table(("label", "strategy", "pairs"), [(*names, number) for names, number in sorted(by_class.items())])


def _funnel_text(funnel: Funnel) -> str:
    rows = [(name, number, funnel.kept.get(name, 0)) for name, number in funnel.candidates.items()]
    head = table(("candidates", "in", "kept", "dropped"), [(*row, row[1] - row[2]) for row in rows])
    reasons: Counter[str] = Counter()
    for drop, number in funnel.dropped.items():
        if drop.strategy in (Strategy.LINKED, Strategy.IMPLICIT):
            reasons[drop.reason] += number
    meaning = {**REASONS, "duplicate": "An earlier paper of the project has the same two sentences."}
    dropped = table(
        ("dropped of the linked", "pairs", "because"),
        [(reason, number, meaning.get(reason, "")) for reason, number in reasons.most_common()],
    )
    return "\n\n".join(filter(None, (head, dropped)))


def _phrases_text(seen: Overview) -> str:
    return table(("phrase", "label", "pairs"), seen.phrases)


def _counts_data(seen: Overview) -> list[dict[str, Any]]:
    return [dict(zip(("domain", "strategy", "label"), key, strict=True), pairs=n) for key, n in seen.counts.items()]


def _funnel_data(funnel: Funnel) -> dict[str, Any]:
    dropped = [{"strategy": drop.strategy, "reason": drop.reason, "pairs": n} for drop, n in funnel.dropped.items()]
    return {"candidates": dict(funnel.candidates), "kept": dict(funnel.kept), "dropped": dropped}
