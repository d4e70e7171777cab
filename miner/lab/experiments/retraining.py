"""New experiments from a data map: trained on shares of it (MSciNLI, Table 7), or without chosen pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from miner.errors import UserError
from miner.lab.experiments.experiment import DataSet, Experiment, Subset, Table, TableAxis


@dataclass(frozen=True, slots=True)
class SubsetShares:
    """The shares of the train part, from 0.0 to 1.0, that are trained on or, in `without_hard`, left out."""

    easy: float = 0.33
    hard: float = 0.33
    ambiguous: float = 0.33
    without_hard: tuple[float, ...] = (0.05, 0.25)


def trained_on_shares(experiment: Experiment, mapped: str, shares: SubsetShares) -> Experiment:
    """An experiment that trains again on the whole mapped set and on the shares; all else is as in this experiment."""
    subsets = [(Subset.EASY, shares.easy), (Subset.HARD, shares.hard), (Subset.AMBIGUOUS, shares.ambiguous)]
    subsets += [(Subset.WITHOUT_HARD, share) for share in shares.without_hard]
    data = _base(experiment, mapped)
    for subset, share in subsets:
        percent = f"{100 * share:.3g} %"
        name = f"without {percent} hard" if subset is Subset.WITHOUT_HARD else f"{percent} {subset}"
        data[name] = DataSet(of=mapped, subset=subset, share=share)
    return replace(
        experiment, name=f"{experiment.name}, shares of {mapped}", data=data, tables=(_table("Trained on a share"),)
    )


def trained_without_list(experiment: Experiment, mapped: str, pairs: str) -> Experiment:
    """An experiment that trains on the mapped set as it is, and without the pairs of a list of the project.

    Both are tested on the set's test part. `UserError` where the set is read from files, which no list knows.
    """
    data = _base(experiment, mapped)
    one = data[mapped]
    name = f"{mapped} without {pairs}"
    members = []
    for member in one.union or (mapped,):
        base = experiment.data[member]
        if base.files:
            hint = "Import the files into the project first."
            raise UserError(f"The pairs of {member} are read from files, so no list can leave them out.", hint=hint)
        left_out = sorted({*base.where.get("outside_lists", ()), pairs})
        less = replace(base, where={**base.where, "outside_lists": left_out}, test=None)
        if one.union:
            members.append(f"{member} without {pairs}")
            data[members[-1]] = replace(less, train=less.train or one.train)
        else:
            data[name] = less
    if one.union:
        data[name] = replace(one, union=tuple(members), test=None)
    return replace(
        experiment,
        name=f"{experiment.name}, without {pairs}",
        data=data,
        tables=(_table("Trained with and without the list"),),
        cartography=None,
    )


def _base(experiment: Experiment, mapped: str) -> dict[str, DataSet]:
    """The mapped set, and those that it or a system is made with."""
    needed = {mapped, *experiment.data[mapped].union}
    needed |= {name for system in experiment.systems for name in system.needed_sets}
    return {name: one for name, one in experiment.data.items() if name in needed}


def _table(title: str) -> Table:
    return Table(TableAxis.TRAIN, TableAxis.SCORE, title=title)
