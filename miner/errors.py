"""Errors that the user can do something about.

UserError                 a command cannot be carried out: what happened, to what, and what the user can do
└── UnreadableFile        one file cannot become a paper; stored as that file's failure while the import goes on

Every other exception is a bug and is not caught.
"""

from __future__ import annotations

import re

_MAX_LENGTH = 4_000  # characters of a message: what it quotes of a file may be of any length
_CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")  # some of them command a terminal


class UserError(Exception):
    """`str(error)`: what happened, and to what. `error.hint`: what the user can do about it.

    Both are cut where they are very long, and without control characters but line ends and tabs.
    """

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(_shown(what))
        self.hint = _shown(hint)

    def __reduce__(self) -> tuple[object, ...]:  # sent between processes; `__init__` takes other arguments than `args`
        return (_restore, (type(self), self.args), self.__dict__)


class UnreadableFile(UserError):
    """This file cannot become a paper.

    `code` is a stable word for tables and filters: `scan`, `encrypted`, `damaged`, `empty`, `not_a_paper`, `too_large`,
    `too_many_pages`, `timeout`, `memory`, `missing`, `unreadable`, `no_text` and others. The message is for users.
    """

    def __init__(self, code: str, what: str, *, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.code = code


def _shown(text: str) -> str:
    text = str(text)
    if len(text) > _MAX_LENGTH:
        text = f"{text[:_MAX_LENGTH]} …"
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def _restore(kind: type[UserError], args: tuple[object, ...]) -> UserError:
    """The error without its attributes, which the pickle brings."""
    return kind.__new__(kind, *args)
