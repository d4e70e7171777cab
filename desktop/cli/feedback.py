"""The command that compares the answers to a pilot round with the reference's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.output import table
from desktop.jobs.review.annotation_rounds import get_round
from desktop.jobs.review.kinds_pilot import KindsFeedback, PairFeedback, QuestionScore, chosen_text, kinds_feedback
from desktop.jobs.review.pilot import PilotFeedback, PilotScore, pilot_feedback
from desktop.text import one_line, percent, shortened
from storage.annotation.annotation_rounds import RoundAsks

_SENTENCE_LENGTH = 60  # characters of a sentence in a table


def feedback(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        with project.read_transaction() as stores:
            asks = get_round(stores, options.round).plan.asks
        if asks is RoundAsks.KINDS:
            of_kinds = run_job(kinds_feedback(project, options.round), options)
            return CommandResult(_kinds_text(of_kinds), _kinds_data(of_kinds))
        found = run_job(pilot_feedback(project, options.round), options)
    return CommandResult(_feedback_text(found), _feedback_data(found))


def _feedback_text(found: PilotFeedback) -> str:
    ranking = _scores_table("annotator", found.ranking)
    rows = [
        (
            shortened(one_line(question.premise), _SENTENCE_LENGTH),
            shortened(one_line(question.hypothesis), _SENTENCE_LENGTH),
            question.reference.value,
            ", ".join(f"{name} {question.answers[name]}" for name in question.differing),
        )
        for question in found.questions
        if question.differing
    ]
    differing = table(("premise", "hypothesis", found.reference, "other answers"), rows)
    head = f"Answers to round {found.round}, compared with those of {found.reference}:"
    return "\n\n".join(filter(None, [head, ranking, differing]))


def _kinds_text(found: KindsFeedback) -> str:
    parts = [
        f"Answers to round {found.round}, compared with those of {found.reference}, by question:",
        _scores_table("annotator", found.ranking),
        _scores_table("question", found.by_question),
        *(_pair_text(pair, found.reference) for pair in found.pairs if pair.differing),
    ]
    return "\n\n".join(filter(None, parts))


def _pair_text(pair: PairFeedback, reference: str) -> str:
    lines = [one_line(pair.premise), one_line(pair.hypothesis)]
    for question in pair.questions:
        others = ", ".join(f"{name}: {chosen_text(question.answers[name])}" for name in question.differing)
        same = [name for name in question.answers if name not in question.differing]
        also = f" (also {', '.join(same)})" if same else ""
        given = f"{reference}: {chosen_text(question.reference)}{also}"
        lines.append(f"  {question.text} {'. '.join(filter(None, [given, others]))}.")
        lines += [f"    {one.name}: {one.definition} {one.confusion}".rstrip() for one in question.definitions]
    return "\n".join(lines)


def _scores_table(what: str, scores: Sequence[PilotScore | QuestionScore]) -> str:
    rows = [
        (one_line(one.name), "" if one.agreement is None else percent(one.agreement), one.agreed, one.compared)
        for one in scores
    ]
    return table((what, "agreement", "same answer", "compared"), rows)


def _scores_data(what: str, scores: Sequence[PilotScore | QuestionScore]) -> list[dict[str, Any]]:
    return [
        {what: one.name, "agreement": one.agreement, "agreed": one.agreed, "compared": one.compared} for one in scores
    ]


def _kinds_data(found: KindsFeedback) -> dict[str, Any]:
    return {
        "round": found.round,
        "reference": found.reference,
        "ranking": _scores_data("annotator", found.ranking),
        "by_question": _scores_data("question", found.by_question),
        "pairs": [
            {
                "key": pair.key,
                "premise": pair.premise,
                "hypothesis": pair.hypothesis,
                "questions": [
                    {
                        "question": one.key,
                        "text": one.text,
                        "reference": list(one.reference),
                        "answers": {name: list(answer) for name, answer in one.answers.items()},
                        "definitions": {category.name: category.definition for category in one.definitions},
                    }
                    for one in pair.questions
                ],
            }
            for pair in found.pairs
        ],
    }


def _feedback_data(found: PilotFeedback) -> dict[str, Any]:
    return {
        "round": found.round,
        "reference": found.reference,
        "ranking": _scores_data("annotator", found.ranking),
        "questions": [
            {
                "key": one.key,
                "premise": one.premise,
                "hypothesis": one.hypothesis,
                "reference": one.reference.value,
                "answers": {name: answer and answer.value for name, answer in one.answers.items()},
            }
            for one in found.questions
        ],
    }
