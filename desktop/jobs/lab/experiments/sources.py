"""The models and word vectors that systems use: their places, and the digests of their content."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from desktop.jobs.lab.experiments.prompt_models import PromptModels, find_prompt_models
from desktop.jobs.models.registry import find_model
from desktop.text import listed
from desktop.translation import tr
from miner.classifier.checkpoints import Checkpoint, works_with_numpy
from miner.classifier.libraries import missing_library
from miner.errors import UserError
from miner.installation import missing_extra
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.system_kinds import (
    CosineSystem,
    EncoderSystem,
    ModelSystem,
    NeuralSystem,
    PromptSystem,
    System,
)
from miner.paths import expand_home, is_file, is_folder
from miner.progress import Progress
from storage.project import Project

SPACY = "spacy:"
_RUNNING = tr("Running this")
_SPACY_FILES = (Path("meta.json"), Path("vocab") / "vectors")


@dataclass(frozen=True, slots=True)
class SystemSources:
    """The sources of an experiment's systems, by the system's index.

    vectors: the files of word vectors. digests: of each source's content. problems: which source is missing, as a
    sentence that begins with the system's name. lacking: which library is not installed, as a sentence that begins with
    the names of all systems that need it. No system is in both.
    """

    models: Mapping[int, Checkpoint]
    prompts: Mapping[int, PromptModels]
    vectors: Mapping[int, Path]
    digests: Mapping[int, str]
    problems: Mapping[int, str]
    lacking: Mapping[int, str]

    @property
    def hindrances(self) -> Mapping[int, str]:
        """Why systems cannot be run, by their index."""
        return {**self.problems, **self.lacking}


def find_sources(project: Project, experiment: Experiment, folder: Path, progress: Progress) -> SystemSources:
    """The sources that the systems of an experiment use. folder: the base of relative paths of vector files."""
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
    lacking = _lacking(experiment, models, prompts, problems)
    problems = {index: problem for index, problem in problems.items() if index not in lacking}
    return SystemSources(models, prompts, vectors, digests, problems, lacking)


def missing_libraries(system: System, *, model: Checkpoint | None = None, is_gguf: bool = False) -> UserError | None:
    """The error for a library that a system needs and that is not installed; None if none is missing.

    model: the model of a `ModelSystem`; None where it is not known. is_gguf: whether a chat model is a GGUF file.
    """
    match system:
        case ModelSystem():
            return None if model is not None and works_with_numpy(model) else missing_library(_RUNNING)
        case PromptSystem(endpoint=""):
            return missing_library(_RUNNING) or (missing_extra("gguf") if is_gguf else None)
        case PromptSystem(encoder=encoder):
            return missing_library(tr("The encoder {encoder}", encoder=encoder)) if encoder else None
        case NeuralSystem() | EncoderSystem() | CosineSystem():
            return missing_library(_RUNNING)
        case _:
            return None


def _lacking(
    experiment: Experiment,
    models: Mapping[int, Checkpoint],
    prompts: Mapping[int, PromptModels],
    problems: Mapping[int, str],
) -> dict[int, str]:
    """The value of `SystemSources.lacking`, without systems whose own model is missing, since that is their problem."""
    found: dict[str, list[int]] = {}
    for index, system in enumerate(experiment.systems):
        if isinstance(system, ModelSystem) and index in problems:
            continue
        chat = prompts[index].chat if index in prompts else None
        is_gguf = chat is not None and is_file(chat.path)
        if missing := missing_libraries(system, model=models.get(index), is_gguf=is_gguf):
            found.setdefault(f"{missing} {missing.hint}", []).append(index)
    names = {text: dict.fromkeys(experiment.systems[index].title for index in places) for text, places in found.items()}
    return {index: f"{listed([*names[text]])}: {text}" for text, places in found.items() for index in places}


def _spacy_digest(name: str, progress: Progress) -> str:
    """The hash of a folder's files, or the version of an installed model; "" if it is missing: its run reports that."""
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
            hint = tr(
                'Name a GloVe text file, beside the experiment\'s file or with its whole path; or "spacy:" and a model.'
            )
            raise UserError(tr("There is no file of word vectors {path}.", path=path), hint=hint)
        try:
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
                    progress.tick(0)
        except OSError as exc:
            raise UserError(
                tr("The vectors in {path} cannot be read: {strerror}.", path=path, strerror=exc.strerror)
            ) from exc
    return digest.hexdigest()
