"""The command that lists ties, and decides them."""

from __future__ import annotations

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.jobs.review.ties import Tie, decide_ties, load_ties
from desktop.text import count, one_line
from miner.errors import UserError
from miner.records import Answer


def ties(options: Options) -> CommandResult:
    decisions = _read_decisions(options.decisions)
    with open_project(options, for_reading=not decisions) as project:
        if not decisions:
            return _listed(run_job(load_ties(project), options))
        done = run_job(decide_ties(project, decisions, options.name), options)
    left = f"{count(done.left, 'tie is', 'ties are')} left" if done.left else "none is left"
    text = f"{done.adjudicator.name} decided {count(len(done.decisions), 'tie')}; {left}."
    data = {
        "adjudicator": done.adjudicator.name,
        "decided": {key: answer.value for key, answer in done.decisions.items()},
        "left": done.left,
    }
    return CommandResult(text, data)


def _listed(found: list[Tie]) -> CommandResult:
    parts = [
        f"{tie.key}\n  premise: {one_line(tie.premise)}\n  hypothesis: {one_line(tie.hypothesis)}" for tie in found
    ]
    hint = "To decide one: pairwright ties ID=LABEL"
    text = "\n".join([*parts, f"{count(len(found), 'tie')}. {hint}"]) if found else "There are no ties to decide."
    return CommandResult(text, [tie._asdict() for tie in found])


def _read_decisions(texts: list[str]) -> dict[str, Answer]:
    """The answers by the pair's key, or the start of one; `UserError` for text that is not a decision."""
    found = {}
    for text in texts:
        key, equals, label = text.partition("=")
        if not equals or label.strip().lower() not in set(Answer):
            raise UserError(f"“{text}” is not a decision.", hint=f"Write ID=LABEL; labels are {', '.join(Answer)}.")
        if key in found:
            raise UserError(f"{key} is decided twice.", hint="Give one label for each pair.")
        found[key] = Answer(label.strip().lower())
    return found
