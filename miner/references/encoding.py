"""The text of a bibliography in whatever encoding.

UTF-8, and UTF-16 by its byte order mark or its zeros, are certain. Bytes that are not UTF-8 are taken for Windows-1252,
run by run, as files that were put together from several have both. Where these bytes form whole words, as in Cyrillic
or Chinese encodings, the file is refused, so that no wrong characters come into a project. JabRef names the encoding
in the first line.
"""

from __future__ import annotations

import codecs
import re

from miner.errors import UnreadableFile

_DECLARED = re.compile(rb"%\s*Encoding:\s*([\w-]{2,20})")
_DECLARABLE = {
    *("ascii", "big5", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "euc_jp", "euc_kr", "gb2312", "gbk"),
    *("gb18030", "koi8-r", "mac-roman", "shift_jis", *(f"iso8859-{part}" for part in range(1, 17))),
}
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_LONG_RUN = 3  # bytes beyond ASCII side by side: a word, not letters with accents
_MAX_RUN_SHARE = 0.25
_CHECKED_AFTER = 10_000  # such bytes, so that a large file is refused early
_HINT = "Save or export it as UTF-8, then add it again."


def decode_text(content: bytes, name: str) -> str:
    """The text of the file `name`; `UnreadableFile` where the encoding is not recognised."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return _decode(content.removeprefix(codecs.BOM_UTF8), encoding, name)
    if b"\0" in content[:1000]:
        return _decode(content, "utf-16-be" if content[0] == 0 else "utf-16-le", name)
    if declared := _declared_encoding(content):
        return _decode(content, declared, name)
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


def _decode(content: bytes, encoding: str, name: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as exc:
        what = f"{name} is not in the encoding that it says, {encoding.upper()}."
        raise UnreadableFile("encoding", what, hint=_HINT) from exc


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
            raise UnreadableFile("encoding", f"{name} is in an encoding that was not recognised.", hint=_HINT)

    mended = _BEYOND_ASCII.sub(mend, content)
    check()
    return mended.decode("utf-8")
