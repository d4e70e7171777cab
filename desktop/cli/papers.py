"""Commands for papers: add, list, show, edit, remove and retry them, and learn where their sentences end."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from desktop.cli.added_projects import add_projects
from desktop.cli.execution import (
    CommandResult,
    Options,
    full_text,
    open_project,
    problem_lines,
    run_job,
    unknown_name_error,
)
from desktop.cli.file_uses import FileUse, MisplacedFile, find_use, sort_paths
from desktop.cli.output import table
from desktop.cli.paper_names import find_paper
from desktop.jobs.descriptions.papers import file_problem
from desktop.jobs.descriptions.stock import PROPERTY_NAMES, value_name, why_no_pairs
from desktop.jobs.papers import edits
from desktop.jobs.papers import table as listing
from desktop.jobs.papers.import_session import ImportFailure, ImportOptions, ImportResult, ImportStopped
from desktop.jobs.papers.imports import import_papers, retry_failed_files
from desktop.jobs.papers.outdated import count_outdated
from desktop.jobs.papers.recognition import recognise
from desktop.jobs.papers.recognition_state import RecognitionOptions
from desktop.jobs.papers.references import apply_bibliographies
from desktop.jobs.papers.reparsing import parse_outdated
from desktop.jobs.papers.sentences import learn_sentences
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.jobs.papers.stock import PhraseTable, load_phrase_table, load_stock
from desktop.jobs.papers.table import PaperDetails
from desktop.jobs.results import describe
from desktop.jobs.review.annotator import annotator
from desktop.text import count, one_line, shortened
from miner.errors import UserError
from miner.parsing.grobid import GrobidSettings
from miner.paths import is_folder
from miner.processes.child import ProcessLimits
from miner.progress import Job
from storage.papers.metadata import PaperMetadata
from storage.papers.stock import PaperGroup, PaperProperty
from storage.papers.table import PaperQuery, PaperTableRow
from storage.project import Project

_MAX_VALUES, _MAX_DOMAINS = 20, 4  # shown of the stock
_MD5_LENGTH = 8  # characters shown in the list


def add(options: Options) -> CommandResult:
    paths, misplaced = sort_paths(options.paths, set(FileUse) - {FileUse.PAPER, FileUse.PROJECT})
    projects = [path for path in paths if find_use(path) is FileUse.PROJECT]
    paths = [path for path in paths if path not in projects]
    with open_project(options) as project:
        others = add_projects(project, projects, options)
        job = import_papers(project, paths, _import_options(options)) if paths else None
        added = _import_result(job, options, misplaced)
        who = run_job(annotator(project), options)
        filled = run_job(apply_bibliographies(project, paths, who), options)
    if projects:
        only = not (paths or misplaced)
        text = others.text if only else f"{others.text}\n{added.text}"
        added = dataclasses.replace(added, text=text, data=added.data | {"projects": others.data})
    if not filled:
        return added
    undo = ["To take back the values from the references: pairwright undo"] * any(one.papers for one in filled)
    hints = [f"To see and settle conflicts: pairwright references {one.plan.path}" for one in filled if one.kept]
    text = "\n".join([added.text, *(full_text(describe(one)) for one in filled), *undo, *hints])
    data = [{"path": str(one.plan.path), "papers": one.papers, "set": one.set, "kept": one.kept} for one in filled]
    return dataclasses.replace(added, text=text, data=added.data | {"references": data})


def learn(options: Options) -> CommandResult:
    with open_project(options) as project:
        learnt = run_job(learn_sentences(project), options)
    hint = ["To make their pairs anew: pairwright mine"] if learnt.changed else []
    return CommandResult(" ".join([describe(learnt).sentence, *hint]), learnt._asdict())


def list_papers(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        found = _matching_papers(project, options)
    rows = [_table_row(line) for line in found if line.id > 0]
    failed = [line for line in found if line.id < 0]
    parts = [table(("paper", "year", "domain", "pairs", "title"), rows)]
    problems = [file_problem(line.path, line.reason, line.hint) for line in failed]
    parts += ["\n".join(f"Not read: {line}" for line in problem_lines(problems))]
    text = "\n\n".join(filter(None, parts))
    return CommandResult(text or "No paper matches.", [_paper_data(line) for line in found])


def show_papers(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        ids = [line.id for line in _named_papers(project, options)]
        found = [details for id in ids if (details := run_job(listing.load_details(project, id), options))]
    return CommandResult("\n\n".join(map(_details_text, found)), [_details_data(details) for details in found])


def count_stock(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        counts = run_job(load_stock(project), options)
        phrases = run_job(load_phrase_table(project), options)
    parts = [_stock_table(one, counts[one]) for one in PROPERTY_NAMES]
    data = {
        "counts": {one.value: dict(values) for one, values in counts.items()},
        "phrases": [
            {"phrase": use.phrase, "label": use.label, "pairs": dict(sorted(use.pairs.items()))}
            for use in phrases.phrases
        ],
    }
    return CommandResult("\n\n".join(filter(None, [*parts, _phrase_text(phrases)])) or "There are no papers.", data)


def _stock_table(one: PaperProperty, counts: Mapping[str, int]) -> str:
    """The values with most papers, how many have them, and the command that lists these papers."""
    if not any(counts):  # nothing is known of any paper
        return ""
    listed = list(counts.items())[:_MAX_VALUES]
    rows = [
        (shortened(value_name(PaperGroup(one, value)), 40), number, f"papers list --of {shlex.quote(f'{one}={value}')}")
        for value, number in listed
    ]
    number = "files" if one is PaperProperty.FAILED else "papers"
    text = table((PROPERTY_NAMES[one].lower(), number, "to list them"), rows)
    more = len(counts) - len(listed)
    return f"{text}\nand {more:,} more" if more else text


def _phrase_text(phrases: PhraseTable) -> str:
    """Pairs of each phrase in 100 papers, in the domains with most papers."""
    domains = list(phrases.papers)[:_MAX_DOMAINS]
    head = ("phrase", "label", *(shortened(domain or "(none)", 16) for domain in domains))
    rows = [
        (use.phrase, use.label, *(f"{phrases.rate(use, domain):,.1f}" for domain in domains))
        for use in phrases.phrases[:_MAX_VALUES]
    ]
    return f"Pairs in 100 papers of each domain:\n{table(head, rows)}" if rows else ""


def edit_papers(options: Options) -> CommandResult:
    changes = _changes(options)
    with open_project(options) as project:
        lines = [line for line in _named_papers(project, options) if line.id > 0]
        if not lines:
            raise UserError("These are files that could not be read, not papers.", hint="See: pairwright papers list")
        who = run_job(annotator(project), options)
        done = run_job(edits.edit(project, [line.id for line in lines], who, changes), options)
    return _action_result(done, mines_again="language" in changes)


def confirm_papers(options: Options) -> CommandResult:
    with open_project(options) as project:
        ids = [line.id for line in _named_papers(project, options) if line.id > 0]
        who = run_job(annotator(project), options)
        done = run_job(edits.confirm(project, ids, who), options)
    return _action_result(done)


def remove_papers(options: Options) -> CommandResult:
    with open_project(options) as project:
        ids = [line.id for line in _named_papers(project, options)]
        taken = run_job(listing.count_removal(project, ids), options)
        if taken.judged and not options.yes:
            what = f"{count(taken.judged, 'pair')} of {edits.removal_text(taken)} {_has(taken.judged)} been annotated."
            raise UserError(what, hint="To remove them anyway, add --yes; pairwright undo brings them back.")
        who = run_job(annotator(project), options)
        done = run_job(edits.remove(project, ids, who), options)
    return _action_result(done, f", with {count(taken.pairs, 'pair')}" if taken.pairs else "")


def retry_papers(options: Options) -> CommandResult:
    with open_project(options) as project:
        named = options.papers or options.search or options.of_domain is not None
        ids = [line.id for line in _named_papers(project, options)] if named else None
        if ids is not None and all(number > 0 for number in ids):
            raise UserError("All of these could be read.", hint="See: pairwright papers list --failed")
        return _import_result(retry_failed_files(project, ids, _import_options(options)), options)


def recognise_scans(options: Options) -> CommandResult:
    if options.into is not None and not is_folder(options.into):
        raise UserError(f"{options.into} is not a folder.", hint="Make it first.")
    folder = options.into.absolute() if options.into else None
    chosen = RecognitionOptions(tuple(options.language.split("+")), folder)
    with open_project(options) as project:
        ids = [line.id for line in _named_papers(project, options)] if options.papers else None
        return _import_result(recognise(project, ids, chosen, ImportOptions(workers=1)), options)


def reparse_papers(options: Options) -> CommandResult:
    with open_project(options) as project:
        with project.read_transaction() as stores:
            outdated = count_outdated(stores)
        if not outdated.papers:
            text = "No paper was parsed by an earlier version."
            return CommandResult(text, dataclasses.asdict(ImportResult()) | {"given": 0})
        done = _import_result(parse_outdated(project, _import_options(options)), options)
    return (
        dataclasses.replace(done, text=f"{done.text}\nTo find their pairs anew: pairwright mine")
        if done.data["replaced"]
        else done
    )


def _named_papers(project: Project, options: Options) -> list[PaperTableRow]:
    """The rows that the options name; `UserError` if they name none."""
    if not (
        options.papers
        or options.search
        or options.of_domain is not None
        or options.failed
        or options.to_check
        or options.of
    ):
        hint = "Name papers as the list does, or by their files, or give --search, --of-domain, --to-check or --failed."
        raise UserError("No papers are named.", hint=hint)
    found = _matching_papers(project, options)
    if not found:
        raise UserError("There are no such papers.", hint="See: pairwright papers list")
    return found


def _matching_papers(project: Project, options: Options) -> list[PaperTableRow]:
    """The rows that the options select, in the order in which they were added."""
    domains = frozenset[str]() if options.of_domain is None else frozenset({options.of_domain})
    group = _group(options.of) if options.of else None
    query = PaperQuery(options.search, options.failed, options.to_check, domains, group, descending=False)
    papers = run_job(listing.load_list(project, query), options)
    if options.of_domain is not None and options.of_domain not in papers.domains:
        raise unknown_name_error("domain", options.of_domain, papers.domains)
    found = run_job(listing.load_lines(project, papers.ids), options)
    if not options.papers:
        return found
    named = [find_paper(found, name) for name in options.papers]
    return list({line.id: line for lines in named for line in lines}.values())


def _group(text: str) -> PaperGroup:
    """The group of --of, such as language=de; a value is written as in `papers stock --json`, "" for none."""
    name, equals, value = text.partition("=")
    if not equals or name not in list(PaperProperty):
        names = ", ".join(PaperProperty)
        raise UserError(f"Papers cannot be selected by {text}.", hint=f"Write NAME=VALUE, with one of {names}.")
    return PaperGroup(PaperProperty(name), value)


def _changes(options: Options) -> PaperMetadata:
    changes = PaperMetadata()
    if options.title is not None:
        changes["title"] = options.title
    if options.author is not None:
        changes["authors"] = tuple(name for name in options.author if name)
    if options.year is not None:
        changes["year"] = options.year or None
    if options.doi is not None:
        changes["doi"] = options.doi or None
    if options.journal is not None:
        changes["journal"] = " ".join(options.journal.split())
    if options.keyword is not None:
        changes["keywords"] = tuple(word for word in options.keyword if word)
    if options.domain is not None:
        changes["domain"] = options.domain
    if options.licence is not None:
        changes["licence"] = " ".join(options.licence.split())
    if options.language is not None:
        changes["language"] = options.language
    if not changes:
        raise UserError(
            "No change is given.", hint="Give --title, --year, --domain or another: pairwright papers edit -h"
        )
    return changes


def _action_result(done: edits.EditResult, more: str = "", *, mines_again: bool = False) -> CommandResult:
    text = f"{done.title}{more}."
    text += " To take this back: pairwright undo" if done.count else ""
    again = "Mine again: pairwright mine" if mines_again and done.count else ""
    text = "\n".join(filter(None, (text, split_moves_text(done.moved), again)))
    moved = [one._asdict() for one in done.moved]
    return CommandResult(text, {"done": done.title, "count": done.count, "moved": moved})


def _has(number: int) -> str:
    return "has" if number == 1 else "have"


def _table_row(line: PaperTableRow) -> tuple[str, str, str, int, str]:
    title = one_line(line.title or Path(line.path).name or "imported data set")
    year = "" if line.year is None else str(line.year)
    return ((line.md5 or "")[:_MD5_LENGTH], year, one_line(line.domain), line.pairs, shortened(title, 48))


def _paper_data(line: PaperTableRow) -> dict[str, Any]:
    known = dataclasses.asdict(line) | {"pairs": line.pairs, "counts": dict(line.counts)}
    return {name: value for name, value in known.items() if name not in ("id", "linked")}


def _details_text(details: PaperDetails) -> str:
    line, paper = details.line, details.paper
    title = line.title or Path(line.path).name or "imported data set"
    lines = [f"{title}, {(line.md5 or '')[:_MD5_LENGTH]}".removesuffix(", ")]
    lines += [", ".join(line.authors)] if line.authors else []
    if line.code:
        lines += [line.reason, line.hint]
    elif paper is not None:
        doi = f"DOI {paper.doi}" if paper.doi else ""
        year, journal = str(paper.year or "no year"), paper.journal
        facts = [year, journal, paper.domain or "no domain", paper.licence or "licence unknown", doi]
        lines.append(", ".join(filter(None, facts)))
        lines.append(f"{count(line.pairs, 'pair')}, {line.linked:,} of them linked, {details.answered:,} annotated")
        lines += [f"No pairs: {why_no_pairs(details.no_pairs)}"] if details.no_pairs else []
    if paper is not None and not line.data_set:
        pages = f", {count(paper.pages, 'page')}" if paper.pages else ""
        lines += [f"parsed by {paper.parser} {paper.parser_version}{pages}"]
        lines += [*listing.check_notes(paper), *listing.reading_notes(paper), *listing.source_notes(paper)]
    lines += [f"{file.path}{'' if file.is_there else ' (no longer there)'}" for file in details.files]
    return "\n".join(one_line(text) for text in lines if text)


def _details_data(details: PaperDetails) -> dict[str, Any]:
    paper = details.paper
    read = {name: value for name, value in dataclasses.asdict(paper).items() if name != "sha256"} if paper else {}
    read |= {"edited": sorted(paper.edited)} if paper else {}
    files = [{"path": str(file.path), "line": file.line, "is_there": file.is_there} for file in details.files]
    return _paper_data(details.line) | read | {"answered": details.answered, "files": files}


def _import_options(options: Options) -> ImportOptions:
    grobid = GrobidSettings(options.grobid) if options.parser == "grobid" else None
    limits = ProcessLimits(options.seconds, options.megabytes)
    return ImportOptions(options.domain, options.year, grobid, options.retry, options.jobs, limits)


def _import_result(
    job: Job[ImportResult] | None, options: Options, misplaced: Sequence[MisplacedFile] = ()
) -> CommandResult:
    """The result of an import. job: None if there is nothing to import.

    misplaced: files that are for another command.
    """
    stopped: ImportStopped | None = None
    try:
        added = ImportResult() if job is None else run_job(job, options)
    except ImportStopped as exc:
        added, stopped = exc.result, exc
    added.failed += [ImportFailure(one.path, 0, "not_a_paper", one.reason, one.hint) for one in misplaced]
    data = {**dataclasses.asdict(added), "given": added.given}
    data["failed"] = [{**problem._asdict(), "path": str(problem.path)} for problem in added.failed]
    text = describe(added)
    notes = [*problem_lines(text.problems)]
    typed_wrong = any(problem.code == "missing" for problem in added.failed)
    ok = not added.failed or (len(added.failed) < added.given and not typed_wrong)
    if stopped is not None:
        data |= {"error": str(stopped), "hint": stopped.hint}
        notes.append(f"error: {stopped}\n{stopped.hint}")
        ok = False
    undo = "\nTo take this change back: pairwright undo" if added.changes else ""
    return CommandResult(full_text(text) + undo, data, ok, tuple(notes))
