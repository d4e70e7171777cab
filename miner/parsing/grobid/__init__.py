"""Parses PDFs with a GROBID server that the user runs.

`ready_server` waits for the server, `tei_key` is the key of a stored answer, `parse_with_grobid` sends PDFs.
"""

from miner.parsing.grobid.outcome import Failed, FileState, Outcome, Parsed, PdfTask, StateChange
from miner.parsing.grobid.scheduler import parse_with_grobid
from miner.parsing.grobid.server import GrobidPaused, Health, Server, ask_server, ready_server
from miner.parsing.grobid.settings import Grobid, parameters, tei_key

__all__ = [
    "Failed",
    "FileState",
    "Grobid",
    "GrobidPaused",
    "Health",
    "Outcome",
    "Parsed",
    "PdfTask",
    "Server",
    "StateChange",
    "ask_server",
    "parameters",
    "parse_with_grobid",
    "ready_server",
    "tei_key",
]
