"""What people change about papers, and how it is taken back."""

from __future__ import annotations

from sqlalchemy import Connection


def undo(connection: Connection, action: int, reversal: int) -> None:
    """Take back what `action` did to papers, as part of `reversal`; nothing when it did nothing to any."""


def redo(connection: Connection, action: int, reversal: int) -> None:
    """Do again what `action` did to papers, as part of `reversal`; nothing when it did nothing to any."""
