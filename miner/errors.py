"""The errors a person can do something about.

UserError                 the world is not as the command needs it: says what happened, to what, and what to do
└── Unreadable            one file cannot become a paper; an item's failure, kept as data beside the papers that worked

Everything else that is raised is a bug of ours and flies to the top.
"""

from __future__ import annotations


class UserError(Exception):
    """What happened, to what (`str(error)`), and what the person can do about it (`error.hint`)."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint


class Unreadable(UserError):
    """This file cannot become a paper.

    `code` is a stable word for tables and filters (`scan`, `encrypted`, `damaged`, `empty`, `not_a_paper`, `too_large`,
    `too_many_pages`, `timeout`, `memory`, `missing`, `unreadable`, `no_text`, ...); the text is for people.
    """

    def __init__(self, code: str, what: str, *, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:  # crosses process borders
        return (_unreadable, (self.code, str(self), self.hint))


def _unreadable(code: str, what: str, hint: str) -> Unreadable:
    return Unreadable(code, what, hint=hint)
