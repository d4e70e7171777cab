"""Adds other projects to the open one, for `pairwright add`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from desktop.cli.conflicts import conflict_data
from desktop.cli.execution import Options, full_text, run_job
from desktop.jobs.exchange.project_addition import add_project
from desktop.jobs.results import describe
from storage.exchange.added_project import AddedProject
from storage.project import Project

_NUMBERS = (
    *("papers", "data_sets", "known", "answers", "known_answers", "agreeing", "marks", "texts", "lists", "pilots"),
    *("text_conflicts", "waiting", "splitters"),
)


class AddedProjects(NamedTuple):
    """The results of adding projects, in words and as data."""

    text: str
    data: list[dict[str, Any]]


def add_projects(project: Project, paths: Sequence[Path], options: Options) -> AddedProjects:
    """Add projects one by one. `UserError` for the first that cannot be added; the ones before it stay added."""
    added = [run_job(add_project(project, path), options) for path in paths]
    lines = [full_text(describe(one)) for one in added]
    if any(one.title for one in added):
        lines.append("To find the pairs of their papers: pairwright mine")
        each = ", once for each project" if sum(bool(one.title) for one in added) > 1 else ""
        lines.append(f"To take this back: pairwright undo{each}")
    return AddedProjects("\n".join(lines), [_data(one) for one in added])


def _data(added: AddedProject) -> dict[str, Any]:
    return {
        "path": str(added.path),
        "done": added.title or None,
        **{name: getattr(added, name) for name in _NUMBERS},
        "people": added.people,
        "other_roles": added.roles,
        "domains": [one._asdict() for one in added.domains],
        "not_taken_over": list(added.staying),
        "conflicts": [{"annotator": one.name, **conflict_data(one.conflict)} for one in added.conflicts],
    }
