"""Papers that an earlier version of the program parsed or split, and the offer to parse them again.

A new version parses and mines nothing again by itself: people are asked, once in each place for each new version.
"""

from __future__ import annotations

from typing import NamedTuple

from desktop.jobs.transactions import read_job, write_job
from miner.parsing.parse_ranks import GROBID, PARSERS
from miner.versions import RULES_VERSION, SPLITTER_VERSION, is_older
from storage.papers.store import StoredParse
from storage.settings import PARSE_AGAIN_OFFERED
from storage.stores import Stores

WINDOW, COMMAND_LINE = "window", "command line"
"""The places that offer it, each once."""
_OFFERED_VERSIONS = ", ".join(
    [*(f"{parser.stored_as} {parser.version}" for parser in PARSERS.values()), f"splitter {SPLITTER_VERSION}"]
)


class OutdatedPapers(NamedTuple):
    """How many papers an earlier version parsed or split.

    is_offered: whether to offer to parse them again. has_older_rules: the pairs were mined by the rules of an earlier
    version, so that mining any paper means mining all of them.
    """

    papers: int = 0
    is_offered: bool = False
    has_older_rules: bool = False


def count_outdated(stores: Stores, place: str = WINDOW) -> OutdatedPapers:
    """The project's outdated papers, and whether `place` has still to offer to parse them again."""
    papers = sum(number for made_by, number in stores.papers.parses().items() if is_outdated(made_by))
    is_answered = stores.settings.get(PARSE_AGAIN_OFFERED.of(place)) == _OFFERED_VERSIONS
    run = stores.mining_runs.current()
    has_older_rules = run is not None and is_older(run.rules_version, RULES_VERSION)
    return OutdatedPapers(papers, papers > 0 and not is_answered, has_older_rules)


@read_job("Comparing versions")
def load_outdated(stores: Stores) -> OutdatedPapers:
    """`count_outdated` for the window."""
    return count_outdated(stores)


@write_job("Remembering the answer")
def close_offer(stores: Stores, place: str = WINDOW) -> None:
    """Do not offer again to parse papers of versions before the present ones."""
    store_closed_offer(stores, place)


def store_closed_offer(stores: Stores, place: str) -> None:
    stores.settings.put(PARSE_AGAIN_OFFERED.of(place), _OFFERED_VERSIONS)


def has_older_parser(made_by: StoredParse) -> bool:
    """Whether the parser of these papers has a later version now; for GROBID's papers, the reader of its TEI.

    The version of GROBID on a server is not considered.
    """
    version = made_by.version.partition(", reader ")[2] if made_by.parser == GROBID else made_by.version
    return made_by.parser in PARSERS and is_older(version, PARSERS[made_by.parser].version)


def has_older_splitter(made_by: StoredParse) -> bool:
    return is_older(made_by.splitter, SPLITTER_VERSION)


def is_outdated(made_by: StoredParse) -> bool:
    return has_older_parser(made_by) or has_older_splitter(made_by)
