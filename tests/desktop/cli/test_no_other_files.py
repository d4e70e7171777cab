"""Files of others are added, and the system's own record shows that nothing else was written, and nobody called."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import hostile_files
from tests.desktop.cli.conftest import python_command
from tests.torture.mutators import change_xml
from tests.torture.pdf_mutator import change_pdf

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.spawn,
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace shows what a program asks of the system"),
]
WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
CALLS = (
    "open,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,"
    "chmod,fchmodat,truncate,mknod,mknodat,execve,connect,bind"
)


def hostile_folder(folder: Path) -> Path:
    """Archives that would leave their folder, XML that would read files and call others, links, and broken PDFs."""
    folder.mkdir()
    draw = random.Random(5)
    article = b"<article><front/><body><p>It is so. However, it is not.</p></body></article>"
    with zipfile.ZipFile(folder / "slip.zip", "w") as archive:
        for name in ("../../slipped.xml", "/tmp/slipped.nxml", "a/../../slipped.nxml", "C:\\slipped.xml"):
            archive.writestr(name, article)
    with tarfile.open(folder / "slip.tar.gz", "w:gz") as packed:
        for name, kind in (
            ("../slipped.nxml", tarfile.REGTYPE),
            ("link.nxml", tarfile.SYMTYPE),
            ("pipe.xml", tarfile.FIFOTYPE),
        ):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname, entry.size = kind, "/etc/passwd", len(article) if kind == tarfile.REGTYPE else 0
            packed.addfile(entry, io.BytesIO(article))
    hostile_files.tei_with_doctype(folder)
    hostile_files.tei_entity_bomb(folder)
    hostile_files.broken_lines(folder)
    hostile_files.junk_folder(folder)
    include = '<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:xi="http://www.w3.org/2001/XInclude"><text><body><div><p>'
    include += 'So. <xi:include href="http://127.0.0.1:9/x.xml"/></p></div></body></text></TEI>'
    (folder / "include.tei.xml").write_text(f"<!DOCTYPE TEI SYSTEM 'http://127.0.0.1:9/tei.dtd'>{include}")
    healthy, tei = hostile_files.plain_pdf(folder), hostile_files.tei(folder)
    for number in range(8):
        (folder / f"changed-{number}.pdf").write_bytes(change_pdf(healthy.read_bytes(), draw))
        (folder / f"changed-{number}.tei.xml").write_bytes(change_xml(tei.read_bytes(), draw))
    (folder / "outside.pdf").symlink_to("/etc/passwd")
    return folder


def test_adding_hostile_files_writes_the_project_alone(tmp_path: Path) -> None:
    papers = hostile_folder(tmp_path / "papers")
    before = {path: (path.lstat().st_mtime_ns, path.lstat().st_mode) for path in papers.rglob("*")}
    for name in ("home", "temporary", "work"):
        (tmp_path / name).mkdir()
    home, temporary, work = tmp_path / "home", tmp_path / "temporary", tmp_path / "work"
    log = tmp_path / "calls.txt"
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPATH": str(ROOT),
    }
    project = work / "mine.pairwright"
    for words in (("new", project), ("--project", project, "add", papers, "--jobs", "2")):
        command = ["strace", "-f", "-qq", "-s", "4096", "-o", log, "-e", f"trace={CALLS}", *python_command(*words)]
        done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, timeout=280)
        assert "Traceback" not in done.stderr
        strays = [call for call in successful(log) if not is_allowed(call, work, (home, temporary, work))]
        assert strays == []
    assert project.is_file()
    assert sorted(path.name for path in work.iterdir() if not path.name.startswith("mine.")) == []
    assert {path: (path.lstat().st_mtime_ns, path.lstat().st_mode) for path in papers.rglob("*")} == before


def successful(log: Path) -> Iterator[str]:
    """The calls that the system did not refuse, and that change something or reach somebody."""
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        call = line.partition(" ")[2].strip()
        if call.startswith(("---", "+++", "<...")) or " = -1 " in call:
            continue
        if call.startswith(("open(", "openat(")) and not WRITING.search(QUOTED.sub("", call)):
            continue
        yield call


def is_allowed(call: str, work: Path, folders: tuple[Path, ...]) -> bool:
    """Whether a call stays in these folders, or is what every program does."""
    name = call.partition("(")[0]
    if name == "execve":
        return "python" in call
    if name == "bind" and "sin6_port=htons(0)" in call and '"::1"' in call:
        return True  # urllib3 asks, when it is imported, whether there is IPv6
    if name in ("connect", "bind"):
        return "AF_UNIX" in call and "sun_path=@" not in call and str(folders[1]) in call
    paths = [Path(os.path.normpath(work / path)) for path in QUOTED.findall(call)]
    return all(
        path == Path("/dev/null") or path.parent == Path("/dev/shm") or any(path.is_relative_to(one) for one in folders)
        for path in paths
    )
