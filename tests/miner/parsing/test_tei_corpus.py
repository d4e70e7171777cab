"""Our reading of real GROBID output against the reference reading that extraction is scored by."""

import importlib.util
import re
import unicodedata
from pathlib import Path
from types import ModuleType

import pytest
from lxml import etree

from miner.errors import UnreadableFile
from miner.parsing.section_kinds import section_kind
from miner.parsing.tei import parse_tei

SHARED = Path(__file__).parents[4] / "shared"
FILES = sorted((SHARED / "data").glob("*/*.tei.xml"))

pytestmark = pytest.mark.skipif(not FILES, reason=f"no real GROBID output at {SHARED}/data")


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_extraction", SHARED / "tools" / "score_extraction.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def letters(text: str) -> str:
    """Letters only: footnote marks and citation numbers, which we drop, and white space do not count."""
    return re.sub(r"[\W\d_]+", "", unicodedata.normalize("NFKD", re.sub(r"foot_\d+", "", text))).casefold()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:40])
def test_every_body_paragraph_of_the_reference_is_in_ours(path: Path, reference: ModuleType) -> None:
    document = path.read_bytes()
    root = etree.fromstring(document)
    wanted = []
    for division in root.iterfind("{*}text/{*}body//{*}div"):
        head = division.find("{*}head")
        kind = section_kind("".join(head.itertext()) if head is not None else "")
        if kind is not None and reference.local(division.getparent()) in ("body", "div"):
            texts = [reference.prose(p, {"note", "figure", "table", "formula"}) for p in division.iterfind("{*}p")]
            wanted += [text for text in texts if text.strip()]
    if not wanted:
        with pytest.raises(UnreadableFile, match="No text recognised"):
            parse_tei(document)
        return
    ours = [letters(paragraph.text) for section in parse_tei(document).sections for paragraph in section.paragraphs]
    assert [text for text in wanted if letters(text) not in ours] == []
