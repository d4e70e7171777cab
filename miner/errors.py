"""Errors that the user can do something about.

UserError                 a command cannot be carried out: what happened, to what, and what the user can do
└── UnreadableFile        one file cannot become a paper; stored as that file's failure while the import goes on

Every other exception is a bug and is not caught.
"""

from __future__ import annotations


class UserError(Exception):
    """`str(error)`: what happened, and to what. `error.hint`: what the user can do about it."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint


class UnreadableFile(UserError):
    """This file cannot become a paper.

    `code` is a stable word for tables and filters: `scan`, `encrypted`, `damaged`, `empty`, `not_a_paper`, `too_large`,
    `too_many_pages`, `timeout`, `memory`, `missing`, `unreadable`, `no_text` and others. The message is for users.
    """

    def __init__(self, code: str, what: str, *, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:  # for pickling: it is sent between processes
        return (_unreadable, (self.code, str(self), self.hint))


def _unreadable(code: str, what: str, hint: str) -> UnreadableFile:
    return UnreadableFile(code, what, hint=hint)
