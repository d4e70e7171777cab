"""The commands: each makes its job from what was typed, runs it and says what came of it, in words and as data."""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from desktop.cli.mining_settings import chosen_settings
from desktop.cli.output import Bar, table
from desktop.cli.reports import (
    added_text,
    answers_text,
    counts_data,
    empty_text,
    failures_text,
    funnel_data,
    funnel_text,
    gone_text,
    hidden_text,
    holdings_text,
    import_asides,
    import_data,
    import_text,
    pairs_text,
    phrases_text,
    problem_text,
)
from desktop.jobs.backups import back_up
from desktop.jobs.doctor import doctor as doctor_job
from desktop.jobs.exchange.export import Wish, remember, remember_released
from desktop.jobs.exchange.export import export as export_job
from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.mining.run import mine as mine_job
from desktop.jobs.mining.run import mining_settings
from desktop.jobs.overview import overview
from desktop.jobs.pairs.filter_text import read_filter
from desktop.jobs.papers.import_session import Added, AddingStopped, AddOptions
from desktop.jobs.papers.imports import add as add_job
from desktop.jobs.papers.sentences import learn_sentences
from desktop.jobs.results import left_out_text, replaced_text, split_text
from desktop.jobs.review import answers
from desktop.jobs.review.annotator import annotator
from desktop.jobs.review.answers import ActionResult
from desktop.text import count
from miner import codec
from miner.errors import UserError
from miner.parsing.grobid import Grobid
from miner.paths import exists
from miner.processes.child import Limits
from miner.progress import Job, Progress
from miner.records import Flag, Strategy
from storage.exchange.choosing import ExportOptions, Preset
from storage.exchange.imports import ImportedPairs
from storage.pairs.filters import PairFilter
from storage.project import SUFFIX, Project

log = logging.getLogger(__name__)

R = TypeVar("R")
Options = argparse.Namespace

_NAMED = 12  # of what there is, where something is asked for that is not
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
    with open_project(options) as project:
        return added_said(add_job(project, options.paths, add_options(options)), options)


def add_options(options: Options) -> AddOptions:
    grobid = Grobid(options.grobid) if options.parser == "grobid" else None
    limits = Limits(options.seconds, options.megabytes)
    return AddOptions(options.domain, options.year, grobid, options.retry, options.jobs, limits)


def added_said(job: Job[Added], options: Options) -> Said:
    stopped: AddingStopped | None = None
    try:
        added = run_job(job, options)
    except AddingStopped as exc:
        added, stopped = exc.added, exc
    data = {**dataclasses.asdict(added), "given": added.given}
    data["failed"] = [{**problem._asdict(), "path": str(problem.path)} for problem in added.failed]
    asides = [*map(problem_text, added.failed)]
    typed_wrong = any(problem.code == "missing" for problem in added.failed)
    good = not added.failed or (len(added.failed) < added.given and not typed_wrong)
    if stopped is not None:
        data |= {"error": str(stopped), "hint": stopped.hint}
        asides.append(f"error: {stopped}\n{stopped.hint}")
        good = False
    return Said(added_text(added), data, good, tuple(asides))


def mine(options: Options) -> Said:
    with open_project(options) as project:
        settings = chosen_settings(mining_settings(project), options)
        done = run_job(mine_job(project, settings, workers=options.jobs, model=options.model), options)
        seen = run_job(overview(project), options)
    text = f"Mined {count(done.mined, 'paper')}."
    if before := done.papers - done.mined:
        text = f"Mined {count(done.mined, 'paper')}; {before:,} had been mined by these settings before."
    data = {name: getattr(done, name) for name in ("run", "mined", "papers", "language_model", "failed")}
    text = f"{text}\n\n{pairs_text(seen)}\n\n{funnel_text(done.funnel)}"
    asides = [_NO_MODEL] if done.language_model.startswith("rules") else []
    asides += filter(None, [gone_text(seen.answers)])
    asides += [f"Paper {md5} gave no pairs: mining it took too much, or met a bug (see above)." for md5 in done.failed]
    return Said(text, {**data, **funnel_data(done.funnel)}, asides=tuple(asides))


def stats(options: Options) -> Said:
    with open_project(options, to_look=True) as project:
        seen = run_job(overview(project), options)
    parts = [
        holdings_text(seen),
        answers_text(seen.answers),
        table(("domain", "papers"), [(name or "(none)", number) for name, number in seen.domains.items()]),
        failures_text(seen.failures),
        hidden_text(*seen.hidden),
    ]
    if seen.papers and seen.run is None:
        parts.append("Not mined yet: pairwright mine")
    elif seen.papers and seen.unmined:
        parts.append(f"{count(seen.unmined, 'paper')} still to mine: pairwright mine")
    parts.append(pairs_text(seen))
    if seen.papers and seen.run is not None:
        parts.append(funnel_text(seen.funnel))
    parts.append(phrases_text(seen))
    data = {
        "papers": seen.papers,
        "data_sets": seen.data_sets,
        "sentences": seen.sentences,
        "answers": seen.answers._asdict(),
        "hidden_words": seen.hidden[0],
        "domains": seen.domains,
        "failures": [dataclasses.asdict(failure) for failure in seen.failures],
        "pairs": seen.pairs,
        "counts": counts_data(seen),
        "phrases": [dict(zip(("phrase", "label", "pairs"), row, strict=True)) for row in seen.phrases],
        "unmined": seen.unmined,
        **funnel_data(seen.funnel),
    }
    return Said("\n\n".join(filter(None, parts)), data)


def export(options: Options) -> Said:
    if unknown := set(options.without) - set(Flag):
        raise UserError(f"Unknown flag {', '.join(sorted(unknown))}.", hint=f"Flags are: {', '.join(Flag)}.")
    chosen = ExportOptions(
        preset=Preset(options.preset),
        shares=options.split,
        balance=options.balance,
        seed=options.seed,
        strategies=frozenset(Strategy) if options.implicit else frozenset(Strategy) - {Strategy.IMPLICIT},
        without=frozenset(map(Flag, options.without)),
        settled=options.settled,
        scope=read_filter(options.where),
    )
    with open_project(options, to_look=True) as project:
        refuse_unknown(project, chosen.scope, options)
        receipt = run_job(export_job(project, options.folder, chosen, overwrite=options.overwrite), options)
        with suppress(UserError):  # where nothing can be written; else what dev and test keep is not trained on
            run_job(remember(project, Wish(chosen, options.folder.absolute())), options)
            if chosen.shares and receipt.rows:
                run_job(remember_released(project, chosen), options)
    lines = [f"Wrote {count(receipt.rows, 'pair')} to {options.folder}." if receipt.rows else empty_text(receipt)]
    lines += [f"  {file.name}  {count(file.rows, 'row')}  SHA-256 {file.sha256}" for file in receipt.files]
    lines += filter(
        None,
        (
            replaced_text(receipt),
            left_out_text(receipt.left_out, outside="outside of --where"),
            split_text(receipt.split_by),
        ),
    )
    lines += [f"{count(receipt.unmined, 'paper')} not mined yet: pairwright mine"] if receipt.unmined else []
    told = json.loads((options.folder / "receipt.json").read_text(encoding="utf-8"))
    data = {**told, "replaced": receipt.replaced, "removed": receipt.removed}
    return Said("\n".join(lines), data, good=receipt.rows > 0)


def import_pairs(options: Options) -> Said:
    with open_project(options) as project:
        found = run_job(import_data_sets(project, options.paths, options.domain, options.label_numbers), options)
    read = [file for file in found if isinstance(file, ImportedPairs)]
    good = len(read) == len(found) and any(file.rows > file.bad for file in read)
    asides = [line for file in found for line in import_asides(file)]
    return Said("\n".join(map(import_text, found)), list(map(import_data, found)), good, tuple(asides))


def info(options: Options) -> Said:
    with open_project(options, to_look=True) as project:
        seen = run_job(overview(project), options)
        path = project.path
    run, settings = seen.run, seen.settings
    lines = [
        f"{path}, {path.stat().st_size / 1e6:,.1f} MB",
        f"{holdings_text(seen)}, {count(len(seen.failures), 'file')} not read",
        answers_text(seen.answers) or "no answers yet",
        f"mining run {run.id} ({run.state}), {run.program}, {run.language_model}" if run else "not mined yet",
        f"seed {settings.seed}, casing {settings.casing}, filters {', '.join(sorted(settings.filters)) or 'none'}",
        "phrases " + ", ".join(phrase.text for phrase in settings.phrases if phrase.on),
    ]
    data = {
        "project": str(path),
        "bytes": path.stat().st_size,
        "papers": seen.papers,
        "data_sets": seen.data_sets,
        "pairs": seen.pairs,
        "answers": seen.answers._asdict(),
        "run": dataclasses.asdict(run) if run else None,
        "settings": json.loads(codec.encode(settings)),
    }
    return Said("\n".join(lines), data)


def learn(options: Options) -> Said:
    with open_project(options) as project:
        learnt = run_job(learn_sentences(project), options)
    text = f"Learnt from {count(learnt.papers, 'paper')}; {learnt.changed:,} have other sentences now."
    return Said(f"{text} Mine again: pairwright mine", learnt._asdict())


def undo(options: Options) -> Said:
    return _reversed(options, answers.undo, "Undone", "There is nothing to undo.")


def redo(options: Options) -> Said:
    return _reversed(options, answers.redo, "Done again", "There is nothing to do again.")


def _reversed(
    options: Options, job: Callable[[Project, str], Job[ActionResult | None]], verb: str, nothing: str
) -> Said:
    with open_project(options) as project:
        done = run_job(job(project, run_job(annotator(project), options)), options)
    if done is None:
        return Said(nothing, {"done": None, "count": 0}, good=False)
    return Said(f"{verb}: {done.title}.", {"done": done.title, "count": done.count})


def doctor(options: Options) -> Said:
    found = [options.project] if options.project else sorted(Path().glob(f"*{SUFFIX}"))
    project = found[0] if len(found) == 1 else None
    checks = run_job(doctor_job(project, Grobid(options.grobid), Path.cwd()), options)
    marks = {True: "ok", False: "WRONG", None: "-"}
    lines = [f"{marks[check.sound]:5}  {check.name:20}  {check.finding}" for check in checks]
    lines += [f"{check.name}: {check.hint}" for check in checks if check.hint]
    return Said("\n".join(lines), [check._asdict() for check in checks], good=all(c.sound is not False for c in checks))


def run_job(job: Job[R], options: Options) -> R:
    """The job's result; what `desktop.cli.interrupts` hears asks it to stop at a good place."""
    bar = Bar(job.title, quiet=options.quiet)
    progress = Progress(bar)
    with options.interrupts.stopping(progress):
        try:
            return job.work(progress)
        finally:
            bar.close()


def open_project(options: Options, *, to_look: bool = False) -> Project:
    """The project meant; `to_look`: also where nothing can be written."""
    path = project_path(options)
    closed = not (os.access(path.parent, os.W_OK) and os.access(path, os.W_OK))
    project = Project.open(path, read_only=to_look and closed and exists(path))
    if not to_look:
        _back_up(project, options)
    return project


def project_path(options: Options) -> Path:
    """The file meant, whether or not it can be opened."""
    path: Path = options.project or _only_project()
    return path


def _back_up(project: Project, options: Options) -> None:
    """Once a day, before something is changed; that it cannot be keeps nobody from working."""
    try:
        run_job(back_up(project.path, daily=True), options)
    except UserError as exc:
        log.warning("%s %s", exc, exc.hint)
    except BaseException:
        project.close()
        raise


def _only_project() -> Path:
    found = sorted(Path().glob(f"*{SUFFIX}"))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(path.name for path in found)
        raise UserError(f"There are several projects here: {names}.", hint="Say which: --project FILE")
    raise UserError("There is no project here.", hint="Make one: pairwright new NAME.pairwright, or say --project FILE")


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """No domain, phrase or the like is called so; perhaps another was meant."""
    names = sorted(filter(None, known))
    if near := get_close_matches(name, names, 1):
        hint = f"Did you mean “{near[0]}”?"
    else:
        hint = f"There are: {', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else ''}." if names else ""
    return UserError(f"No {kind} here is called “{name}”.", hint=hint)


def refuse_unknown(project: Project, filter: PairFilter, options: Options) -> None:
    """`UserError` where the filter asks for a domain or a phrase that nothing here has."""
    if not (filter.domains or filter.phrases):
        return
    seen = run_job(overview(project), options)
    domains = {*seen.domains, *(domain for domain, _, _ in seen.counts)}  # of papers, and of imported pairs
    phrases = {phrase for phrase, _, _ in seen.phrases}
    for kind, wanted, known in (
        ("domain", filter.domains, domains),
        ("phrase with pairs", filter.phrases, phrases),
    ):
        for name in sorted(wanted - known - {""}):
            raise unknown(kind, name, known)
