"""The note that the targets have changed since the last release."""

from __future__ import annotations

from desktop.jobs.transactions import read_job
from desktop.translation import tr
from storage.exchange.releases import list_releases
from storage.settings import SPLIT, TARGETS
from storage.stores import Stores


@read_job("Reading the releases")
def load_targets_note(stores: Stores) -> str:
    """What has changed, in two sentences; "" if nothing has changed, or nothing was released."""
    if stores.settings.get(SPLIT) is None:
        return ""
    targets = stores.settings.get(TARGETS)
    for release in list_releases(stores):
        split = release.options and release.options.split
        if not split or split.dev is None or split.test is None:
            continue
        if (split.dev, split.test) == (targets.dev, targets.test):
            return ""
        made = tr("{dev:,} dev and {test:,} test gold labels of each class and domain", dev=split.dev, test=split.test)
        now = tr("the targets are {dev:,} and {test:,} now", dev=targets.dev, test=targets.test)
        return tr(
            "Release {name} was made for {made}; {now}. It stays as it is, and no gold label is lost.",
            name=release.name,
            made=made,
            now=now,
        )
    return ""
