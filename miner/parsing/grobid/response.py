"""What a reply of GROBID means for the file that was sent, and for the whole job."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum, auto

from miner.errors import UnreadableFile
from miner.http import HttpReply, TransportStatus
from miner.parsing.recognition import RECOGNISE
from miner.parsing.tei import grobid_application, parse_tei, pdf_md5, safe_tree
from miner.records import Paper

EXCERPT = 500  # characters of an answer that are kept


class Decision(Enum):
    KEEP = auto()  # store the answer, with or without text in it
    FAIL = auto()  # the file fails, once its retries are used up
    WAIT = auto()  # the server is busy: send again; this counts as no retry
    PAUSE = auto()  # the server is the cause: pause the job, leave the file as it is
    CHECK_ADDRESS = auto()  # the answer is not from GROBID: the file fails, or the address is wrong
    CHECK_SERVER = auto()  # the connection broke: check whether the server still runs


@dataclass(frozen=True, slots=True)
class Response:
    """What to do about a reply. `code`, `text`, `hint`: of the file's failure, or of the message when the job pauses.

    `retries`: further attempts after this failure. `pause`: wait before a retry. `alone`: retry with nothing else on
    the server and twice the timeout. `lasting`: the failure belongs to the file and would come again. `suspect`: the
    server may be the cause, if many files in a row fail.
    """

    decision: Decision
    code: str = ""
    text: str = ""
    hint: str = ""
    retries: int = 0
    alone: bool = False
    pause: bool = False
    lasting: bool = True
    suspect: bool = False
    paper: Paper | None = None
    version: str = ""  # of the GROBID that wrote the TEI, by the TEI


_REPAIR = "Open it and save it again as PDF, or get another copy."
_SPLIT = "Split it into several files."
_FAILED = Response(Decision.FAIL, "grobid_failed", "GROBID failed on this file", retries=1)
_INSTALL = Response(
    Decision.PAUSE, "install", "GROBID's installation is broken", "Use the Docker image grobid/grobid:0.9.1-crf."
)
_BUSY = Response(Decision.WAIT, "busy", "GROBID is busy")
_INCOMPLETE = Response(Decision.FAIL, "incomplete", "Incomplete answer from GROBID", retries=2, lasting=False)

# The nine codes of GROBID's plain-text 500s (GrobidExceptionStatus.java).
_SERVER_ERRORS = {
    "NO_BLOCKS": Response(Decision.FAIL, "scan", "No text layer: this looks like a scan", RECOGNISE),
    "BAD_INPUT_DATA": Response(Decision.FAIL, "damaged", "Damaged or unreadable PDF", _REPAIR),
    "TOO_MANY_BLOCKS": Response(Decision.FAIL, "too_large", "Too large for GROBID", _SPLIT),
    "TOO_MANY_TOKENS": Response(Decision.FAIL, "too_large", "Too large for GROBID", _SPLIT),
    "TIMEOUT": Response(Decision.FAIL, "timeout", "GROBID's PDF converter took too long", retries=1, alone=True),
    "PDFALTO_CONVERSION_FAILURE": replace(_FAILED, code="converter", text="GROBID's PDF converter failed"),
    "TAGGING_ERROR": replace(_FAILED, suspect=True),
    "PARSING_ERROR": _FAILED,
    "GENERAL": replace(_FAILED, code="grobid_general", suspect=True),
}
_UNKNOWN_SERVER_ERROR = Response(
    Decision.FAIL, "grobid_internal", "GROBID internal error", retries=1, pause=True, suspect=True
)

# Texts of replies with status 500 for which the server is the cause, not the file.
_BY_TEXT = (
    ("No GROBID engine", _BUSY),
    ("cannot be written", replace(_INSTALL, text="GROBID cannot write its temporary files", hint="Free its disk.")),
    ("Cannot find pdfalto", _INSTALL),
    ("libxml2", _INSTALL),
)

# The address may be wrong, as long as GROBID has not answered for any file.
_ADDRESS = Response(
    Decision.CHECK_ADDRESS,
    "address",
    "",
    "Check GROBID's address, and any proxy in front of it.",
    retries=1,
    lasting=False,
)
_NOT_GROBID = Response(
    Decision.CHECK_ADDRESS,
    "not_grobid",
    "This address is not GROBID",
    "Correct the address of GROBID.",
    retries=1,
    lasting=False,
)

_TRANSPORT_FAILURES = {
    TransportStatus.UNREACHABLE: Response(Decision.CHECK_SERVER, "not_running", "GROBID is not running"),
    TransportStatus.LOST: Response(
        Decision.CHECK_SERVER, "connection_lost", "Connection to GROBID lost", retries=2, alone=True, lasting=False
    ),
    TransportStatus.TIMED_OUT: Response(Decision.FAIL, "timeout", "", retries=1, alone=True, lasting=False),
    TransportStatus.TOO_LARGE: Response(Decision.FAIL, "too_large", "GROBID's answer is too large", _SPLIT),
}


def interpret(reply: HttpReply, *, pdf_md5: str, segment: bool, waited: float) -> Response:
    """What to do about the reply to a full-text request for the PDF with this MD5, after waiting `waited` seconds."""
    status = reply.status
    if status == TransportStatus.TIMED_OUT:
        return replace(_TRANSPORT_FAILURES[TransportStatus.TIMED_OUT], text=f"GROBID took longer than {waited:.0f} s")
    if status in _TRANSPORT_FAILURES:
        return _TRANSPORT_FAILURES[TransportStatus(status)]
    if status == 200:
        return _answer(reply.body, pdf_md5, segment=segment)
    if status in (503, 429, 502, 504):
        return _BUSY
    if status == 500:
        return _server_error(reply)
    if status == 204:
        return Response(Decision.FAIL, "no_content", "GROBID found nothing in this file")
    if status in (400, 413):
        return Response(Decision.FAIL, "refused", f"GROBID's server refused this file (status {status})")
    if status in (401, 403, 404, 405, 406, 407, 415) or 300 <= status < 400:
        return replace(_ADDRESS, text=f"The address given for GROBID answered with status {status}")
    return replace(_UNKNOWN_SERVER_ERROR, text=f"{_UNKNOWN_SERVER_ERROR.text} (status {status}){_quoted(reply.text)}")


def odd_answer(response: Response) -> Response:
    """The failure of a file whose answer is not from GROBID, while GROBID answers for other files."""
    text = response.text.replace(_NOT_GROBID.text, "The answer for this file is not GROBID's", 1)
    return replace(response, code="odd_answer", text=text, hint="Retry it later, or read it without GROBID.")


def _server_error(reply: HttpReply) -> Response:
    for words, response in _BY_TEXT:
        if words in reply.text:
            return replace(response, text=f"{response.text}{_quoted(reply.text)}")
    code = re.match(r"\s*\[([A-Z_]+)\]", reply.text)
    response = _SERVER_ERRORS.get(code[1], _UNKNOWN_SERVER_ERROR) if code else _UNKNOWN_SERVER_ERROR
    return replace(response, text=f"{response.text}{_quoted(reply.text)}")


def _answer(body: bytes, md5: str, *, segment: bool) -> Response:
    try:
        root = safe_tree(body)
    except UnreadableFile as exc:
        if exc.code in ("too_deep", "too_large"):
            return Response(Decision.FAIL, exc.code, f"GROBID's answer cannot be read: {exc}")
        if exc.code == "damaged" and b"<TEI" in body[:4096]:
            return replace(_INCOMPLETE, text=f"{_INCOMPLETE.text}: {exc}")
        return replace(_NOT_GROBID, text=f"{_NOT_GROBID.text}{_quoted(body[:4096].decode('utf-8', 'replace'))}")
    grobid = grobid_application(root)
    if (pdf_md5(root) or md5) != md5:
        return replace(_INCOMPLETE, text=f"{_INCOMPLETE.text}: it is about another PDF")
    if not _has_parameters(grobid.parameters, segment=segment):
        return replace(_INCOMPLETE, text=f"{_INCOMPLETE.text}: it was made with other settings")
    try:
        return Response(Decision.KEEP, paper=parse_tei(body), version=grobid.version)
    except UnreadableFile as exc:
        return Response(Decision.KEEP, exc.code, str(exc), exc.hint, version=grobid.version)


def _has_parameters(label: str, *, segment: bool) -> bool:
    """Whether the parameters that GROBID reports agree with ours; those it does not report are ignored."""
    reported = dict(re.findall(r"\b(\w+)=(\w+)", label[:2000]))
    expected = {"sentenceSegmentation": str(segment).lower(), "flavor": "null"}
    expected |= {f"consolidate{what}": "0" for what in ("Header", "Citations", "Funders")}
    return all(reported.get(name, value) == value for name, value in expected.items())


def _quoted(text: str) -> str:
    """The beginning of a server's answer as plain text, without paths on the server."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    plain = re.sub(r"(?<![\w/<.])(?:[A-Za-z]:)?(?:[/\\][\w.~+-]+){2,}[/\\]?", "…", plain)
    return f": {plain[:EXCERPT]}" if plain else ""
