"""A chat model with a prompt, as a system of an experiment (MSciNLI, section 4.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from miner.lab.experiments.prompting.answers import ReadAnswer, ReadingOutcome, Similarities, read_answers
from miner.lab.experiments.prompting.endpoint import ChatServer
from miner.lab.experiments.prompting.kept_replies import KeptReplies, Reply
from miner.lab.experiments.prompting.templates import Exemplar, Message, Prompt
from miner.lab.experiments.systems.protocol import Array, Pairs, Tick
from miner.libraries import np
from miner.mining.identity import text_hash

SCORED = "scored"
"""How the class was found where options are scored; else a `ReadingOutcome`."""


class RepliesFile(NamedTuple):
    """Where replies are kept, and the names of the classes."""

    path: Path
    classes: tuple[str, ...]


class AskedModel(Protocol):
    """What is asked. notes: sentences for users on what it did."""

    notes: list[str]

    def batches(self, conversations: Sequence[Sequence[Message]]) -> list[list[int]]:
        """The indices of conversations that are asked together; they follow from the conversations alone."""

    def answers(self, conversations: Sequence[Sequence[Message]]) -> list[str]:
        """What the model says, in order; "" where it cannot say anything."""

    def scores(self, conversations: Sequence[Sequence[Message]], continuations: Sequence[str]) -> Array:
        """The logarithm of the probability that its answer begins with each continuation; NaN where it has none."""


class AskedServer:
    """A server as an `AskedModel`: one question at a time."""

    def __init__(self, server: ChatServer) -> None:
        self._server, self.notes = server, server.notes

    def batches(self, conversations: Sequence[Sequence[Message]]) -> list[list[int]]:
        return [[index] for index in range(len(conversations))]

    def answers(self, conversations: Sequence[Sequence[Message]]) -> list[str]:
        return [self._server.ask(conversation) for conversation in conversations]

    def scores(self, conversations: Sequence[Sequence[Message]], continuations: Sequence[str]) -> Array:
        raise NotImplementedError("a server does not score options; `PromptSystem` refuses it")


class PromptedSystem:
    """A prompt and what is asked with it. exemplars: come before each question. scores_options: score the options
    instead of reading what the model says. similarities: find the nearest definition."""

    def __init__(
        self,
        prompt: Prompt,
        exemplars: Sequence[Exemplar],
        model: AskedModel,
        kept: RepliesFile,
        *,
        similarities: Similarities,
        scores_options: bool,
    ) -> None:
        self._prompt, self._exemplars, self._model = prompt, exemplars, model
        self._kept, self._classes = KeptReplies(kept.path), kept.classes
        self._similarities, self._scores_options = similarities, scores_options
        self._read_as: dict[str, tuple[str, str]] = {}

    def predict(self, pairs: Pairs, tick: Tick) -> Array:
        """One for the class that is said, or the probabilities of the options among each other; zeros if unreadable."""
        hashes = [text_hash(*pair).hex() for pair in pairs]
        self._ask(pairs, hashes, tick)
        return self._from_scores(hashes) if self._scores_options else self._from_answers(hashes)

    def finish(self) -> tuple[str, ...]:
        """Keep how all answers were read; sentences for users on that."""
        self._kept.finish(self._read_as)
        return (*self._shares(), *dict.fromkeys(self._model.notes))

    def _ask(self, pairs: Pairs, hashes: Sequence[str], tick: Tick) -> None:
        conversations = [self._prompt.conversation(self._exemplars, *pair) for pair in pairs]
        tick(0, len(pairs), "asking")
        done = 0
        for batch in self._model.batches(conversations):
            # A batch with one new pair is asked whole: its other pairs could change the answer's last digits.
            if not all(hashes[place] in self._kept for place in batch):
                asked = [conversations[place] for place in batch]
                if self._scores_options:
                    rows = self._model.scores(asked, self._prompt.continuations)
                    replies = [
                        Reply(hashes[place], scores=_listed(row)) for place, row in zip(batch, rows, strict=True)
                    ]
                else:
                    said = self._model.answers(asked)
                    replies = [Reply(hashes[place], answer) for place, answer in zip(batch, said, strict=True)]
                self._kept.add(replies)
            done += len(batch)
            tick(done, len(pairs), "asking")

    def _from_answers(self, hashes: Sequence[str]) -> Array:
        found = read_answers(self._prompt, [self._kept[one].answer for one in hashes], self._similarities)
        rows = np.zeros((len(hashes), len(self._classes)), np.float32)
        for place, (one, read) in enumerate(zip(hashes, found, strict=True)):
            self._note(one, read)
            if read.label is not None:
                rows[place, read.label] = 1
        return rows

    def _from_scores(self, hashes: Sequence[str]) -> Array:
        rows = np.zeros((len(hashes), len(self._classes)), np.float32)
        for place, one in enumerate(hashes):
            if not (scores := self._kept[one].scores):
                self._note(one, ReadAnswer(None, ReadingOutcome.UNREADABLE))
                continue
            powers = np.exp(np.array(scores) - max(scores))
            rows[place] = powers / powers.sum()
            self._read_as[one] = self._classes[int(rows[place].argmax())], SCORED
        return rows

    def _note(self, text_hash: str, read: ReadAnswer) -> None:
        self._read_as[text_hash] = "" if read.label is None else self._classes[read.label], read.outcome.value

    def _shares(self) -> list[str]:
        counts = Counter(how for _, how in self._read_as.values())
        total = counts.total()
        if not total:
            return []
        unreadable = counts[ReadingOutcome.UNREADABLE.value]
        share = (
            f"{unreadable:,} of {total:,} answers unreadable ({100 * unreadable / total:.1f} %), which count as wrong"
        )
        if self._scores_options:
            return [f"Options by their likelihood; {share}."]
        by_rule, nearest = counts[ReadingOutcome.RULE.value], counts[ReadingOutcome.NEAREST.value]
        return [f"Read by rule: {by_rule:,}; by the nearest definition: {nearest:,}; {share}."]


def _listed(row: Array) -> tuple[float, ...]:
    return tuple(map(float, row)) if np.isfinite(row).all() else ()
