"""The command that compares the answers to a pilot round with the reference's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.output import table
from desktop.jobs.review.pilot import FeedbackScore, PairFeedback, PilotFeedback, QuestionFeedback, pilot_feedback
from desktop.text import one_line, percent
from storage.annotation.annotation_rounds import RoundAsks


def feedback(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        found = run_job(pilot_feedback(project, options.round), options)
    return CommandResult(_feedback_text(found), _feedback_data(found))


def _feedback_text(found: PilotFeedback) -> str:
    by_question = ", by question" if found.by_question else ""
    parts = [
        f"Answers to round {found.round}, compared with those of {found.reference}{by_question}:",
        _scores_table("annotator", found.ranking),
        _scores_table("question", found.by_question),
        *(_pair_text(found, pair) for pair in found.pairs if pair.differing),
    ]
    return "\n\n".join(filter(None, parts))


def _pair_text(found: PilotFeedback, pair: PairFeedback) -> str:
    lines = [one_line(pair.premise), one_line(pair.hypothesis)]
    for question in pair.questions:
        lines.append(f"  {found.answers_text(question)}")
        lines += [f"    {one.name}: {one.definition} {one.confusion}".rstrip() for one in question.definitions]
    return "\n".join(lines)


def _scores_table(what: str, scores: Sequence[FeedbackScore]) -> str:
    rows = [
        (one_line(one.name), "" if one.agreement is None else percent(one.agreement), one.agreed, one.compared)
        for one in scores
    ]
    return table((what, "agreement", "same answer", "compared"), rows)


def _scores_data(what: str, scores: Sequence[FeedbackScore]) -> list[dict[str, Any]]:
    return [
        {what: one.name, "agreement": one.agreement, "agreed": one.agreed, "compared": one.compared} for one in scores
    ]


def _feedback_data(found: PilotFeedback) -> dict[str, Any]:
    data = {"round": found.round, "reference": found.reference, "ranking": _scores_data("annotator", found.ranking)}
    if found.asks is RoundAsks.RELATION:
        names = [one.name for one in found.ranking]
        return data | {"questions": [_pair_data(one) | _relation_data(one.questions[0], names) for one in found.pairs]}
    return data | {
        "by_question": _scores_data("question", found.by_question),
        "pairs": [_pair_data(one) | {"questions": [*map(_question_data, one.questions)]} for one in found.pairs],
    }


def _pair_data(pair: PairFeedback) -> dict[str, Any]:
    return {"key": pair.key, "premise": pair.premise, "hypothesis": pair.hypothesis}


def _relation_data(relation: QuestionFeedback, names: Sequence[str]) -> dict[str, Any]:
    """The feedback on a pair's relation, its only question.

    names: all compared annotators; null if one gave no answer.
    """
    answers = {name: relation.answers[name][0] if name in relation.answers else None for name in names}
    return {"reference": relation.reference[0], "answers": answers}


def _question_data(question: QuestionFeedback) -> dict[str, Any]:
    return {
        "question": question.key,
        "text": question.text,
        "reference": list(question.reference),
        "answers": {name: list(answer) for name, answer in question.answers.items()},
        "definitions": {category.name: category.definition for category in question.definitions},
    }
