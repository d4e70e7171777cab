"""What tests write need not survive a power cut, so that they do not wait for the disk."""

from __future__ import annotations

import os

import pytest
from sqlalchemy import Connection

from miner import atomic_files
from storage import project

_begin_transaction = project._begin_transaction


def _begin_unflushed(connection: Connection) -> None:
    if connection.get_execution_options().get("synchronous"):
        connection.execution_options(synchronous="OFF")
    _begin_transaction(connection)


def flush_nothing(patch: pytest.MonkeyPatch) -> None:
    """From now on nothing of this process is flushed."""
    patch.setattr(os, "fsync", lambda handle: None)
    patch.setattr(atomic_files, "_CACHED_BY_DRIVE", False)
    patch.setattr(project, "_begin_transaction", _begin_unflushed)


def flush_as_usual(patch: pytest.MonkeyPatch) -> None:
    """Projects that are opened from now on are written as in the program."""
    patch.setattr(project, "_begin_transaction", _begin_transaction)
