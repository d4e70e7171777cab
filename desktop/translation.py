"""The language of the window: `tr` marks a text that people read, and gives it in their language.

English texts stand in the code. Qt's `lupdate` gathers them into the catalogue `packaging/translations/pairwright.ts`;
`desktop.ui.services.language` installs what Qt Linguist made of it. The commands speak English: they never install one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Translate = Callable[[str, str, int], str]
"""From an English text, its plural or "", and a number or -1, to the translation: the text itself if there is none."""

_translate: Translate | None = None


_english_only: ContextVar[bool] = ContextVar("english_only", default=False)


def use(translate: Translate | None) -> None:
    """Let `translate` give the texts from now on; None for English."""
    global _translate
    _translate = translate


@contextmanager
def in_english() -> Iterator[None]:
    """Make texts English in this context and thread: for files, whose bytes must not depend on the language."""
    token = _english_only.set(True)
    try:
        yield
    finally:
        _english_only.reset(token)


def _found(text: str, plural: str, number: int) -> str:
    return text if _translate is None or _english_only.get() else _translate(text, plural, number)


def tr(text: str, /, **values: object) -> str:
    """The text in the language of the window, with the values in its `{places}`.

    A translation whose places are wrong is not used.

    >>> tr("{pairs} of {papers:,} papers", pairs="2 pairs", papers=1204)
    '2 pairs of 1,204 papers'
    """
    translated = _found(text, "", -1)
    if not values:
        return translated
    try:
        return translated.format(**values)
    except (KeyError, IndexError, ValueError):
        return text.format(**values)


def counted(number: int, singular: str, plural: str) -> str:
    """The number and the noun, by the rules for plurals of the language of the window.

    >>> counted(1, "paper", "papers"), counted(1204, "paper", "papers")
    ('1 paper', '1,204 papers')
    """
    noun = _found(singular, plural, number)
    if noun == singular:  # there is no translation
        noun = singular if number == 1 else plural
    return f"{number:,} {noun}"
