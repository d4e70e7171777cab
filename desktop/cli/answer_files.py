"""Commands that send a round's assignments as answer files or tables, and merge the files that annotators return."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from desktop.cli.conflicts import conflict_data
from desktop.cli.execution import CommandResult, Options, full_text, open_project, problem_lines, run_job
from desktop.cli.file_uses import FileUse, sort_paths
from desktop.jobs.descriptions.review import conflict_text
from desktop.jobs.results import describe
from desktop.jobs.review.answer_files import send_assignments
from desktop.jobs.review.merge_results import MergedFile, RefusedAnswerFile, RefusedRows
from desktop.jobs.review.merging import load_merges, merge_answer_files
from desktop.text import count, size
from miner.errors import UserError
from storage.annotation.sent_assignments import AssignmentForm

# A data set may be a table of answers that has lost its ids; of it and of projects merging says what is wrong.
_NO_ANSWERS = set(FileUse) - {FileUse.ANSWERS, FileUse.ANSWER_TABLE, FileUse.DATA_SET, FileUse.PROJECT}


def send(options: Options) -> CommandResult:
    with open_project(options) as project:
        form = AssignmentForm(options.form)
        sent = run_job(send_assignments(project, options.round, options.out, options.to, form), options)
    left = sum(file.is_left for file in sent)
    unchanged = f"; {left:,} {'was' if left == 1 else 'were'} there already" if left else ""
    lines = [f"Wrote {count(len(sent) - left, 'file')} for round {options.round:,}{unchanged}:"]
    for file in sent:
        lines.append(
            f"  {file.path}  {count(file.assignment.pairs, 'pair')} for {file.assignment.name}, {size(file.size)}"
        )
        lines += [f"    {note}" for note in describe(file).notes]
    data = [
        {
            "path": str(file.path),
            "form": form.value,
            "beside": [str(path) for path in file.beside],
            "annotator": file.assignment.name,
            "round": file.assignment.round,
            "pairs": file.assignment.pairs,
            "missing": file.missing,
            "left": file.is_left,
        }
        for file in sent
    ]
    return CommandResult("\n".join(lines), data)


def merge(options: Options) -> CommandResult:
    if options.list == bool(options.files):
        raise UserError("Name the files to merge, or give --list.", hint="See: pairwright merge --help")
    if options.list:
        return _list_merges(options)
    paths, misplaced = sort_paths(options.files, _NO_ANSWERS)
    with open_project(options) as project:
        result = run_job(merge_answer_files(project, paths), options)
    result = replace(result, files=(*result.files, *(RefusedAnswerFile(*one) for one in misplaced)))
    text = describe(result)
    return CommandResult(
        "\n".join(map(full_text, map(describe, result.merged))) or text.sentence,
        {
            "done": result.title or None,
            "files": [_file_data(file) for file in result.files],
            "refused_rows": [_rows_data(rows) for rows in result.rows],
        },
        ok=not result.refused and not result.rows,
        notes=problem_lines(text.problems),
    )


def _list_merges(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        merges = run_job(load_merges(project), options)
    lines = []
    for one in merges:
        numbers = f"{count(one.pairs, 'answer')}, {count(len(one.conflicts), 'conflict')}"
        lines.append(f"{one.at.astimezone():%Y-%m-%d %H:%M}  {one.name}, round {one.round:,}: {numbers}")
        for conflict in one.conflicts:
            lines.append(f"  {conflict_text(conflict, one.name, one.hypotheses)}  {conflict.pair_key}")
    data = [
        {
            "at": one.at.isoformat(),
            "annotator": one.name,
            "round": one.round,
            "answers": one.pairs,
            "conflicts": [conflict_data(conflict) for conflict in one.conflicts],
        }
        for one in merges
    ]
    return CommandResult("\n".join(lines) or "No answer file has been merged yet.", data)


def _file_data(file: MergedFile | RefusedAnswerFile) -> dict[str, Any]:
    if isinstance(file, RefusedAnswerFile):
        return {"path": str(file.path), "error": file.reason, "hint": file.hint}
    numbers = "pairs", "new", "known", "agreeing", "bad", "unanswered", "marks", "gone", "ahead"
    return {
        "path": str(file.path),
        "annotator": file.name,
        "called": file.called or file.name,
        "round": file.round,
        **{name: getattr(file, name) for name in numbers},
        "conflicts": [conflict_data(conflict) for conflict in file.conflicts],
    }


def _rows_data(rows: RefusedRows) -> dict[str, Any]:
    return {"path": str(rows.path), "count": rows.number, "first": [one._asdict() for one in rows.first]}
