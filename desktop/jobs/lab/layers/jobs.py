"""Jobs that compute the embedding of pairs by layer, read the kept one, and write it as a picture or a table."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from desktop.jobs.lab.experiments.estimates import measure_slowness, model_shape
from desktop.jobs.lab.layers.embedding import DEFAULT_PAIRS, KindsEmbedding
from desktop.jobs.lab.layers.embedding_svg import svg_layers
from desktop.jobs.lab.layers.files import embedding_path, read_embedding, write_embedding
from desktop.jobs.lab.layers.pairs import EmbeddingInput, chosen_pairs, read_file_pairs, read_project_pairs
from desktop.jobs.models.registry import find_model
from desktop.jobs.writing import write_lines
from desktop.translation import tr
from miner.classifier.checkpoints import Checkpoint, find_checkpoint
from miner.classifier.libraries import missing_library
from miner.errors import UserError
from miner.lab.experiments.estimate import RunSize, estimate, run_work
from miner.lab.experiments.system_kinds import ModelSystem
from miner.lab.layers.layer_embedding import GroupedBy, LayerStep, LayerTask, embed_layers
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Job, Progress
from storage.project import Project

log = logging.getLogger(__name__)

_VERSION = 1  # of how the figures are computed
_SECONDS_PER_PAIR = 0.0045  # of t-SNE for a layer, on an idle core of an AMD EPYC
_GRACE_SECONDS = 1.0  # there is nothing to keep
_DECIMALS = 3
_IF_STOPPED = tr("Nothing was kept: start it again.")


@dataclass(frozen=True, slots=True)
class EmbeddingOptions:
    """How to embed pairs.

    model: see `find_model`. file: take its pairs, not the project's. pairs: at most, drawn by seed. taxonomy: of the
    project's answers, see `choose_taxonomy`.
    """

    model: str
    file: Path | None = None
    pairs: int = DEFAULT_PAIRS
    seed: int = 1
    device: str = "auto"
    taxonomy: str = ""


@dataclass(frozen=True)
class KeptEmbedding:
    """The last kept embedding with these options, if any, and whether it still fits the present pairs.

    pairs: how many pairs a new embedding would have; seconds: about how long it takes. problem: why none can be
    computed; "" if it can.
    """

    embedding: KindsEmbedding | None
    is_current: bool = False
    pairs: int = 0
    seconds: float = 0.0
    problem: str = ""


def compute_embedding(project: Project | None, options: EmbeddingOptions) -> Job[KindsEmbedding]:
    """The embedding of the pairs with kinds of the project or of a file; the kept embedding where nothing has changed.

    It is kept beside the project's models. `UserError` with too few pairs, without the model, or where the model fails.
    """

    def work(progress: Progress) -> KindsEmbedding:
        checkpoint = _find(project, options.model)
        given = _read_pairs(project, options, progress)
        path = None if project is None else kept_path(project, checkpoint, options, given.digest)
        if path is not None and (kept := _kept(path)) is not None and kept[1] == given.digest:
            return replace(kept[0], model=checkpoint.name)
        if missing := _missing_library():
            raise missing
        found = _compute(checkpoint, given, options, progress)
        if path is not None:
            try:
                write_embedding(path, found, given.digest)
            except UserError as exc:  # it is on the screen all the same
                log.warning("%s %s", exc, exc.hint)
        return found

    return Job(tr("Placing pairs by layer"), work, _IF_STOPPED)


def load_embedding(project: Project, options: EmbeddingOptions) -> Job[KeptEmbedding]:
    """The kept embedding of the project's pairs, and the size and time of a new one. Nothing is computed."""

    def work(progress: Progress) -> KeptEmbedding:
        checkpoint = _find(project, options.model)
        kept = _kept(kept_path(project, checkpoint, options))
        embedding = None if kept is None else replace(kept[0], model=checkpoint.name)
        try:
            given = chosen_pairs(read_project_pairs(project, options.taxonomy), options.pairs, options.seed)
        except UserError as exc:
            return KeptEmbedding(embedding, problem=f"{exc} {exc.hint}")
        seconds = _estimate(checkpoint, given, None if kept is None else kept[0])
        is_current = kept is not None and kept[1] == given.digest
        problem = "" if is_current or not (missing := _missing_library()) else f"{missing} {missing.hint}"
        return KeptEmbedding(embedding, is_current, len(given.pairs), seconds, problem)

    return Job(tr("Reading the pairs by layer"), work)


def save_embedding(found: KindsEmbedding, path: Path, by: GroupedBy = GroupedBy.CATEGORY) -> Job[int]:
    """Write a figure of all layers (.svg) or all points (.tsv); the result is the number of pairs.

    by: the figure's colours.
    """

    def work(progress: Progress) -> int:
        kinds = {".svg": lambda: svg_layers(found, by), ".tsv": lambda: _tsv_lines(found)}
        if path.suffix.lower() not in kinds:
            raise UserError(
                tr("Layers cannot be written as {name}.", name=path.name),
                hint=tr("Name it with {kinds}.", kinds=" or ".join(kinds)),
            )
        write_lines(path, kinds[path.suffix.lower()]())
        return len(found.pairs)

    return Job(tr("Saving the pairs by layer"), work)


def _missing_library() -> UserError | None:
    return missing_library(tr("Embedding pairs"))


def _find(project: Project | None, reference: str) -> Checkpoint:
    return find_checkpoint(reference) if project is None else find_model(project, reference)[0]


def _read_pairs(project: Project | None, options: EmbeddingOptions, progress: Progress) -> EmbeddingInput:
    progress.tick(0, None, tr("reading pairs"))
    if options.file is not None:
        return chosen_pairs(read_file_pairs(options.file, progress), options.pairs, options.seed)
    assert project is not None
    return chosen_pairs(read_project_pairs(project, options.taxonomy), options.pairs, options.seed)


def _compute(
    checkpoint: Checkpoint, given: EmbeddingInput, options: EmbeddingOptions, progress: Progress
) -> KindsEmbedding:
    def on_event(step: LayerStep) -> None:
        with suppress(Cancelled):  # `run_isolated` ends the process
            progress.tick(*step, may_wait=False)

    with TemporaryDirectory(prefix="pairwright-layers-", ignore_cleanup_errors=True) as folder:
        task = LayerTask(checkpoint, given.texts, given.pairs.members, options.seed, options.device, Path(folder))
        layers = run_isolated(
            embed_layers, task, progress, on_event, subject=tr("Placing the pairs"), grace=_GRACE_SECONDS
        )
    log.info("placed %d pairs by %d layers of %s", len(given.pairs), len(layers.points), checkpoint.name)
    return KindsEmbedding(checkpoint.name, options.seed, given.pairs, layers)


def kept_path(project: Project, checkpoint: Checkpoint, options: EmbeddingOptions, digest: str = "") -> Path:
    """The path of an embedding. That of the project's pairs is replaced by the next. digest: of the pairs of a file."""
    source = digest if options.file is not None else "project"
    text = "\0".join((str(_VERSION), checkpoint.digest, source, str(options.pairs), str(options.seed)))
    return embedding_path(project, blake2b(text.encode(), digest_size=16).hexdigest())


def _kept(path: Path) -> tuple[KindsEmbedding, str] | None:
    """The embedding of a file and the digest of its pairs; None if the file is missing or cannot be read."""
    try:
        return read_embedding(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as exc:
        log.warning("%s is left alone: %s", path, exc)
        return None


def _estimate(checkpoint: Checkpoint, given: EmbeddingInput, earlier: KindsEmbedding | None) -> float:
    """About how many seconds an embedding takes, by an earlier one and the number of pairs, or by the model's size."""
    pairs = len(given.pairs)
    if earlier is not None and (spent := float(sum(earlier.layers.seconds))) > 0:
        return spent * pairs / len(earlier.pairs)
    words = sum(len(text.split()) for texts in given.texts for text in texts) / max(1, pairs)
    shape, slowness = model_shape(checkpoint), measure_slowness()
    reading = run_work(ModelSystem(model=checkpoint.name), RunSize(tested=pairs, words=words), shape)
    placing = slowness * (shape.layers + 1) * pairs * _SECONDS_PER_PAIR
    return estimate([reading], 1, (), slowness=slowness).seconds + placing


def _tsv_lines(found: KindsEmbedding) -> Iterator[str]:
    yield "layer\tkey\tx\ty\tcategories\tlabel\trelation"
    names = [[" ".join(name.split()) for name in found.pairs.names(kind)] for kind in GroupedBy]
    for layer, points in enumerate(found.layers.points.round(_DECIMALS).tolist()):
        for key, (x, y), *rest in zip(found.pairs.keys, points, *names, strict=True):
            yield "\t".join((str(layer), " ".join(key.split()), str(x), str(y), *rest))
