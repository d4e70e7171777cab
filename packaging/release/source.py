"""What is released: a commit, its version and what the changelog says of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

_HEADING = re.compile(r"^## \[(?P<version>[^]]+)](?: - (?P<date>\d{4}-\d{2}-\d{2}))?\s*$", re.MULTILINE)
UNRELEASED = "Unreleased"


class Refused(Exception):
    """A release that cannot be made as things are; its text says what is wrong and what to do."""


@dataclass(frozen=True)
class Source:
    """A state of the repository; `epoch` is the commit's time in seconds, which every file made of it carries."""

    root: Path
    version: str
    commit: str
    epoch: int
    notes: str
    draft: bool


def read_source(root: Path, *, draft: bool) -> Source:
    """The state of the repository at `root`. Anything but a committed state with a changelog section is refused, unless
    it is a draft, which takes the files as they are and the changelog's section of what is unreleased."""
    version = read_version(root)
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    changed = _git(root, "status", "--porcelain").splitlines()
    if changed and not draft:
        raise Refused(
            f"{len(changed)} files are not committed, such as {changed[0][3:]}. Commit or remove them; "
            "a draft of the files as they are: make release DRAFT=1"
        )
    notes = changelog_section(changelog, version)
    if notes is None and draft:
        notes = changelog_section(changelog, UNRELEASED)
    if not notes:
        raise Refused(
            f"CHANGELOG.md says nothing of {version}, the version in pyproject.toml. Call the section [{UNRELEASED}] "
            f"“## [{version}] - YYYY-MM-DD” and begin a new one above it; a draft without: make release DRAFT=1"
        )
    commit, epoch = _git(root, "log", "-1", "--format=%H %ct").split()
    return Source(root, version, commit, int(epoch), notes, draft)


def read_version(root: Path) -> str:
    """The version in pyproject.toml: all others are made of it."""
    with (root / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    assert isinstance(version, str)
    return version


def changelog_section(changelog: str, version: str) -> str | None:
    """The text below the heading of `version`, without it; None where there is no such heading. A version other than
    the unreleased one has a date in its heading."""
    headings = list(_HEADING.finditer(changelog))
    for number, heading in enumerate(headings):
        if heading["version"] == version and (heading["date"] or version == UNRELEASED):
            end = headings[number + 1].start() if number + 1 < len(headings) else len(changelog)
            return changelog[heading.end() : end].strip()
    return None


def write_source(source: Source, folder: Path) -> None:
    """Write the files of the commit, or of a draft those that git knows or would take, to the new `folder`."""
    folder.mkdir(parents=True)
    if not source.draft:
        command = ["git", "-C", str(source.root), "archive", "--format=tar", source.commit]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as archive:
            assert archive.stdout is not None
            with tarfile.open(fileobj=archive.stdout, mode="r|") as tar:
                tar.extractall(folder, filter="data")
        if archive.returncode:
            raise Refused(f"git archive ended with {archive.returncode}.")
        return
    for name in _git(source.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (source.root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source.root / name, folder / name)


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"A release is made of a git checkout: {done.stderr.strip()}")
    return done.stdout.strip() if "-z" not in arguments else done.stdout
