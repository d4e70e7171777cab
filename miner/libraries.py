"""Large libraries that are imported at their first use, so that the program starts without them.

`from miner.libraries import np` at the head of a module costs nothing; `np.zeros(3)` imports numpy. torch and spaCy are
not among them: they are imported in worker processes alone.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["DTypeLike", "NDArray", "duckdb", "np", "pa", "pc", "pq", "tomlkit"]

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    import tomlkit
    from numpy.typing import DTypeLike, NDArray
else:

    class _LazyModule(ModuleType):
        """Becomes a copy of the module, by its own name, when an attribute is first asked for."""

        def __getattr__(self, name: str) -> object:
            module = import_module(self.__name__)
            self.__dict__.update(vars(module))
            self.__class__ = ModuleType
            return getattr(module, name)

    duckdb = _LazyModule("duckdb")
    np = _LazyModule("numpy")
    pa = _LazyModule("pyarrow")
    pc = _LazyModule("pyarrow.compute")
    pq = _LazyModule("pyarrow.parquet")
    tomlkit = _LazyModule("tomlkit")
    DTypeLike = NDArray = object  # for annotations, which nothing evaluates
