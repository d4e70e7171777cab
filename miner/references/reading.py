"""Reads bibliographies, in whatever encoding.

UTF-8, and UTF-16 by its byte order mark or its zeros, are certain. Bytes that are not UTF-8 are taken for Windows-1252,
run by run, because files that were put together from several have both. Where these bytes form whole words, as in
Cyrillic or Chinese encodings, the file is refused, so that no wrong characters come into a project. JabRef names the
encoding in the first line.
"""

from __future__ import annotations

import codecs
import re
import stat
from collections.abc import Callable
from pathlib import Path

from miner.errors import UnreadableFile
from miner.parsing.files import unreadable_error
from miner.references.bibtex import read_bibtex
from miner.references.csl_json import read_csl_json
from miner.references.reference import References
from miner.references.ris import read_ris

SIZE_LIMIT = 250_000_000  # bytes; 50,000 entries with abstracts have 85 MB
_READERS = {".bib": read_bibtex, ".bibtex": read_bibtex, ".ris": read_ris, ".json": read_csl_json}

_DECLARED = re.compile(rb"%\s*Encoding:\s*([\w-]{2,20})")
_DECLARABLE = {
    *("ascii", "big5", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "euc_jp", "euc_kr", "gb2312", "gbk"),
    *("gb18030", "koi8-r", "mac-roman", "shift_jis", *(f"iso8859-{part}" for part in range(1, 17))),
}
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_LONG_RUN = 3  # bytes beyond ASCII side by side: a word, not letters with accents
_MAX_RUN_SHARE = 0.25
_CHECKED_AFTER = 10_000  # such bytes, so that a large file is refused early
_ENCODING_HINT = "Save or export it as UTF-8, then add it again."


def read_references(path: Path, on_part: Callable[[int, int], None] = lambda done, total: None) -> References:
    """The entries of a bibliography, in the order of the file, with those that could not be read.

    `on_part` is called with how much is read, and of how much, and may raise to stop. `UnreadableFile` where the file
    is missing, too large, in an unknown encoding, or holds no entries.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        hint = "Export the references as BibTeX (.bib), RIS (.ris) or CSL-JSON (.json)."
        raise UnreadableFile("not_references", f"{path.name} is not a kind of file that references come in.", hint=hint)
    text = _decode_text(_read_bytes(path), path.name)
    found = reader(text.replace("\r\n", "\n").replace("\r", "\n"), on_part)
    if not found.entries and not found.failed:
        raise UnreadableFile(
            "no_references", f"{path.name} has no {found.format} references.", hint="Export them again."
        )
    return found


def _read_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFile("not_a_file", f"{path} is not an ordinary file.", hint="Save it as a file first.")
        if status.st_size > SIZE_LIMIT:
            what = f"{path.name} has {status.st_size / 1e6:,.0f} MB; the limit is {SIZE_LIMIT / 1e6:,.0f} MB."
            raise UnreadableFile("too_large", what, hint="Export it without notes and abstracts, or in parts.")
        return path.read_bytes()
    except OSError as exc:
        raise unreadable_error(path, exc) from exc


def _decode_text(content: bytes, name: str) -> str:
    """The text of the file `name`; `UnreadableFile` where the encoding is not recognised."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return _decode_as(content.removeprefix(codecs.BOM_UTF8), encoding, name)
    if b"\0" in content[:1000]:
        return _decode_as(content, "utf-16-be" if content[0] == 0 else "utf-16-le", name)
    if declared := _declared_encoding(content):
        return _decode_as(content, declared, name)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_mixed(content, name)


def _declared_encoding(content: bytes) -> str:
    found = _DECLARED.search(content[:1000])
    if found is None:
        return ""
    try:
        encoding = codecs.lookup(found[1].decode("ascii", "replace")).name
    except LookupError:
        return ""
    return encoding if encoding in _DECLARABLE else ""


def _decode_as(content: bytes, encoding: str, name: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as exc:
        what = f"{name} is not in the encoding that it says, {encoding.upper()}."
        raise UnreadableFile("encoding", what, hint=_ENCODING_HINT) from exc


def _decode_mixed(content: bytes, name: str) -> str:
    """The text of UTF-8 in which some runs of bytes beyond ASCII are Windows-1252."""
    wrong = long = 0  # bytes

    def mend(run: re.Match[bytes]) -> bytes:
        nonlocal wrong, long
        try:
            run[0].decode("utf-8")
        except UnicodeDecodeError:
            wrong += len(run[0])
            long += len(run[0]) if len(run[0]) >= _LONG_RUN else 0
            if wrong > _CHECKED_AFTER:
                check()
            return run[0].decode("cp1252", "replace").encode("utf-8")
        return run[0]

    def check() -> None:
        if long > _MAX_RUN_SHARE * wrong:
            raise UnreadableFile("encoding", f"{name} is in an encoding that was not recognised.", hint=_ENCODING_HINT)

    mended = _BEYOND_ASCII.sub(mend, content)
    check()
    return mended.decode("utf-8")
