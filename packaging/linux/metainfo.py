"""The AppStream metainfo: `org.pairwright.Pairwright.metainfo.xml` with addresses and the releases of CHANGELOG.md."""

from __future__ import annotations

import re
import subprocess
import time
import tomllib
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATE = Path(__file__).with_name("org.pairwright.Pairwright.metainfo.xml")
_SECTION = re.compile(r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?$", re.MULTILINE)
_ENTRY = re.compile(r"^- (.+?)(?=^- |^$|^#|\Z)", re.MULTILINE | re.DOTALL)
_STATEMENT_END = re.compile(r"; |(?<=[.!?])\s+(?=[A-Z`])")
_MAX_ENTRIES = 8  # of a release


@dataclass(frozen=True, slots=True)
class Release:
    """A section of the changelog: its date as YYYY-MM-DD, "" if not released, and each entry's first statement."""

    version: str
    date: str
    entries: tuple[str, ...]


def releases(changelog: str) -> list[Release]:
    """The sections of a changelog in the manner of Keep a Changelog, newest first, without empty ones."""
    sections = list(_SECTION.finditer(changelog))
    ends = [section.start() for section in sections[1:]] + [len(changelog)]
    found = []
    for section, end in zip(sections, ends, strict=True):
        entries = tuple(_first_statement(entry) for entry in _ENTRY.findall(changelog[section.end() : end]))
        if entries:
            found.append(Release(section["version"], section["date"] or "", entries))
    return found


def metainfo(*, epoch: int | None = None) -> str:
    """The file's content. What is not released yet has the version of pyproject.toml, and the day of `epoch`, in
    seconds since 1970, or else of the last commit."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project.get("urls", {}).get("Repository", "https://github.com/pairwright/pairwright").rstrip("/")
    text = TEMPLATE.read_text(encoding="utf-8").replace(
        "@PICTURES@", f"{repository}/raw/v{project['version']}/packaging/screenshots"
    )
    listed = "\n".join(
        _release_element(release, project["version"], epoch)
        for release in releases((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    )
    return text.replace("@REPOSITORY@", repository).replace("<releases/>", f"<releases>\n{listed}\n  </releases>")


def _release_element(release: Release, version: str, epoch: int | None) -> str:
    released = bool(release.date)
    items = "\n".join(f"          <li>{escape(entry, quote=False)}</li>" for entry in release.entries[:_MAX_ENTRIES])
    return (
        f'    <release version="{release.version if released else version}" '
        f'date="{release.date or day(epoch)}" type="{"stable" if released else "development"}">\n'
        f"      <description>\n        <ul>\n{items}\n        </ul>\n      </description>\n    </release>"
    )


def _first_statement(entry: str) -> str:
    text = re.sub(r"\*\*|`", "", " ".join(entry.split()))
    return _STATEMENT_END.split(text)[0].rstrip(".") + "."


def day(epoch: int | None) -> str:
    """The day of a time in seconds since 1970, as YYYY-MM-DD in UTC; of None that of the last commit."""
    if epoch is None:
        command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        epoch = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return time.strftime("%Y-%m-%d", time.gmtime(epoch))
