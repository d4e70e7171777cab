"""Parses PDFs with a GROBID server that the user runs.

`ready_server` waits for the server, `tei_key` is the key of a stored answer, `parse_with_grobid` sends PDFs.
"""

from miner.parsing.grobid.outcome import FailedPdf, FileState, Outcome, ParsedPdf, PdfTask, StateChange
from miner.parsing.grobid.scheduler import parse_with_grobid
from miner.parsing.grobid.server import GrobidPaused, GrobidServer, ServerHealth, ask_server, ready_server
from miner.parsing.grobid.settings import GrobidSettings, kept_answer_keys, request_parameters, tei_key

__all__ = [
    "FailedPdf",
    "FileState",
    "GrobidPaused",
    "GrobidServer",
    "GrobidSettings",
    "Outcome",
    "ParsedPdf",
    "PdfTask",
    "ServerHealth",
    "StateChange",
    "ask_server",
    "kept_answer_keys",
    "parse_with_grobid",
    "ready_server",
    "request_parameters",
    "tei_key",
]
