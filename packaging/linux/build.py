"""Packs the bundle for Linux: a `.deb`, and a `.tar.zst` with `install.sh` for everybody else.

    python packaging/linux/build.py [--bundle FOLDER] [--out FOLDER]

Wants the bundle that `packaging/bundle/build.py` makes, and an interpreter with Pairwright, which describes the
commands. The same bundle and commit give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MARKER = "INSTALLED-BY"  # `miner/installation.py` reads it
LICENCES = "THIRD-PARTY-LICENSES.txt"

# What the bundle takes from the system, by Debian package: the C library, the drivers of the screen, the bus.
SYSTEM_LIBRARIES = {
    "libc6": ("ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1"),
    "libcrypt1": ("libcrypt.so.1",),
    "libdbus-1-3": ("libdbus-1.so.3",),
    "libegl1": ("libEGL.so.1",),
    "libgl1": ("libGL.so.1",),
    "libglx0": ("libGLX.so.0",),
    "libopengl0": ("libOpenGL.so.0",),
    "libwayland-client0": ("libwayland-client.so.0",),
    "libwayland-cursor0": ("libwayland-cursor.so.0",),
    "libwayland-egl1": ("libwayland-egl.so.1",),
    "libxcb1": ("libxcb.so.1",),
}
# Keyboard layouts, where fonts are and one font, what makes the menu entry and the file type known.
OTHER_DEPENDENCIES = (
    "desktop-file-utils",
    "fontconfig-config",
    "fonts-dejavu-core | fonts-liberation | fonts-noto-core",
    "hicolor-icon-theme",
    "shared-mime-info",
    "xkb-data",
)
_NEEDED = re.compile(r"NEEDED\s+(\S+)")
_GLIBC = re.compile(r"\bGLIBC_(\d+(?:\.\d+)+)")


class Refused(Exception):
    """What keeps the packages from being made."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Packs the bundle for Linux.")
    parser.add_argument("--bundle", type=Path, default=ROOT / "build" / "bundle" / "pairwright", metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "linux", metavar="FOLDER", help="(build/linux)")
    options = parser.parse_args()
    out: Path = options.out.absolute()
    try:
        made = pack(options.bundle.absolute(), out)
    except Refused as refused:
        print(f"No packages: {refused}", file=sys.stderr)
        return 1
    for path in made:
        print(f"{path}: {path.stat().st_size / 1e6:,.1f} MB")
    return 0


def pack(bundle: Path, out: Path) -> list[Path]:
    """Make both packages: their paths."""
    if not (bundle / "pairwright").is_file():
        raise Refused(f"there is no bundle at {bundle}: run packaging/bundle/build.py first.")
    if not (bundle / LICENCES).is_file():
        print(f"Without {LICENCES}, not for others: make release makes the packages with it.", file=sys.stderr)
    work = out / ".packages"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    epoch = commit_time()
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, HERE / "make_files.py", work / "desktop"], env=environment, check=True)
    name = "pairwright" if (bundle / "_internal" / "torch").exists() else "pairwright-light"
    packages, glibc = needs(bundle)
    made = [
        debian_package(bundle, work, name, version, packages, glibc, epoch),
        tarball(bundle, work, name, version, glibc, epoch),
    ]
    made = [path.replace(out / path.name) for path in made]
    shutil.rmtree(work)
    return made


def needs(bundle: Path) -> tuple[list[str], str]:
    """The Debian packages that have the libraries that the bundle lacks, and the lowest glibc it runs with."""
    files = [path for path in bundle.rglob("*") if path.is_file() and not path.is_symlink() and is_elf(path)]
    printed = subprocess.run(["objdump", "-p", *files], capture_output=True, text=True, check=True).stdout
    missing = set(_NEEDED.findall(printed)) - {path.name for path in bundle.rglob("*.so*")}
    packages = [package for package, names in SYSTEM_LIBRARIES.items() if missing & set(names)]
    if unknown := missing - {name for names in SYSTEM_LIBRARIES.values() for name in names}:
        raise Refused(f"the bundle needs {', '.join(sorted(unknown))}, of no package that is known here.")
    glibc = max(_GLIBC.findall(printed), key=lambda found: [int(number) for number in found.split(".")])
    return packages, glibc


def debian_package(
    bundle: Path, work: Path, name: str, version: str, packages: list[str], glibc: str, epoch: int
) -> Path:
    """The `.deb`, made in the folder `work`. That of the light bundle and that of the full one replace each other."""
    tree = work / "deb"
    link_tree(work / "desktop", tree)
    program = tree / "usr" / "lib" / "pairwright"
    link_tree(bundle, program)
    write(program / MARKER, "deb\n")
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / "pairwright").symlink_to("../lib/pairwright/pairwright")
    documents = tree / "usr" / "share" / "doc" / name
    notice = f"\nThe libraries in /usr/lib/pairwright have licences of their own: /usr/lib/pairwright/{LICENCES}\n"
    write(documents / "copyright", (ROOT / "LICENSE").read_text(encoding="utf-8") + notice)
    write(documents / "changelog.gz", gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0))
    kibibytes = sum(1 if path.is_symlink() or path.is_dir() else -(-path.stat().st_size // 1024) for path in walk(tree))
    sums = "".join(f"{digest(path, 'md5')}  {path.relative_to(tree)}\n" for path in walk(tree) if is_file(path))
    is_light = name == "pairwright-light"
    other = "pairwright" if is_light else "pairwright-light"
    depends = [f"libc6 (>= {glibc})" if package == "libc6" else package for package in packages]
    control = {
        "Package": name,
        "Version": re.sub(r"\.?(a|b|rc|dev)(?=\d)", r"~\1", version),  # before the release that it leads to
        "Architecture": "amd64",
        "Maintainer": "The Pairwright developers <pairwright@users.noreply.github.com>",
        "Installed-Size": str(kibibytes),
        "Depends": ", ".join([*depends, *OTHER_DEPENDENCIES]),
        "Recommends": "xdg-utils",  # by which Qt opens links and folders
        "Conflicts": other,
        "Replaces": other,
        "Section": "science",
        "Priority": "optional",
        "Homepage": "https://github.com/pairwright/pairwright",
        "Description": "scientific-NLI data sets from papers\n"
        " Pairwright mines pairs of sentences from papers by their linking phrases, and\n"
        f" helps to review them, {'suggests labels' if is_light else 'trains models'}, and releases data sets.\n"
        " It brings its own Python and libraries, and needs no network.",
    }
    write(tree / "DEBIAN" / "control", "".join(f"{name}: {value}\n" for name, value in control.items()))
    write(tree / "DEBIAN" / "md5sums", sums)
    make_equal(tree, epoch)
    path = work / f"{name}_{version}_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", tree, path]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    shutil.rmtree(tree)
    return path


def tarball(bundle: Path, work: Path, program: str, version: str, glibc: str, epoch: int) -> Path:
    """The `.tar.zst`, made in the folder `work`: the bundle, what `install.sh` puts beside it, and sums by which that
    knows it is complete."""
    name = f"{program}-{version}-linux-x86_64"
    tree = work / name
    link_tree(bundle, tree)
    link_tree(work / "desktop" / "usr" / "share", tree / "share")
    shutil.copy(ROOT / "LICENSE", tree)
    shutil.copy(HERE / "install.sh", tree)
    of_folder = version + program.removeprefix("pairwright")  # a light and a full one lie side by side
    for file, content in ((MARKER, "tarball"), ("VERSION", of_folder), ("GLIBC", glibc)):
        write(tree / file, f"{content}\n")
    make_equal(tree, epoch)
    last = tree / "VERSION"  # by it install.sh knows that the list is whole
    files = [*(path for path in walk(tree) if is_file(path) and path != last), last]
    sums = [f"{digest(path, 'sha256')}  {path.relative_to(tree)}\n" for path in files]
    write(tree / "MANIFEST", "".join(sums))
    make_equal(tree, epoch)
    path = work / f"{name}.tar.zst"
    with path.open("wb") as file:
        packer = subprocess.Popen(["zstd", "-19", "--long=27", "-T0", "-q", "-c"], stdin=subprocess.PIPE, stdout=file)
        assert packer.stdin is not None
        with tarfile.open(fileobj=packer.stdin, mode="w|", format=tarfile.GNU_FORMAT) as archive:
            first = [tree, tree / "install.sh", tree / "MANIFEST"]  # so that half an archive says what it is
            for member in [*first, *(path for path in walk(tree) if path not in first)]:
                archive.add(member, str(member.relative_to(work)), recursive=False, filter=of_root)
        packer.stdin.close()
        if packer.wait():
            raise Refused(f"zstd ended with {packer.returncode}.")
    shutil.rmtree(tree)
    return path


def of_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The entry as root's."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    if member.islnk():  # files here are links to those of the bundle
        raise Refused(f"{member.name} is there twice.")
    return member


def link_tree(source: Path, target: Path) -> None:
    """Copy a folder into another: links to the same files where the disk has such."""

    def link(one: str, other: str) -> None:
        try:
            os.link(one, other, follow_symlinks=False)
        except OSError:
            shutil.copy2(one, other, follow_symlinks=False)

    shutil.copytree(source, target, symlinks=True, copy_function=link, dirs_exist_ok=True)


def make_equal(tree: Path, epoch: int) -> None:
    """Give everything the time of the commit, and rights that do not depend on who builds."""
    for path in [tree, *walk(tree)]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def walk(tree: Path) -> Iterator[Path]:
    """Everything below, sorted."""
    yield from sorted(tree.rglob("*"))


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def digest(path: Path, method: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, method).hexdigest()


def commit_time() -> int:
    """Seconds: SOURCE_DATE_EPOCH, or else the time of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    if done.returncode:
        raise Refused("set SOURCE_DATE_EPOCH: this is no git checkout.")
    return int(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
