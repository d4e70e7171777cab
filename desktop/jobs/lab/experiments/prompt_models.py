"""The models of prompts, and the files of their replies."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.models.registry import find_model, models_folder
from desktop.translation import tr
from miner.classifier.chat_checkpoints import find_chat_model
from miner.classifier.checkpoints import Checkpoint
from miner.lab.experiments.experiment_file import experiment_of
from miner.lab.experiments.prompting.addresses import host_of, is_loopback
from miner.lab.experiments.prompting.kept_replies import read_replies
from miner.lab.experiments.system_kinds import PromptSystem, System
from storage.project import Project
from storage.stores import Stores


class PromptModels(NamedTuple):
    """The models of a prompt.

    chat: None for a model on a server. The encoder finds the nearest definition; None for words.
    """

    chat: Checkpoint | None
    similarity: Checkpoint | None

    @property
    def digest(self) -> str:
        """The digest of both models; a model on a server does not change it."""
        return " ".join("" if model is None else model.digest for model in self)


def find_prompt_models(project: Project, system: PromptSystem) -> PromptModels:
    """The models of a prompt; `UserError` where one cannot be used."""
    chat = None if system.endpoint else find_chat_model(system.model)
    similarity = find_model(project, system.encoder)[0] if system.encoder else None
    return PromptModels(chat, similarity)


def sent_elsewhere(system: System) -> list[str]:
    """A sentence for users where the pairs of an experiment leave this computer."""
    if not isinstance(system, PromptSystem) or not system.endpoint or is_loopback(system.endpoint):
        return []
    return [tr("{title}: the sentences are sent to {host_of}.", title=system.title, host_of=host_of(system.endpoint))]


def replies_path(project: Project, run: str) -> Path:
    """The path of the replies to a run's prompts, see `kept_replies`."""
    return _folder(project) / f"{run}.jsonl"


def forget_replies(project: Project) -> None:
    """Delete the replies of runs that no experiment of the project has any more."""
    files = list(_folder(project).glob("*.jsonl"))
    if not files:
        return
    with project.read_transaction() as stores:
        known = stores.experiments.known_runs()
    for file in files:
        if file.stem not in known:
            with suppress(OSError):  # it is deleted the next time
                file.unlink()


def reply_lines(project: Project, stores: Stores, id: int) -> str:
    """A line of JSON for each pair that a chat model was asked about: its reply, and how that was read.

    "" if the experiment has no replies.
    """
    experiment = experiment_of(stores.experiments.get(id).recipe)
    lines = []
    for cell in stores.experiments.cells(id):
        if not isinstance(system := experiment.systems[cell.system], PromptSystem):
            continue
        known = {reply.text_hash: reply for reply in read_replies(replies_path(project, cell.run))}
        for item in stores.test_parts.pairs(cell.part):
            if (reply := known.get(item.text_hash.hex())) is None:
                continue
            data = {"system": system.title, "seed": cell.seed, "test": cell.test, "pair": item.key}
            data |= {"label": experiment.class_names[item.label], "read_as": reply.label, "how": reply.how}
            data |= {"scores": list(reply.scores)} if reply.scores else {"answer": reply.answer}
            lines.append(json.dumps(data, ensure_ascii=False) + "\n")
    return "".join(lines)


def _folder(project: Project) -> Path:
    return models_folder(project) / "experiments" / "replies"
