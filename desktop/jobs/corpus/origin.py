"""The job that says which corpora a project's papers were pulled from."""

from __future__ import annotations

from desktop.jobs.transactions import read_job
from desktop.translation import tr
from storage.settings import CORPUS
from storage.stores import Stores


@read_job("Reading where the papers come from")
def load_origins(stores: Stores) -> str:
    """A sentence for each pull; "" if nothing was pulled."""
    origins = stores.settings.get(CORPUS)
    return " ".join(
        tr(
            "Pulled from the corpus {place} ({which}).",
            place=origin.place,
            which=" ".join(origin.arguments) or tr("all papers"),
        )
        for origin in origins
    )
