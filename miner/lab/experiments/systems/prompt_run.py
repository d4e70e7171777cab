"""Prepares a chat model with its prompt, in the process of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from miner.classifier.checkpoints import Checkpoint
from miner.classifier.examples import TrainingExample
from miner.classifier.libraries import import_libraries
from miner.lab.experiments.prompting.addresses import host_of, is_loopback
from miner.lab.experiments.prompting.answers import Similarities, word_similarities
from miner.lab.experiments.prompting.endpoint import ChatServer, waiting
from miner.lab.experiments.prompting.exemplars import draw_exemplars
from miner.lab.experiments.prompting.templates import Exemplar, make_prompt
from miner.lab.experiments.system_kinds import AnswerReading, PromptSystem
from miner.lab.experiments.systems.prompted import AskedModel, AskedServer, PromptedSystem, RepliesFile
from miner.lab.experiments.systems.protocol import shown
from miner.progress import Cancelled, Progress


@dataclass(frozen=True, slots=True)
class PromptTask:
    """What a prompt's run needs.

    definitions: of the classes, by name. replies: the file of the replies. model: the chat model; None where a server
    has it. similarity: the encoder that finds the nearest definition; None for words.
    """

    definitions: Mapping[str, str]
    replies: Path
    model: Checkpoint | None = None
    similarity: Checkpoint | None = None


def prepare_prompt(
    system: PromptSystem,
    task: PromptTask,
    exemplars: Iterable[TrainingExample],
    seed: int,
    device: str,
    progress: Progress,
) -> tuple[PromptedSystem, str, tuple[str, ...]]:
    """The system, the name of what computes it, and sentences for users. exemplars: to draw from, with `shots`.

    `UserError` where the model cannot be loaded, or a class has too few exemplars.
    """
    classes = tuple(task.definitions)
    drawn = draw_exemplars(exemplars, classes, system.shots, seed)
    turns: list[Exemplar] = [(*shown(one.premise, one.hypothesis, system.input), one.label) for one in drawn]
    model, name = (
        _server(system, seed, progress) if task.model is None else _local(task.model, system, device, progress)
    )
    prompted = PromptedSystem(
        make_prompt(system.template, task.definitions),
        turns,
        model,
        RepliesFile(task.replies, classes),
        similarities=_similarities(task.similarity, device),
        scores_options=system.answer is AnswerReading.OPTIONS,
    )
    notes = []
    if system.answer is AnswerReading.RULES:
        by = "words in common" if task.similarity is None else task.similarity.name
        notes.append(f"Nearest definitions by {by}.")
    if system.endpoint and not is_loopback(system.endpoint):
        notes.append(f"The sentences were sent to {host_of(system.endpoint)}.")
    return prompted, name, tuple(notes)


def _server(system: PromptSystem, seed: int, progress: Progress) -> tuple[AskedModel, str]:
    def should_stop() -> bool:
        try:
            progress.tick(0)
        except Cancelled:
            return True
        return False

    server = ChatServer(
        system.endpoint,
        system.model,
        max_new_tokens=system.max_new_tokens,
        seed=seed,
        wait=waiting(should_stop),
        stopped=should_stop,
    )
    return AskedServer(server), host_of(system.endpoint)


def _local(checkpoint: Checkpoint, system: PromptSystem, device: str, progress: Progress) -> tuple[AskedModel, str]:
    import_libraries()
    from miner.classifier.chat import ChatModel
    from miner.classifier.device import choose_device, set_threads

    set_threads()
    chosen = choose_device(device)
    beat = partial(progress.tick, 0)
    model = ChatModel.load(checkpoint, chosen, max_new_tokens=system.max_new_tokens, beat=beat)
    return model, chosen.name


def _similarities(checkpoint: Checkpoint | None, device: str) -> Similarities:
    """What finds the nearest definition: an encoder, which is loaded when an answer needs it, or words."""
    if checkpoint is None:
        return word_similarities

    def similarities(answers: Sequence[str], definitions: Sequence[str]) -> Sequence[Sequence[float]]:
        import_libraries()
        from miner.classifier.device import choose_device, set_threads
        from miner.classifier.sentence_similarity import load_similarities

        set_threads()
        return load_similarities(checkpoint, choose_device(device))(answers, definitions)

    return similarities
