"""Jobs that are one transaction: functions of the stores, under `@read_job(title)` or `@write_job(title)`."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, Generic, ParamSpec, TypeVar

from desktop.translation import tr
from miner.progress import Job, Progress
from storage.project import Project
from storage.stores import Stores

P = ParamSpec("P")
R = TypeVar("R")


class TransactionJob(Generic[P, R]):
    """A function that returns the job, given a project and the other arguments of the original function.

    within: the original function, for callers that have an open transaction.
    """

    def __init__(self, title: str, within: Callable[Concatenate[Stores, P], R], *, writes: bool) -> None:
        self._title, self._writes = title, writes
        self.within = within
        update_wrapper(self, within)

    def __call__(self, project: Project, /, *args: P.args, **kwargs: P.kwargs) -> Job[R]:
        def read(progress: Progress) -> R:
            with project.read_transaction() as stores, stores.cancellable(progress):
                return self.within(stores, *args, **kwargs)

        def write(_: Progress) -> R:
            with project.transaction() as stores:
                return self.within(stores, *args, **kwargs)

        return Job(tr(self._title), write if self._writes else read)


def read_job(title: str) -> Callable[[Callable[Concatenate[Stores, P], R]], TransactionJob[P, R]]:
    """A decorator for a job that reads in one transaction, and ends soon after it is cancelled, even within a query."""
    return lambda read: TransactionJob(title, read, writes=False)


def write_job(title: str) -> Callable[[Callable[Concatenate[Stores, P], R]], TransactionJob[P, R]]:
    """A decorator for a job that writes in one transaction: when it ends, all is on disk or nothing has changed."""
    return lambda write: TransactionJob(title, write, writes=True)
