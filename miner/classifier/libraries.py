"""The libraries of the classifier: checks whether they are installed, and imports them."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module

from miner.errors import UserError
from miner.installation import EXTRAS, extra_error, how_installed, missing_extra
from miner.progress import Progress

_EXTRA = "models"
_IMPORTED_LATER = "transformers"  # takes seconds to import, and the bundled model does not need it


def missing_library(purpose: str = "") -> UserError | None:
    """The error for a library that is not installed; None if all are. Nothing is imported.

    `purpose`: what needs them, such as "Training".
    """
    return missing_extra(_EXTRA, purpose)


def import_libraries() -> None:
    """Import the libraries in a child process; `UserError` says what to install."""
    # Otherwise waiting threads spin: with another busy program everything is 4 to 10 times as slow.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    if problem := missing_library():
        raise problem
    for name in EXTRAS[_EXTRA]:
        try:
            if name != _IMPORTED_LATER:
                import_module(name)
        except ModuleNotFoundError as exc:
            raise extra_error(_EXTRA, exc.name or name) from exc
        except (ImportError, OSError) as exc:  # a system library that it needs is missing or incompatible
            what = f"The library {name} of the local model does not start: {exc}."
            raise UserError(what, hint=how_installed().package_remedy(name)) from exc


def describe_device(_: None, emit: Callable[[object], None], progress: Progress) -> str:
    """The version and device of torch as text. For `run_isolated`, since it imports torch."""
    import_libraries()
    import torch

    from miner.classifier.device import choose_device, set_threads

    set_threads()
    device = choose_device()
    return f"{torch.__version__}, computes on: {device.name}{f' ({device.note})' if device.note else ''}"
