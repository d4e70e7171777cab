"""The libraries of the classifier: checks whether they are installed, and imports them."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from miner.errors import UserError
from miner.progress import Progress

_TORCH_INDEX = "https://download.pytorch.org/whl/cpu"  # without gigabytes of CUDA libraries
_IMPORTED_LATER = "transformers"  # takes seconds to import, and the bundled model does not need it
LIBRARIES = ("torch", "transformers", "safetensors", "tokenizers")


def missing_library() -> UserError | None:
    """The error for a library that is not installed; None if all are. Nothing is imported."""
    return next((_not_installed(name) for name in LIBRARIES if find_spec(name) is None), None)


def import_libraries() -> None:
    """Import the libraries in a child process; `UserError` says what to install."""
    # Otherwise waiting threads spin: with another busy program everything is 4 to 10 times as slow.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    if problem := missing_library():
        raise problem
    for name in LIBRARIES:
        try:
            if name != _IMPORTED_LATER:
                import_module(name)
        except ModuleNotFoundError as exc:
            raise _not_installed(exc.name or name) from exc
        except (ImportError, OSError) as exc:  # a system library that it needs is missing or incompatible
            hint = f"Reinstall it: pip install --force-reinstall {name}"
            raise UserError(f"The classifier's library {name} does not start: {exc}.", hint=hint) from exc


def describe_device(_: None, emit: Callable[[object], None], progress: Progress) -> str:
    """The version and device of torch as text. For `run_isolated`, since it imports torch."""
    import_libraries()
    import torch

    from miner.classifier.device import choose_device, set_threads

    set_threads()
    device = choose_device()
    return f"{torch.__version__}, computes on: {device.name}{f' ({device.note})' if device.note else ''}"


def _not_installed(name: str) -> UserError:
    index = f" --index-url {_TORCH_INDEX}" if name == "torch" else ""
    hint = f"Install what is missing: pip install {name}{index} (everything else works without)."
    return UserError(f"The classifier needs {name}, which is not installed.", hint=hint)
