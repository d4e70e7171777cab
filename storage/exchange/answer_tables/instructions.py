"""What annotators are told of an answer table: what to do, what the answers mean, and the project's guidelines."""

from __future__ import annotations

from html import escape
from textwrap import fill

from miner.records import ANSWER_DEFINITIONS
from storage.annotation.sent_assignments import SentAssignment
from storage.exchange.answer_tables.labels import LETTERS

TASK = (
    "Read the premise, then the hypothesis. Which relation holds between the two? Judge by these two sentences alone, "
    "without looking anything up."
)
_WIDTH = 100


def instructions_text(sent: SentAssignment, steps: list[str], guidelines: str) -> str:
    """The instructions as plain text. steps: what to do with this form, a paragraph each."""
    lines = [_title(sent), "=" * len(_title(sent)), "", fill(TASK, _WIDTH), ""]
    for number, (answer, definition) in enumerate(ANSWER_DEFINITIONS.items(), 1):
        head = f"  {number}  {LETTERS[answer]}  {answer.value:<13}"
        lines.append(fill(definition, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head)))
    for step in steps:
        lines += ["", fill(step, _WIDTH, break_long_words=False, break_on_hyphens=False)]
    if guidelines.strip():
        lines += ["", "Guidelines of this project", "--------------------------", "", guidelines.strip()]
    return "\n".join((*lines, ""))


def instructions_html(sent: SentAssignment, steps: list[str], guidelines: str) -> str:
    """The instructions as HTML without a head, as Label Studio and Prodigy show them."""
    lines = [f"<h3>{escape(_title(sent))}</h3>", f"<p>{escape(TASK)}</p>", "<ol>"]
    lines += [
        f"<li><strong>{answer.value}</strong>: {escape(definition)}</li>"
        for answer, definition in ANSWER_DEFINITIONS.items()
    ]
    lines += ["</ol>", *(f"<p>{escape(step)}</p>" for step in steps)]
    if guidelines.strip():
        lines += [
            "<h3>Guidelines of this project</h3>",
            f'<div style="white-space: pre-wrap">{escape(guidelines)}</div>',
        ]
    return "\n".join((*lines, ""))


def _title(sent: SentAssignment) -> str:
    return f"Round {sent.round:,} for {sent.name}: {sent.pairs:,} {'pair' if sent.pairs == 1 else 'pairs'} of sentences"
