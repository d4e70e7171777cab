"""The Debian packages that the bundle takes libraries from: their versions, sources and licences."""

from __future__ import annotations

import platform
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from source import Refused

COMMON = Path("/usr/share/common-licenses")
_FIELDS = ("Package", "Version", "Architecture", "source:Package", "source:Version")


@dataclass(frozen=True, order=True)
class Package:
    """An installed package, and the source package that it was built of."""

    name: str
    version: str
    architecture: str
    source: str
    source_version: str

    @property
    def copyright(self) -> str:
        path = Path("/usr/share/doc", self.name, "copyright")
        return path.read_text(encoding="utf-8", errors="replace")

    @property
    def purl(self) -> str:
        """Its address for programs that look for known faults (https://github.com/package-url/purl-spec)."""
        system = platform.freedesktop_os_release()
        distribution = f"{system['ID']}-{system.get('VERSION_ID', '')}".rstrip("-")
        version = quote(self.version, safe="")
        return f"pkg:deb/{system['ID']}/{self.name}@{version}?arch={self.architecture}&distro={distribution}"

    @property
    def source_address(self) -> str:
        """Where the sources of this version stay, also when newer ones follow."""
        return f"https://snapshot.debian.org/package/{self.source}/{self.source_version}/"


@cache
def package_named(name: str) -> Package:
    """The installed package of this name; Refused where there is none."""
    form = "\t".join(f"${{{field}}}" for field in _FIELDS) + "\n"
    done = subprocess.run(["dpkg-query", "--show", f"--showformat={form}", name], capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"the Debian package {name} is not installed, so the text of its licence is not known")
    return Package(*done.stdout.splitlines()[0].split("\t"))


@cache
def package_of(library: str) -> Package:
    """The package that has a library of this file name; Refused where none has."""
    done = subprocess.run(["dpkg", "--search", f"*/{library}"], capture_output=True, text=True)
    found = re.findall(rf"^(\S+): /(?:usr/)?lib/[\w-]+/{re.escape(library)}$", done.stdout, re.MULTILINE)
    if not found:
        raise Refused(f"no Debian package has {library}, so the text of its licence is not known")
    return package_named(min(found))


def common_text(name: str) -> str:
    """A text that Debian's packages point to; Refused where this system has none of that name."""
    try:
        return (COMMON / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Refused(f"there is no {COMMON / name}, whose text the licences need: make releases on Debian") from None
