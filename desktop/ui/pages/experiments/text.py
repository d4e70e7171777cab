"""The sentences of the Experiments page: about experiments, their states and their cells."""

from __future__ import annotations

from desktop.jobs.experiments.overview import ReadyExperiment
from desktop.text import count
from desktop.ui.pages.experiments.experiment_list import ListEntry
from storage.models.experiments import ExperimentState, StoredExperiment

_STATES = {  # the name, the icon, and the colour of the theme
    ExperimentState.RUNNING: ("running", "play", "accent"),
    ExperimentState.DONE: ("done", "circle-check", "good"),
    ExperimentState.STOPPED: ("stopped", "square", "muted"),
    ExperimentState.FAILED: ("failed", "circle-alert", "bad"),
}
_KILLED = ("interrupted", "triangle-alert", "warning")


def ready_entry(ready: ReadyExperiment) -> ListEntry:
    """A ready experiment as the question that it answers."""
    return ListEntry(f"ready:{ready.name}", ready.question, ready.title)


def past_entry(stored: StoredExperiment) -> ListEntry:
    """An experiment that has been run, with its date, its state and how many cells are finished."""
    state, icon, token = state_of(stored)
    cells = f"{stored.finished:,} of {count(stored.cells, 'cell')}"
    date = f"{stored.started_at.astimezone():%Y-%m-%d}"
    return ListEntry(f"past:{stored.id}", stored.name, f"{state} · {cells} · {date}", icon, token, stored.problem)


def state_of(stored: StoredExperiment) -> tuple[str, str, str]:
    """The name of its state, with an icon and a colour: one whose program was killed is interrupted."""
    if stored.state is ExperimentState.STOPPED and stored.ended_at is None:
        return _KILLED
    return _STATES[stored.state]
