"""Chat models in files: folders of transformers, and GGUF files. They are found and checked here, without torch."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import blake2b, file_digest
from pathlib import Path

from miner.classifier.checkpoints import CONFIG, Checkpoint, find_checkpoint
from miner.errors import UserError
from miner.installation import missing_extra
from miner.paths import expand_home

GGUF_SUFFIX = ".gguf"
_GGUF_MAGIC = b"GGUF"
_WRITES = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
_CHAT_FILES = ("tokenizer_config.json", "chat_template.jinja", "generation_config.json", "tokenizer.model")
_HINT = "Choose a folder with model.safetensors, config.json and a tokenizer, or a GGUF file."


def find_chat_model(reference: str) -> Checkpoint:
    """The chat model of a reference: a GGUF file, a folder with a GGUF file or for transformers, or a name at the hub.

    Its path is the folder or the GGUF file. `UserError` where no usable model is found.
    """
    path = expand_home(reference)
    try:
        if path.is_dir() and not any(path.glob("*.safetensors")):
            files = sorted(path.glob(f"*{GGUF_SUFFIX}"))
            if len(files) > 1:
                names = ", ".join(file.name for file in files[:5])
                raise UserError(f"{path} has {len(files)} GGUF files.", hint=f"Name one of them: {names}.")
            path = files[0] if files else path
        if path.is_file():
            return _gguf_file(path)
    except OSError as exc:
        raise UserError(f"The model at {reference} cannot be read: {exc.strerror}.", hint=_HINT) from exc
    found = find_checkpoint(reference)
    config = json.loads((found.path / CONFIG).read_text(encoding="utf-8"))  # `find_checkpoint` has read it
    architectures = config.get("architectures")
    known = [str(architecture) for architecture in architectures] if isinstance(architectures, list) else []
    if found.card is not None or (known and not any(architecture.endswith(_WRITES) for architecture in known)):
        raise UserError(f"{found.name} is no chat model: it writes no text.", hint=_HINT)
    digest = blake2b(found.digest.encode(), digest_size=16)
    for name in _CHAT_FILES:
        if (found.path / name).is_file():
            digest.update((found.path / name).read_bytes())
    return replace(found, digest=digest.hexdigest(), classes=None)


def is_gguf(path: Path) -> bool:
    """Whether a chat model is a GGUF file, or a folder with one and no safetensors. No file is read."""
    try:
        if path.is_dir():
            return not any(path.glob("*.safetensors")) and any(path.glob(f"*{GGUF_SUFFIX}"))
        return path.is_file()
    except OSError:
        return False


def require_gguf_libraries() -> None:
    """`UserError` unless what reads GGUF files is installed."""
    if problem := missing_extra("gguf"):
        raise problem


def _gguf_file(path: Path) -> Checkpoint:
    with path.open("rb") as file:
        if file.read(len(_GGUF_MAGIC)) != _GGUF_MAGIC:
            raise UserError(f"{path} is no GGUF file.", hint=_HINT)
        file.seek(0)
        digest = file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()
    return Checkpoint(path.absolute(), path.stem, digest, None)
