"""The sentences of the Experiments page: about experiments, their states, the cells to compute and the test pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from desktop.jobs.lab.experiments.overview import ReadyExperiment
from desktop.text import count, duration, listed
from desktop.translation import tr
from desktop.ui.pages.experiments.experiment_list import ListEntry
from desktop.ui.services.display_names import capitalized
from storage.lab.experiments import ExperimentState, StoredExperiment

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.check import ExperimentCheck
    from desktop.jobs.lab.experiments.details import TestSet
    from desktop.jobs.lab.experiments.grid import Headline
    from miner.lab.experiments.estimate import TimeEstimate

READ_ONLY = tr("This project is read-only, so no experiment can be run.")
NO_SPLITS = tr(
    "Experiments need a split into train, dev and test. Export the project in splits first, or import a data set that "
    "has them."
)
_STATES = {  # the name, the icon, and the colour of the theme
    ExperimentState.RUNNING: ("running", "play", "accent"),
    ExperimentState.DONE: ("done", "circle-check", "good"),
    ExperimentState.STOPPED: ("stopped", "square", "muted"),
    ExperimentState.FAILED: ("failed", "circle-alert", "bad"),
}
_KILLED = ("interrupted", "triangle-alert", "warning")


def ready_entry(ready: ReadyExperiment, *, is_edited: bool = False) -> ListEntry:
    """A ready experiment as the question that it answers."""
    return ListEntry(
        f"ready:{ready.name}", ready.question, tr("{title} · edited", title=ready.title) if is_edited else ready.title
    )


def past_entry(stored: StoredExperiment, headline: Headline | None = None, *, is_edited: bool = False) -> ListEntry:
    """An experiment that has been run, with its state, date, finished cells and best number."""
    state, icon, token = state_of(stored)
    parts = [state, f"{stored.started_at.astimezone():%Y-%m-%d}", *["edited"] * is_edited]
    best = (
        "" if headline is None else tr("best {measure} {score:.1f} · ", measure=headline.measure, score=headline.score)
    )
    more = tr("{best}{finished:,} of {cells}", best=best, finished=stored.finished, cells=count(stored.cells, "cell"))
    tip = " ".join(filter(None, (state_text(stored), stored.problem)))
    return ListEntry(f"past:{stored.id}", stored.name, " · ".join(parts), icon, token, more, tip)


def state_of(stored: StoredExperiment) -> tuple[str, str, str]:
    """The name, icon and colour of an experiment's state; it is interrupted if its program was killed."""
    if stored.state is ExperimentState.STOPPED and stored.ended_at is None:
        return _KILLED
    return _STATES[stored.state]


def state_text(stored: StoredExperiment) -> str:
    """A sentence about the state of an experiment."""
    state = state_of(stored)
    if state is _KILLED:
        return tr("Interrupted: its program ended while it ran. What was computed is kept")
    return tr(
        "{state}: {finished:,} of {cells}",
        state=capitalized(state[0]),
        finished=stored.finished,
        cells=count(stored.cells, "cell"),
    )


def about_text(stored: StoredExperiment | None, check: ExperimentCheck | None) -> str:
    """The progress of an experiment, and what running it would compute, as far as that is known."""
    is_complete = stored is not None and (check is None or not check.runs)
    plan = "" if check is None or is_complete else plan_text(check, stored)
    return " · ".join(filter(None, ("" if stored is None else state_text(stored), plan)))


def plan_text(check: ExperimentCheck, stored: StoredExperiment | None = None) -> str:
    """What running it would compute, such as "45 cells, 12 of them known · 11 runs to compute".

    stored: the experiment as it was run. Its cells, which `state_text` names, are left out if they are the same.
    """
    if not check.cells:
        return ""
    runs = tr("{runs} to compute", runs=count(check.runs, "run")) if check.runs else tr("nothing to compute")
    runs += _time_text(check.estimate)
    if stored is not None and (stored.cells, stored.finished) == (check.cells, check.known):
        return runs
    known = tr(", {known:,} of them known", known=check.known) if check.known else ""
    refused = tr(", {refused:,} refused", refused=check.refused) if check.refused else ""
    lacking = (
        tr(
            ", {lacking:,} {lacks} something",
            lacking=check.lacking,
            lacks=tr("lacks") if check.lacking == 1 else tr("lack"),
        )
        if check.lacking
        else ""
    )
    now = "" if stored is None else tr("as it is now, ")  # its file or its pairs have changed
    return f"{now}{count(check.cells, 'cell')}{known}{refused}{lacking} · {runs}"


def gaps_text(check: ExperimentCheck) -> str:
    """The first missing thing; the others are named beside their fields."""
    first, texts = check.gaps[0], [gap.text for gap in check.gaps]
    times, more = texts.count(first.text), len({*texts}) - 1
    systems = tr("{times:,} systems: ", times=times) if times > 1 and first.place[0] == "system" else ""
    return f"{systems}{first.text}" + (
        tr(" {more:,} more {is_} missing, as said below.", more=more, is_=tr("is") if more == 1 else tr("are"))
        if more
        else ""
    )


def _time_text(estimate: TimeEstimate | None) -> str:
    """The time in words, such as " · about 2 h 10 min on this computer"; "" if it is not known."""
    if estimate is None or not estimate.cells or not estimate.seconds:
        return ""
    more = tr(", without {list}", list=listed(list(estimate.unknown))) if estimate.unknown else ""
    return tr(" · about {value} on this computer{more}", value=duration(max(1.0, estimate.seconds)), more=more)


def run_text(check: ExperimentCheck | None) -> str:
    """The text of the button."""
    if check is None or not check.cells or not check.known:
        return tr("R&un")
    return tr("R&un the rest") if check.runs else tr("R&un again")


def outside_text(tests: Iterable[TestSet]) -> str:
    """Sentences about test pairs that the project does not have; "" if it has all."""
    tests = list(tests)
    removed = [_share_text(one, one.removed) for one in tests if one.removed]
    others = [_share_text(one, one.outside - one.removed) for one in tests if one.outside > one.removed]
    sentences = []
    if removed:
        sentences.append(
            tr(
                "No longer in the project: {parts}. Their papers were removed or mined anew, so the Pairs page does "
                "not show them.",
                parts=listed(removed),
            )
        )
    if others:
        sentences.append(
            tr(
                "Not in the project: {parts}. They come from files, so their numbers open a list of wrong "
                "predictions instead of the Pairs page.",
                parts=listed(others),
            )
        )
    return " ".join(sentences)


def _share_text(test: TestSet, pairs: int) -> str:
    return tr(
        "{value}{pairs:,} test pairs of {name}",
        value=tr("all ") if pairs == test.pairs else tr("{outside:,} of ", outside=pairs),
        pairs=test.pairs,
        name=test.name,
    )
