"""How the GROBID server at an address is doing."""

from __future__ import annotations

from miner.parsing.grobid import Grobid, Server, ask_server
from miner.progress import Job, Progress


def ask(url: str) -> Job[Server]:
    """What the server there says of itself, within a few seconds; `UserError` where that is no address."""

    def work(progress: Progress) -> Server:
        return ask_server(Grobid(url))

    return Job("Asking GROBID how it is", work)
