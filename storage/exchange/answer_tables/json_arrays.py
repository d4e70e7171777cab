"""Reads a file that is one JSON array element by element, so that memory holds no more than one element."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from miner.parsing.files import unreadable_error
from storage.exchange.table_files import text_of
from storage.exchange.table_rows import ROW_LIMIT, TOO_LONG, TableRow

_PART = 65_536  # characters that are read at once


def read_json_array(path: Path) -> Iterator[TableRow]:
    """The elements that are objects; the line of a row is the number of its element, from 1.

    The last row has a problem where the file is damaged. Raises `UserError` if the file cannot be read.
    """
    try:
        with path.open("rb") as file, text_of(file) as text:
            yield from _rows(_Elements(text))
    except OSError as exc:
        raise unreadable_error(path, exc) from exc


class _Elements:
    """The elements of an array, one after the other."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._buffer, self._at = "", 0
        self._decoder = json.JSONDecoder(parse_constant=lambda _: None)  # NaN: some programs write it

    def enter(self) -> None:
        """Pass over the bracket at the beginning."""
        if self.peek() == "[":
            self._at += 1

    def peek(self, passed_over: str = "") -> str:
        """The next character that is no white space, nor one of those that are passed over; "" at the end."""
        while True:
            while self._at < len(self._buffer) and self._passes(self._buffer[self._at], passed_over):
                self._at += 1
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._read_more():
                return ""

    def next(self) -> object:
        """The next element. `ValueError` if it is not JSON, is cut off, or is too long; `RecursionError`."""
        while True:
            try:
                value, self._at = self._decoder.raw_decode(self._buffer, self._at)
                return value
            except ValueError:
                if len(self._buffer) - self._at > ROW_LIMIT:
                    raise ValueError(TOO_LONG) from None
                if not self._read_more():
                    raise ValueError("not JSON from here on") from None

    def _passes(self, character: str, passed_over: str) -> bool:
        return character.isspace() or character in passed_over

    def _read_more(self) -> bool:
        part = self._text.read(_PART)
        self._buffer, self._at = self._buffer[self._at :] + part, 0
        return bool(part)


def _rows(elements: _Elements) -> Iterator[TableRow]:
    number = 0
    elements.enter()
    while (first := elements.peek(",")) and first != "]":
        number += 1
        try:
            value = elements.next()
        except RecursionError:
            yield TableRow(number, {}, "nested too deeply")
            return
        except ValueError as exc:
            yield TableRow(number, {}, str(exc))
            return
        yield TableRow(number, value) if isinstance(value, dict) else TableRow(number, {}, "not a JSON object")
    if not first:
        yield TableRow(number + 1, {}, "the file ends in the middle")
