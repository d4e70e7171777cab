"""Local chat models: their answers, and the probabilities that an answer begins with given texts.

Texts are rendered by the model's own chat template; where it has none, by the tags of MSciNLI's table 18.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

from miner.libraries import NDArray, np

os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

import torch
from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError

from miner.classifier.chat_checkpoints import GGUF_SUFFIX, require_gguf_libraries
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.device import Device, is_out_of_memory
from miner.errors import UserError

Conversation = Sequence[Mapping[str, str]]
Array: TypeAlias = "NDArray[np.float32]"

_TOKENS_PER_BATCH = {"cpu": 4_096, "cuda": 32_768, "mps": 8_192}
"""With padding and what is to be written."""
_CONVERSATIONS_PER_BATCH = {"cpu": 8, "cuda": 64, "mps": 16}
_TAGS = {"user": "<human>", "assistant": "<bot>"}
_LOAD_ERRORS = (
    OSError,
    ValueError,
    RuntimeError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    OverflowError,
    ImportError,
    NotImplementedError,
    SafetensorError,
    StrictDataclassError,
)


class ChatModel:
    """A model that continues conversations, always with the most likely token (greedy decoding).

    beat: is called now and then while it writes; what it raises ends the work. notes: sentences for users.
    """

    def __init__(
        self, model: Any, tokenizer: Any, device: Device, *, name: str, max_new_tokens: int, beat: Callable[[], None]
    ) -> None:
        self._model, self._tokenizer, self._device = model.to(device.kind).eval(), tokenizer, device
        self._name, self._max_new_tokens, self._beat = name, max_new_tokens, beat
        self._tokens_per_batch = _TOKENS_PER_BATCH[device.kind]
        self._limit = _position_limit(model.config)
        self._too_long = 0
        self.notes: list[str] = []
        if not tokenizer.chat_template:
            self.notes.append(f"{name} has no chat template: turns are tagged {' and '.join(_TAGS.values())}.")

    @classmethod
    def load(
        cls, checkpoint: Checkpoint, device: Device, *, max_new_tokens: int, beat: Callable[[], None] = lambda: None
    ) -> ChatModel:
        """The model of a folder or GGUF file; `UserError` where it cannot be loaded."""
        import transformers

        transformers.utils.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        path = checkpoint.path
        options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        if path.suffix.lower() == GGUF_SUFFIX:
            require_gguf_libraries()
            _check_gguf(path)
            path, options = path.parent, options | {"gguf_file": path.name}
        weights = {} if "gguf_file" in options else {"use_safetensors": True}
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(path, **options)
        except Exception as exc:  # tokenizers raises nothing more special
            raise _load_error(checkpoint, exc) from exc
        try:
            loader: Any = transformers.AutoModelForCausalLM
            with redirect_stderr(StringIO()):  # the bar over a GGUF file's tensors cannot be switched off
                model, info = loader.from_pretrained(
                    path, dtype=device.dtype, output_loading_info=True, **weights, **options
                )
            if missing := sorted(info["missing_keys"]):  # transformers would initialize them at random
                raise ValueError(f"its weights lack {missing[0]} and {len(missing) - 1} more of its architecture")
            if tokenizer.pad_token_id is None:
                tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
            tokenizer.padding_side = "left"
            return cls(model, tokenizer, device, name=checkpoint.name, max_new_tokens=max_new_tokens, beat=beat)
        except MemoryError as exc:
            raise _no_memory(checkpoint.name) from exc
        except _LOAD_ERRORS as exc:
            if is_out_of_memory(exc):
                raise _no_memory(checkpoint.name) from exc
            raise _load_error(checkpoint, exc) from exc

    def batches(self, conversations: Sequence[Conversation]) -> list[list[int]]:
        """The indices of conversations of similar length, the longest first, so that a lack of memory shows at once."""
        lengths = [len(tokens) for tokens in self._encode(conversations)]
        order = sorted(range(len(lengths)), key=lambda place: (-lengths[place], place))
        batches: list[list[int]] = []
        room = 0
        for place in order:
            if not room:
                needed = lengths[place] + self._max_new_tokens
                room = max(1, min(_CONVERSATIONS_PER_BATCH[self._device.kind], self._tokens_per_batch // needed))
                batches.append([])
            batches[-1].append(place)
            room -= 1
        return batches

    def answers(self, conversations: Sequence[Conversation]) -> list[str]:
        """The model's answer to each conversation, in order; "" for a conversation longer than it can read."""
        answers = [""] * len(conversations)
        places, encoded = self._readable(conversations, self._max_new_tokens)
        for start, said in self._in_parts(encoded, self._generate):
            for place, tokens in zip(places[start:], said, strict=False):
                answers[place] = self._tokenizer.decode(tokens, skip_special_tokens=True).strip()
        return answers

    def scores(self, conversations: Sequence[Conversation], continuations: Sequence[str]) -> Array:
        """The logarithm of the probability that the answer begins with each continuation: (conversations, n).

        NaN where a conversation is longer than the model can read.
        """
        lead = "" if self._tokenizer.chat_template else " "
        endings = [self._tokenizer(lead + text, add_special_tokens=False)["input_ids"] for text in continuations]
        scores = np.full((len(conversations), len(endings)), np.nan, np.float32)
        places, encoded = self._readable(conversations, max(map(len, endings)))
        if all(len(ending) == 1 for ending in endings):  # one reading tells the probabilities of all
            tokens = [ending[0] for ending in endings]
            for start, logs in self._in_parts(encoded, lambda part: self._last_logs(part, 1)[:, -1]):
                scores[places[start : start + len(logs)]] = logs[:, tokens].cpu().numpy()
            return scores
        for number, ending in enumerate(endings):
            whole = [[*given, *ending] for given in encoded]
            for start, logs in self._in_parts(whole, partial(self._last_logs, count=len(ending) + 1)):
                found = sum(logs[:, place, token] for place, token in enumerate(ending))
                scores[places[start : start + len(logs)], number] = found.cpu().numpy()
        return scores

    def _encode(self, conversations: Sequence[Conversation]) -> list[list[int]]:
        texts = [self._text(conversation) for conversation in conversations]
        with_marks = not self._tokenizer.chat_template  # a template writes them itself
        encoded: list[list[int]] = self._tokenizer(texts, add_special_tokens=with_marks)["input_ids"] if texts else []
        return encoded

    def _text(self, conversation: Conversation) -> str:
        """The conversation as the model reads it, up to where its answer begins."""
        turns = [
            {**turn, "content": turn["content"].encode("utf-8", "replace").decode("utf-8")} for turn in conversation
        ]
        if not self._tokenizer.chat_template:
            tagged = [f"{_TAGS[turn['role']]}: {turn['content']}\n" for turn in turns]
            return f"{''.join(tagged)}{_TAGS['assistant']}:"
        from jinja2 import TemplateError

        try:
            return str(self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))
        except (TemplateError, TypeError, ValueError, KeyError, AttributeError) as exc:
            what = f"The chat template of {self._name} does not take this conversation: {_first_words(exc)}."
            raise UserError(what, hint="Choose a model for conversations, or `shots = 0`.") from exc

    def _readable(self, conversations: Sequence[Conversation], more: int) -> tuple[list[int], list[list[int]]]:
        """The conversations that the model can read, and `more` tokens, by index; the others are counted."""
        encoded = self._encode(conversations)
        places = [place for place, tokens in enumerate(encoded) if len(tokens) + more <= self._limit]
        self._too_long += len(encoded) - len(places)
        if self._too_long:
            self.notes[:] = [note for note in self.notes if "too long" not in note]
            self.notes.append(f"{self._too_long:,} questions were too long for {self._name}: {self._limit:,} tokens.")
        return places, [encoded[place] for place in places]

    def _in_parts(self, encoded: list[list[int]], function: Callable[[list[list[int]]], Any]) -> list[tuple[int, Any]]:
        """The function's results for parts, each with the part's start: one part, smaller ones if memory runs out."""
        size, start = len(encoded), 0
        results = []
        while start < len(encoded):
            self._beat()
            try:
                with torch.inference_mode():
                    results.append((start, function(encoded[start : start + size])))
                start += size
            except (RuntimeError, MemoryError) as exc:
                if not is_out_of_memory(exc):
                    raise
                if size == 1:
                    raise _no_memory(self._name) from exc
                if self._device.kind == "cuda":
                    torch.cuda.empty_cache()
                size = -(-size // 2)
                self._tokens_per_batch //= 2
        return results

    def _generate(self, part: list[list[int]]) -> list[list[int]]:
        from transformers import GenerationConfig, StoppingCriteriaList

        tokens, mask = self._padded(part)
        ends = self._model.generation_config.eos_token_id
        config = GenerationConfig(  # type: ignore[no-untyped-call]
            max_new_tokens=self._max_new_tokens,
            do_sample=False,
            num_beams=1,
            pad_token_id=self._tokenizer.pad_token_id,
            eos_token_id=ends if ends is not None else self._tokenizer.eos_token_id,
        )
        said = self._model.generate(
            input_ids=tokens,
            attention_mask=mask,
            generation_config=config,
            stopping_criteria=StoppingCriteriaList([self._beat_once]),
        )
        written: list[list[int]] = said[:, tokens.shape[1] :].tolist()
        return written

    def _beat_once(self, tokens: torch.Tensor, scores: Any, **options: Any) -> torch.Tensor:
        """A stopping criterion that stops nothing, but beats after every token."""
        self._beat()
        return torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)

    def _last_logs(self, part: list[list[int]], count: int) -> torch.Tensor:
        """Logarithms of the probabilities of the tokens after the last `count` tokens: (part, count, tokens known)."""
        tokens, mask = self._padded(part)
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        options: dict[str, Any] = {"logits_to_keep": count} if _keeps_logits(self._model) else {}
        logits = self._model(input_ids=tokens, attention_mask=mask, position_ids=positions, **options).logits
        return torch.log_softmax(logits[:, -count:].float(), -1)

    def _padded(self, part: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens and mask, padded on the left, so that all answers begin in the same place."""
        longest = max(map(len, part))
        pad = self._tokenizer.pad_token_id
        tokens = torch.tensor([[pad] * (longest - len(row)) + row for row in part])
        mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in part])
        return tokens.to(self._device.kind), mask.to(self._device.kind)


def _check_gguf(path: Path) -> None:
    """`UserError` where a GGUF file is damaged, or of an architecture that transformers does not know."""
    from gguf import GGUFReader
    from transformers.modeling_gguf_pytorch_utils import GGUF_SUPPORTED_ARCHITECTURES

    try:
        field = GGUFReader(path).get_field("general.architecture")
        architecture = "" if field is None else str(field.contents())
    except _LOAD_ERRORS as exc:
        raise UserError(f"{path} is damaged or cut off.", hint="Download it again.") from exc
    names = {architecture, architecture.replace("-", "_"), architecture.replace("_", "-")}
    if not names & set(GGUF_SUPPORTED_ARCHITECTURES):
        shown = "".join(letter for letter in architecture[:40] if letter.isprintable()) or "none"
        known = ", ".join(sorted(GGUF_SUPPORTED_ARCHITECTURES))
        hint = f"Known are {known}. Or let a server such as Ollama run it, and name its `endpoint`."
        raise UserError(
            f"{path.name} is of the architecture {shown}, which transformers cannot read as GGUF.", hint=hint
        )


def _position_limit(config: Any) -> int:
    """How many tokens the model can read and write."""
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    limit = getattr(text, "max_position_embeddings", None) or getattr(text, "n_positions", None)
    return limit if isinstance(limit, int) and limit > 0 else 1 << 30


def _keeps_logits(model: Any) -> bool:
    return "logits_to_keep" in inspect.signature(model.forward).parameters


def _first_words(exc: BaseException) -> str:
    return " ".join(str(exc).split()[:40])[:300].rstrip(".") or type(exc).__name__


def _no_memory(name: str) -> UserError:
    return UserError(
        f"There is not enough memory for {name}.", hint="Choose a smaller model, or a server's `endpoint`."
    )


def _load_error(checkpoint: Checkpoint, exc: BaseException) -> UserError:
    hint = "Choose another model, or download this one again."
    return UserError(f"The chat model {checkpoint.name} cannot be loaded: {_first_words(exc)}.", hint=hint)
