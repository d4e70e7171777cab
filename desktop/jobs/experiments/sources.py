"""The models and word vectors that systems use: where they are, and what identifies their content."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from desktop.jobs.experiments.prompt_models import PromptModels, find_prompt_models
from desktop.jobs.models.registry import find_model
from miner.classifier.checkpoints import Checkpoint
from miner.errors import UserError
from miner.experiments.experiment import Experiment
from miner.experiments.system_kinds import NeuralSystem, PromptSystem
from miner.paths import expand_home, is_file, is_folder
from miner.progress import Progress
from storage.project import Project

SPACY = "spacy:"
_SPACY_FILES = (Path("meta.json"), Path("vocab") / "vectors")


@dataclass(frozen=True, slots=True)
class SystemSources:
    """By the system's index. vectors: files of them. digests: of each source's content. problems: of what is missing.

    A problem is a sentence that begins with the system's name.
    """

    models: Mapping[int, Checkpoint]
    prompts: Mapping[int, PromptModels]
    vectors: Mapping[int, Path]
    digests: Mapping[int, str]
    problems: Mapping[int, str]


def find_sources(project: Project, experiment: Experiment, folder: Path, progress: Progress) -> SystemSources:
    """What the systems of an experiment use. folder: that files of vectors are named relative to."""
    models: dict[int, Checkpoint] = {}
    prompts: dict[int, PromptModels] = {}
    vectors: dict[int, Path] = {}
    digests: dict[int, str] = {}
    problems: dict[int, str] = {}
    for index, system in enumerate(experiment.systems):
        try:
            if system.MODEL:
                models[index], _ = find_model(project, getattr(system, system.MODEL))
                digests[index] = models[index].digest
            elif isinstance(system, PromptSystem):
                prompts[index] = find_prompt_models(project, system)
                digests[index] = prompts[index].digest
            elif isinstance(system, NeuralSystem) and system.vectors.startswith(SPACY):
                digests[index] = _spacy_digest(system.vectors.removeprefix(SPACY), progress)
            elif isinstance(system, NeuralSystem) and system.vectors:
                vectors[index] = folder / expand_home(system.vectors)
                digests[index] = _digest(progress, vectors[index])
        except UserError as exc:
            problems[index] = f"{system.title}: {exc} {exc.hint}".rstrip()
    return SystemSources(models, prompts, vectors, digests, problems)


def _spacy_digest(name: str, progress: Progress) -> str:
    """Of a folder its files; of an installed model its version; "" where there is none, which its run says."""
    path = expand_home(name)
    if is_folder(path):
        return _digest(progress, *(file for part in _SPACY_FILES if is_file(file := path / part)))
    with suppress(PackageNotFoundError):
        return version(name)
    return ""


def _digest(progress: Progress, *files: Path) -> str:
    """A hash of the files' content."""
    digest = blake2b(digest_size=16)
    for path in files:
        if not is_file(path):
            hint = (
                'Name a GloVe text file, beside the experiment\'s file or with its whole path; or "spacy:" and a model.'
            )
            raise UserError(f"There is no file of word vectors {path}.", hint=hint)
        try:
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
                    progress.tick(0)
        except OSError as exc:
            raise UserError(f"The vectors in {path} cannot be read: {exc.strerror}.") from exc
    return digest.hexdigest()
