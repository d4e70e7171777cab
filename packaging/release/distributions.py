"""The wheel and the sdist: made by `build`, the sdist rewritten so that its bytes follow from its files alone."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path


def build_distributions(python: Path, source: Path, target: Path, *, epoch: int) -> list[Path]:
    """Make the sdist of the folder `source`, and of it the wheel, in `target`: the wheel's path and the sdist's.
    `python` has the pinned `build` and setuptools, which are used as they are: nothing is fetched."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
    command: list[str | Path] = [python, "-m", "build", "--no-isolation", "--outdir", target, source]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    (sdist,) = target.glob("*.tar.gz")
    (wheel,) = target.glob("*.whl")
    for metadata in source.glob("*.egg-info"):  # or what is run in this folder takes it for the installed program's
        shutil.rmtree(metadata)
    sdist.write_bytes(normalise_sdist(sdist.read_bytes(), epoch=epoch))
    return [wheel, sdist]


def normalise_sdist(content: bytes, *, epoch: int) -> bytes:
    """The same files in order of their names, all of root, of one time, with the usual rights; gzip without a name."""
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content)) as old,
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=epoch) as gzipped,
        tarfile.open(fileobj=gzipped, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.pax_headers = epoch, {}
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    return packed.getvalue()
