"""`pairwright kinds --layers`: at which layer of a model kinds of reasoning stand apart."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.output import table
from desktop.jobs.lab.layers.embedding import KindsEmbedding
from desktop.jobs.lab.layers.jobs import EmbeddingOptions, compute_embedding, save_embedding
from desktop.text import count
from miner.errors import UserError
from miner.kinds.taxonomy import released_taxonomy
from miner.lab.layers.embedding import MAX_CATEGORIES, NEIGHBOURS
from miner.lab.layers.layer_embedding import GroupedBy
from miner.paths import PROJECT_SUFFIX

_TITLES = {GroupedBy.CATEGORY: "category", GroupedBy.LABEL: "label", GroupedBy.RELATION: "annotators' label"}


def layers(options: Options) -> CommandResult:
    """The table of purity and silhouette by layer, and with `--out` a picture or the points."""
    if len(options.model) != 1:
        raise UserError("--layers needs one model.", hint="For example: --layers --model starter")
    alone = options.file and options.project is None and len(list(Path().glob(f"*{PROJECT_SUFFIX}"))) != 1
    chosen = EmbeddingOptions(
        options.model[0], options.file, options.pairs, options.seed, options.device, options.taxonomy
    )
    with ExitStack() as stack:
        project = None if alone else stack.enter_context(open_project(options, for_reading=True))
        found = run_job(compute_embedding(project, chosen), options)
    notes = list(_notes(found))
    if options.out is not None:
        written = run_job(save_embedding(found, options.out, GroupedBy(options.by)), options)
        notes.append(f"Wrote {count(written, 'pair')} to {options.out}.")
    head = f"{found.model}: {count(len(found.pairs), 'pair')}, {count(found.layer_count - 1, 'layer')}"
    parts = [head, *(_tables(found, kind) for kind in GroupedBy)]
    return CommandResult("\n\n".join(part for part in parts if part), found.to_data(), notes=tuple(notes))


def _notes(found: KindsEmbedding) -> list[str]:
    notes = []
    if found.pairs.left_out:
        verb = "was" if found.pairs.left_out == 1 else "were"
        left_out = count(found.pairs.left_out, "pair")
        notes.append(f"{left_out} with more than {MAX_CATEGORIES} categories {verb} left out.")
    if found.pairs.of > len(found.pairs):
        notes.append(
            f"{len(found.pairs):,} of {count(found.pairs.of, 'pair')} were drawn at random. To use more: --pairs N"
        )
    return notes


def _tables(found: KindsEmbedding, kind: GroupedBy) -> str:
    """Purity and silhouette of the groups of a kind; layer 0 is the word embeddings."""
    by_layer = [found.separations(layer) for layer in range(found.layer_count)]
    chosen = [place for place, group in enumerate(found.pairs.groups) if group.kind is kind]
    if not chosen:
        return ""
    known = released_taxonomy().category
    purity, silhouette = [], []
    for place in chosen:
        rows = [layer[place] for layer in by_layer]
        first = rows[0]
        best = found.best_layer(first.group)
        name = known[first.group.name].name if first.group.name in known else first.group.name
        cells = [_percent(one.purity) + "*" * (layer == best) for layer, one in enumerate(rows)]
        purity.append((name, f"{first.pairs:,}", _percent(first.chance), *cells))
        silhouette.append((name, *(_signed(one.silhouette) for one in rows)))
    numbers = [str(layer) for layer in range(found.layer_count)]
    about = (
        f"Purity in % by layer: the share of a pair's {NEIGHBOURS} nearest pairs that are alike; layer 0 is the word "
        "embeddings, * the best layer"
    )
    title = _TITLES[kind]
    return (
        f"{about}\n{table((title, 'pairs', 'chance', *numbers), purity)}\n\n"
        f"Silhouette by layer, from −1 to 1\n{table((title, *numbers), silhouette)}"
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")
