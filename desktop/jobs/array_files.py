"""Files of named arrays, such as data maps, as NumPy's `.npz`. Files may be untrusted: no code in them is run."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop.jobs.writing import writing
from miner.atomic_files import atomic_file
from miner.libraries import NDArray, np
from miner.paths import check_ordinary

_MAX_ITEM_BYTES = 400
_MAX_HEADER_BYTES = 10_000


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Store arrays, completely or not at all. `UserError` where the file cannot be written."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as part, part.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]


def read_arrays(path: Path, kinds: Mapping[str, str]) -> dict[str, NDArray[Any]]:
    """The arrays of a file.

    kinds: the NumPy kind of each array, by its name, such as "f" for numbers and "S" for texts. `FileNotFoundError`
    where there is no file, `ValueError` where it is incomplete or lacks an array, any other `OSError` as the system
    raises it.
    """
    try:
        check_ordinary(path)
        with zipfile.ZipFile(path) as archive:
            return {name: _array(archive, name, kind) for name, kind in kinds.items()}
    except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError, RuntimeError) as exc:
        raise ValueError(f"not such a file: {exc}") from exc


def texts_array(texts: Any) -> NDArray[Any]:
    """Texts as an array of kind "S"."""

    return np.array([text.encode("utf-8", "surrogatepass") for text in texts], np.bytes_)


def texts_of(array: NDArray[Any]) -> tuple[str, ...]:
    """The texts of an array of kind "S"; `ValueError` for bytes that are not UTF-8."""
    return tuple(text.decode("utf-8", "surrogatepass") for text in array.tolist())


def _array(archive: zipfile.ZipFile, name: str, kind: str) -> NDArray[Any]:
    """An array of the archive. Memory is reserved for it only after its header agrees with its size in the archive."""

    entry = archive.getinfo(f"{name}.npy")
    if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
        raise ValueError("the arrays are packed")
    with archive.open(entry) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("an array of another format")
        shape, _, dtype = np.lib.format.read_array_header_1_0(file, max_header_size=_MAX_HEADER_BYTES)
        if dtype.kind != kind or dtype.itemsize > _MAX_ITEM_BYTES or dtype.hasobject:
            raise ValueError(f"{name} has another type")
        size = dtype.itemsize
        for length in shape:
            size *= length
        if file.tell() + size != entry.file_size:
            raise ValueError(f"{name} is not as long as it says")
    with archive.open(entry) as file:
        found: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False, max_header_size=_MAX_HEADER_BYTES)
        return found
