"""PDFs to TEI by a GROBID server that the user runs.

`ready_server` says which GROBID it is, `tei_key` whether it was asked before, `parse_with_grobid` asks for the rest.
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
