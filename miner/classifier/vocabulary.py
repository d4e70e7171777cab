"""Counts the tokens of texts under a model's tokenizer; without torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from miner.classifier.checkpoints import STARTER, TOKENIZER
from miner.errors import UserError
from miner.libraries import np

STARTER_TOKENIZER = STARTER / TOKENIZER
_MAX_LENGTH = 4_000  # characters of a text that are counted; no sentence needs more


def tokenizer_file(path: Path) -> Path:
    """The tokenizer file at `path`, or in the model's folder at `path`; `UserError` where there is none."""
    file = path / TOKENIZER if path.is_dir() else path
    if not file.is_file():
        raise UserError(
            f"There is no tokenizer at {path}.", hint="Choose a tokenizer.json, or the folder of a model that has one."
        )
    return file


def load_token_counter(file: Path = STARTER_TOKENIZER) -> Callable[[Sequence[str]], dict[int, int]]:
    """A function that gives the number of each token id in some texts; special tokens are not counted.

    `UserError` if the tokenizer cannot be read. It counts in as many threads as there are cores.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as exc:
        hint = "Choose a tokenizer.json of the library tokenizers, as models at the Hugging Face hub have it."
        raise UserError(f"The tokenizer {file} cannot be read: {str(exc)[:200]}.", hint=hint) from exc
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def count(texts: Sequence[str]) -> dict[int, int]:
        encodings = tokenizer.encode_batch_fast([text[:_MAX_LENGTH] for text in texts], add_special_tokens=False)
        ids = np.array([id for encoding in encodings for id in encoding.ids], np.int64)
        found, numbers = np.unique(ids, return_counts=True)
        return dict(zip(found.tolist(), numbers.tolist(), strict=True))

    return count
