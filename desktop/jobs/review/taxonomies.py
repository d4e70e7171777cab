"""Which taxonomy of kinds of reasoning answers are counted by: TaxiNLI's, one of the project's, or that of a file."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

from desktop.text import count, listed
from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.taxonomy import Taxonomy, parse_taxonomy, released_taxonomy
from storage.stores import Stores

_MAX_BYTES = 1_000_000


def choose_taxonomy(stores: Stores, wanted: str = "") -> tuple[Taxonomy, list[str], list[str]]:
    """The taxonomy to count by, the digests of the taxonomies with the same categories, and sentences on all others.

    wanted: the name of a taxonomy that has answers, or as for `read_taxonomy`; "" for the taxonomy with most answered
    pairs, without any answer TaxiNLI's.
    """
    released = released_taxonomy()
    pairs: Counter[tuple[str, ...]] = Counter()
    same: dict[tuple[str, ...], list[str]] = {}
    taxonomies = {released.categories: released}
    for digest, number in sorted(stores.kinds.pairs_of_taxonomies().items()):
        one = stores.kinds.taxonomy(digest)
        taxonomies.setdefault(one.categories, one)
        same.setdefault(one.categories, []).append(digest)
        pairs[one.categories] += number
    default = max(pairs, key=lambda categories: (pairs[categories], categories), default=released.categories)
    named = [one for one in taxonomies.values() if one.name.casefold() == wanted.casefold()]
    used = (named[0] if named else read_taxonomy(wanted)) if wanted else taxonomies[default]
    notes = [
        tr(
            "{pairs} with answers by {name} ({list} …) can be counted apart: pairwright kinds --taxonomy {word}",
            pairs=count(number, "pair"),
            name=taxonomies[other].name,
            list=listed(list(other[:3])),
            word=shlex.quote(taxonomies[other].name),
        )
        for other, number in sorted(pairs.items())
        if other != used.categories
    ]
    return used, same.get(used.categories, []), notes


def read_taxonomy(named: str = "") -> Taxonomy:
    """The taxonomy in the file of this name, or TaxiNLI's, by its name or for ""; `UserError` if it cannot be read."""
    released = released_taxonomy()
    if named.casefold() in ("", released.name.casefold()):
        return released
    return parse_taxonomy(read_taxonomy_text(Path(named)))


def read_taxonomy_text(path: Path) -> str:
    """The text of a file; `UserError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES + 1).decode("utf-8")
    except FileNotFoundError as exc:
        raise UserError(
            tr("There is no file {path}, and no taxonomy of this name has answers.", path=path),
            hint=tr("Name a file of the TOML format, or TaxiNLI."),
        ) from exc
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(
            tr("{path} cannot be read.", path=path), hint=tr("It must be a text file of the TOML format.")
        ) from exc
