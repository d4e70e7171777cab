"""What jobs' results say to people: one line, and the problems there were on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop.text import count

if TYPE_CHECKING:  # each is there already when a job of its kind has ended, and else not needed
    from desktop.jobs.exchange.imports import Refused
    from desktop.jobs.mining.run import MinedProject
    from desktop.jobs.models.suggestions import SuggestionResult
    from desktop.jobs.models.training import TrainedModel
    from desktop.jobs.papers.import_session import ImportResult
    from desktop.jobs.papers.sentences import Learnt
    from desktop.jobs.review.answers import ActionResult
    from storage.exchange.export import Receipt
    from storage.exchange.imports import ImportedPairs


class Trouble(NamedTuple):
    """One thing that went wrong with an item while the job went on, and what to do."""

    what: str
    hint: str = ""


class Words(NamedTuple):
    text: str
    troubles: tuple[Trouble, ...] = ()


def in_words(result: object) -> Words:
    """A job's result in words; "Done." for one that nobody wrote words for."""
    if isinstance(result, list):
        return _together([in_words(part) for part in result])
    say = _WORDS.get(type(result).__name__)
    return say(result) if say is not None else Words("Done.")


def _together(parts: list[Words]) -> Words:
    text = " ".join(part.text for part in parts[:3]) + (f" And {len(parts) - 3:,} more." if len(parts) > 3 else "")
    return Words(text or "Nothing to do.", tuple(trouble for part in parts for trouble in part.troubles))


def _added(added: ImportResult) -> Words:
    parts = [count(added.new, "new paper")] if added.new or not added.given else []
    parts += [f"{added.known:,} already there"] if added.known else []
    parts += [f"{added.replaced:,} parsed again"] if added.replaced else []
    parts += [f"{len(added.failed):,} could not be read"] if added.failed else []
    return Words(_sentence(parts), tuple(Trouble(problem.reason, problem.hint) for problem in added.failed))


def _mined(mined: MinedProject) -> Words:
    kept = sum(mined.funnel.kept.values())
    dropped = sum(mined.funnel.dropped.values())
    text = f"{count(kept, 'pair')} kept, {count(dropped, 'candidate')} dropped, from {count(mined.papers, 'paper')}."
    if not mined.failed:
        return Words(text)
    hint = "Their text is unusual. Report it with the papers, if you may."
    return Words(text, (Trouble(f"{count(len(mined.failed), 'paper')} could not be mined.", hint),))


def _exported(receipt: Receipt) -> Words:
    left = sum(receipt.left_out.values())
    out = f", {left:,} left out" if left else ""
    return Words(f"Exported {count(receipt.rows, 'pair')}{out}.")


def _imported(file: ImportedPairs) -> Words:
    from desktop.jobs.exchange.imports import notes

    parts = [count(file.new, "new pair")]
    parts += [f"{file.known:,} already there"] if file.known else []
    parts += [f"{count(file.duplicates, 'pair')} there under another name"] if file.duplicates else []
    parts += [count(file.bad, "bad row")] if file.bad else []
    troubles = tuple(Trouble(f"{file.path.name}, {note}") for note in notes(file))
    return Words(f"{file.path.name}: {_sentence(parts)}", troubles)


def _refused(file: Refused) -> Words:
    return Words(f"{file.path.name} could not be read.", (Trouble(file.reason, file.hint),))


def _action(result: ActionResult) -> Words:
    return Words(f"{result.title}.")


def _learnt(learnt: Learnt) -> Words:
    return Words(f"Learnt from {count(learnt.papers, 'paper')}; {learnt.changed:,} of them are split differently now.")


def _suggested(suggested: SuggestionResult) -> Words:
    rate = suggested.new / suggested.seconds if suggested.seconds else 0.0
    speed = f", {rate:,.0f} a second" if suggested.new and rate >= 1 else ""
    text = f"{count(suggested.new, 'new suggestion')} by {suggested.model}{speed}."
    return Words(text, tuple(Trouble(note) for note in suggested.notes))


def _trained(trained: TrainedModel) -> Words:
    scores = trained.metrics.get("held_out") or trained.metrics.get("dev")
    score = f", macro F1 {100 * scores['macro_f1']:.1f}" if scores else ""
    early = ", stopped early" if trained.stopped else ""
    text = f"{trained.name} learned from {count(trained.examples, 'pair')}{score}{early}."
    others = trained.gone + trained.changed
    troubles = [Trouble(note) for note in trained.notes]
    if others:
        hint = "Train again to learn from the labels of now."
        troubles.append(Trouble(f"{count(others, 'pair')} it learned from changed meanwhile.", hint))
    return Words(text, tuple(troubles))


def _sentence(parts: list[str]) -> str:
    return ", ".join(parts) + "."


_WORDS: dict[str, Callable[[Any], Words]] = {
    "ImportResult": _added,
    "NoneType": lambda _: Words("Nothing to do."),
    "MinedProject": _mined,
    "Receipt": _exported,
    "ImportedPairs": _imported,
    "Refused": _refused,
    "ActionResult": _action,
    "Learnt": _learnt,
    "SuggestionResult": _suggested,
    "TrainedModel": _trained,
    "Words": lambda words: words,
}
