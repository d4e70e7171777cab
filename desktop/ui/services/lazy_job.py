"""Jobs of modules that take long to import: what they need is imported where they work, while nobody waits."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from miner.progress import Job, Progress


def lazy_job(title: str, module: str, name: str, *arguments: Any) -> Job[Any]:
    """The job that `name` of the module gives for these arguments; of one that gives no job, doing it."""

    def work(progress: Progress) -> Any:
        found = getattr(import_module(module), name)(*arguments)
        return found.work(progress) if isinstance(found, Job) else found

    return Job(title, work)
