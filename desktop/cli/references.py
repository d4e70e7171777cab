"""The command that takes metadata of papers from a bibliography on disk."""

from __future__ import annotations

import dataclasses
import shlex
from typing import Any

from desktop.cli.execution import CommandResult, Options, full_text, open_project, problem_lines, run_job
from desktop.cli.file_uses import FileUse, sort_paths
from desktop.jobs.descriptions.references import describe_plan, plan_problems
from desktop.jobs.papers.references import ReferencePlan, apply_references, plan_references
from desktop.jobs.results import describe
from desktop.jobs.review.annotator import annotator
from desktop.text import count
from miner.errors import UserError
from miner.references.proposals import ProposalKind


def references(options: Options) -> CommandResult:
    _, misplaced = sort_paths([options.path], set(FileUse) - {FileUse.BIBLIOGRAPHY})
    if misplaced:
        raise UserError(misplaced[0].reason, hint=misplaced[0].hint)
    with open_project(options) as project:
        plan = run_job(plan_references(project, options.path), options)
        if options.preview:
            shown = full_text(describe_plan(plan))
            fill, confirm = (len(plan.of_kind(kind)) for kind in (ProposalKind.FILL, ProposalKind.CONFIRM))
            shown += f"\nThis would fill {count(fill, 'value')} and confirm {confirm:,}; "
            shown += f"{count(len(_conflicts(plan)), 'conflict')} would stay."
            notes = problem_lines(plan_problems(plan, with_conflicts=True))
            return CommandResult(shown, plan_data(plan), notes=notes)
        taken = plan.taken(prefers_references=options.prefer_references)
        who = run_job(annotator(project), options)
        done = run_job(apply_references(project, plan, taken, options.domain, who), options)
    text = describe(done)
    more = "\nTo take this back: pairwright undo" if done.papers else ""
    if done.kept:
        path = shlex.quote(str(options.path))
        more += f"\nTo use the values of the references in all conflicts: pairwright references {path}"
        more += " --prefer-references"
    data = plan_data(plan) | {"set": done.set, "confirmed": done.confirmed, "papers": done.papers, "kept": done.kept}
    return CommandResult(full_text(text) + more, data, notes=problem_lines(text.problems))


def _conflicts(plan: ReferencePlan) -> list[Any]:
    return plan.of_kind(ProposalKind.CONFLICT)


def plan_data(plan: ReferencePlan) -> dict[str, Any]:
    data = dataclasses.asdict(plan) | {"path": str(plan.path), "matched": dict(plan.matched)}
    for name in ("proposals", "doubts", "failed"):
        data[name] = [one._asdict() for one in getattr(plan, name)]
    return data
