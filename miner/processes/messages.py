"""Reads what a confined process sends, without trusting it: an answer of plain values and records, and nothing else.

A pickle may call whatever it names. A parser that a file has taken over could send one that runs a program here, so
of what a pickle names only records of this program's, and the parts of arrays, are looked up.
"""

from __future__ import annotations

import dataclasses
import io
import pickle
import sys
from enum import Enum
from multiprocessing.connection import Connection

_PROGRAM = ("miner", "storage")
_NAMED = {
    "builtins": {"bytearray", "complex", "frozenset", "range", "set", "slice", "object"},
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "copyreg": {"_reconstructor"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "miner.errors": {"_restore"},
    "miner.processes.child": {"Ready"},
    "pathlib": {"Path", "PosixPath", "PurePath", "PurePosixPath", "WindowsPath", "PureWindowsPath"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
}
_LIBRARIES = ("pyarrow.lib",)  # tables of a corpus, by many small functions that only build them


def receive_untrusted(pipe: Connection, max_bytes: int) -> object:
    """The next message of a pipe. `pickle.UnpicklingError` for one that no parser sends; `OSError` for a longer one."""
    message = pipe.recv_bytes(max_bytes)
    try:
        return _Unpickler(io.BytesIO(message)).load()
    except pickle.UnpicklingError:
        raise
    except (ImportError, LookupError, AttributeError, TypeError, ValueError, EOFError) as exc:
        raise pickle.UnpicklingError(f"a damaged message: {type(exc).__name__}: {exc}") from exc


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> object:
        if name in _NAMED.get(module, ()) or (module in _LIBRARIES and "." not in name):
            return super().find_class(module, name)
        if module.partition(".")[0] in _PROGRAM and module in sys.modules:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module and _is_record(found):
                return found
        raise pickle.UnpicklingError(f"a message names {module}.{name}, which is no record")


def _is_record(kind: type) -> bool:
    """Whether to make one is to keep values, and no more."""
    return dataclasses.is_dataclass(kind) or issubclass(kind, (tuple, Enum, Exception))
