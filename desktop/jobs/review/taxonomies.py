"""Which taxonomy of kinds of reasoning answers are counted by: TaxiNLI's, one of the project's, or that of a file."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

from desktop.text import count, listed
from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.taxonomy import Taxonomy, parse_taxonomy, released_taxonomy
from miner.paths import check_ordinary
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
    names = {released.name.casefold(): {released.categories}}
    for digest, number in sorted(stores.kinds.pairs_of_taxonomies().items()):
        one = stores.kinds.taxonomy(digest)
        taxonomies.setdefault(one.categories, one)
        same.setdefault(one.categories, []).append(digest)
        names.setdefault(one.name.casefold(), set()).add(one.categories)
        pairs[one.categories] += number
    default = max(pairs, key=lambda categories: (pairs[categories], categories), default=released.categories)
    named = sorted(names.get(wanted.casefold(), ()))
    if len(named) > 1:
        raise UserError(
            tr("Several taxonomies are called {name}.", name=wanted), hint=tr("Name the file of the one that you mean.")
        )
    used = (taxonomies[named[0]] if named else read_taxonomy(wanted)) if wanted else taxonomies[default]
    notes = []
    for other, number in sorted(pairs.items()):
        if other == used.categories:
            continue
        name = taxonomies[other].name
        notes.append(
            tr(
                "{pairs} with answers by {name} ({list} …) can be counted apart: pairwright kinds --taxonomy {word}",
                pairs=count(number, "pair"),
                name=name,
                list=listed(list(other[:3])),
                word=shlex.quote(name) if len(names[name.casefold()]) == 1 else "FILE",
            )
        )
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
        check_ordinary(path)
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
