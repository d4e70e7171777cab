"""A replay server for tests: real HTTP, GROBID's manners and faults, and answers recorded before. It is no GROBID.

    with ReplayServer(Recordings(...)) as server:
        server.script.add(faults.busy(), times=3)
        ...                                   # talk HTTP to server.url
        server.log.peak, server.log.posts     # what it saw

By hand: `python tests/miner/parsing/grobid/replay --port 8070 --corpus DIR`.
"""

from replay.faults import Fault, Script
from replay.pdf import tiny_pdf
from replay.recordings import Recordings
from replay.server import ReplayServer

__all__ = ["Fault", "Recordings", "ReplayServer", "Script", "tiny_pdf"]
