"""The readers of files of others, each with files that it reads, and how these are changed. Imported in workers.

A reader is called as the program calls it. It may raise `UserError`, and nothing else.
"""

from __future__ import annotations

import random
from functools import cache

from tests.torture.hostile_data import DATA_READERS
from tests.torture.hostile_descriptions import DESCRIPTION_READERS
from tests.torture.hostile_forged import FORGED_READERS
from tests.torture.hostile_papers import PAPER_READERS
from tests.torture.hostile_projects import PROJECT_READERS
from tests.torture.hostile_seed import Seed

READERS = {**PAPER_READERS, **DATA_READERS, **PROJECT_READERS, **FORGED_READERS, **DESCRIPTION_READERS}


@cache
def seeds_of(name: str) -> tuple[Seed, ...]:
    return tuple(READERS[name].seeds())


def hostile_file(name: str, draw: random.Random) -> Seed:
    """A changed file for a reader."""
    seed = draw.choice(seeds_of(name))
    return Seed(seed.suffix, READERS[name].mutate(seed.content, draw))
