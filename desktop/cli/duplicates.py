"""The subcommands of `papers` about papers that are likely the same: list them, merge two, or keep both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.paper_names import find_paper
from desktop.jobs.papers import duplicates
from desktop.jobs.papers import table as listing
from desktop.jobs.papers.duplicates import ComparedPapers, merge_notes, missing_values, reason_text
from desktop.jobs.papers.edits import EditResult
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.jobs.review.annotator import annotator
from desktop.text import count, one_line, percent
from miner.errors import UserError
from storage.papers.table import PaperQuery
from storage.project import Project

_MD5_LENGTH = 8  # characters shown


def list_duplicates(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        found = run_job(duplicates.find_duplicates(project), options)
        listed = [
            (one, comparison)
            for one in found
            if (comparison := run_job(duplicates.compare(project, one.first, one.second), options)) is not None
        ]
    parts = [_text(comparison, reason_text(one.reasons)) for one, comparison in listed]
    parts += [f"{count(len(parts), 'likely duplicate')}."] if parts else ["There are no likely duplicates."]
    return CommandResult("\n\n".join(parts), [_data(comparison, one.reasons) for one, comparison in listed])


def merge_papers(options: Options) -> CommandResult:
    with open_project(options) as project:
        kept, other = _md5(project, options, options.keep), _md5(project, options, options.other)
        comparison = _compare(project, options, kept, other)
        stays, goes = comparison.sides(kept)
        who = run_job(annotator(project), options)
        values = missing_values(stays.summary, goes.summary)
        done = run_job(duplicates.merge(project, kept, other, who, values), options)
    again = "To mine again: pairwright mine"
    text = "\n".join([_sentence(done), *merge_notes(comparison, kept), again])
    return CommandResult(text, {"done": done.title, "kept": kept, "merged": other, "filled": sorted(values)})


def keep_both_papers(options: Options) -> CommandResult:
    with open_project(options) as project:
        one, other = _md5(project, options, options.paper), _md5(project, options, options.other)
        _compare(project, options, one, other)
        who = run_job(annotator(project), options)
        done = run_job(duplicates.keep_both(project, one, other, who), options)
    return CommandResult(_sentence(done), {"done": done.title, "count": done.count})


def _sentence(done: EditResult) -> str:
    undo = "To take this back: pairwright undo" if done.count else ""
    return " ".join(filter(None, (f"{done.title}.", undo, split_moves_text(done.moved))))


def _compare(project: Project, options: Options, one: str, other: str) -> ComparedPapers:
    if one == other:
        raise UserError("Both names are of one paper.", hint="Name two papers: pairwright papers duplicates")
    comparison = run_job(duplicates.compare(project, one, other), options)
    assert comparison is not None  # both were found before
    return comparison


def _md5(project: Project, options: Options, name: str) -> str:
    """The MD5 of the only paper with this name."""
    lines = run_job(
        listing.load_lines(project, run_job(listing.load_list(project, PaperQuery()), options).ids), options
    )
    papers = [line for line in find_paper(lines, name) if line.id > 0 and not line.data_set and line.md5]
    if len(papers) != 1:
        hint = "Name each by the start of its id: pairwright papers duplicates"
        raise UserError(f"{name} is {count(len(papers), 'paper')}, not one.", hint=hint)
    return papers[0].md5 or ""


def _text(comparison: ComparedPapers, reasons: str) -> str:
    stays, goes = comparison.sides(comparison.kept)
    lines = [f"{reasons[0].upper()}{reasons[1:]}; {percent(comparison.shared)} of the shorter text is in both"]
    for paper in (stays, goes):
        one, details = paper.summary, paper.details
        facts = [str(one.year or "no year"), one.journal, f"DOI {one.doi}" if one.doi else "", one.parser]
        facts += [f"{count(details.line.pairs, 'pair')}, {details.answered:,} annotated", paper.split or ""]
        lines.append(f"{one.md5[:_MD5_LENGTH]}  {paper.name}: {', '.join(filter(None, facts))}")
    ids = f"{stays.md5[:_MD5_LENGTH]} {goes.md5[:_MD5_LENGTH]}"
    lines += [f"to merge them: pairwright papers merge {ids}", f"to keep both: pairwright papers keep-both {ids}"]
    return "\n  ".join(map(one_line, lines))


def _data(comparison: ComparedPapers, reasons: tuple[str, ...]) -> dict[str, Any]:
    papers = [
        {
            "md5": paper.md5,
            **{field: getattr(paper.summary, field) for field in duplicates.FIELDS},
            "parser": paper.summary.parser,
            "files": [str(Path(file.path)) for file in paper.details.files],
            "sentences": paper.sentences,
            "pairs": paper.details.line.pairs,
            "annotated": paper.details.answered,
            "split": paper.split,
            "cannot_go": paper.why_not,
        }
        for paper in comparison.papers
    ]
    shared = round(comparison.shared, 4)
    return {"reasons": [str(one) for one in reasons], "shared": shared, "keep": comparison.kept, "papers": papers}
