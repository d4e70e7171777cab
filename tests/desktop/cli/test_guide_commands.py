"""The commands of the guide's page for servers, run as they stand there, on the sample papers."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from desktop.jobs.guide import read_guide
from tests.desktop.cli.conftest import Run
from tests.sample_papers import SAMPLES

_MISSING_HERE = ("merge inbox", "audit --labels gold")  # want people's answers


@pytest.mark.slow
def test_five_blocks_of_the_page_for_servers_do_what_they_say(run: Run, tmp_path: Path) -> None:
    page = read_guide().page("07-commands.md")
    assert page is not None
    blocks = dict(re.findall(r"## ([^\n]+)\n\n[^#]*?```sh\n(.*?)```", page.markdown, re.DOTALL))
    lists = re.findall(r"```sh\n(pairwright papers.*?)```", page.markdown, re.DOTALL)
    papers = tmp_path / "papers"
    shutil.copytree(SAMPLES, papers)
    (tmp_path / "library.bib").write_text("@article{a, title={Reading the wrack line}, year={2021}}")
    order = (blocks["From papers to files"], *lists, blocks["A benchmark"], blocks["Again, elsewhere"])
    for block in (*order, blocks["When something is wrong"]):
        for line in block.splitlines():
            if not any(words in line for words in _MISSING_HERE):
                ran = run(*shlex.split(line.replace("~/papers", str(papers)))[1:])
                assert ran.code == 0, (line, ran.err)
    assert (tmp_path / "out" / "train.jsonl").stat().st_size > 1000
    for name in ("train.jsonl", "SHA256SUMS"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "benchmark" / name).read_bytes()
