"""The licence of a paper: whichever file states it, in any order of import; what a person set is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

from miner.parsing.files import FileKind
from miner.parsing.tei import parse_tei
from storage.papers.files import FileSource
from storage.project import Project
from tests.storage.factories import paper, pdf

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt>
<publicationStmt><availability status="free"><licence target="{}"/>{}</availability></publicationStmt></fileDesc>
</teiHeader>
<text><body><div><head>A</head><p>They grow.</p></div></body></text></TEI>"""


def licence(project: Project) -> str:
    with project.read_transaction() as stores:
        return stores.papers.summaries()[0].licence


def test_a_file_without_a_licence_takes_none_away(tmp_path: Path) -> None:
    from_pdf = replace(paper("a"), licence="CC-BY-4.0")
    from_tei = replace(paper("a", parser="grobid", text="Other text here. However, it is."), sha256="1" * 64)
    files = [(from_pdf, pdf("a")), (from_tei, FileSource(Path("/papers/a.tei.xml"), FileKind.TEI))]
    for number, order in enumerate(permutations(files)):
        with Project.create(tmp_path / f"{number}.pairwright") as project:
            for one, source in order:
                with project.transaction() as stores:
                    stores.papers.save(one, source)
            assert licence(project) == "CC-BY-4.0"


def test_a_licence_that_a_person_set_is_kept_and_can_be_undone(project: Project) -> None:
    now = datetime(2026, 7, 1, tzinfo=UTC)
    with project.transaction() as stores:
        stores.papers.save(replace(paper("a"), licence="CC-BY-4.0"), pdf("a"))
        action = stores.actions.begin("anna", "x", now)
        assert stores.paper_edits.edit(action, [paper("a").md5], {"licence": "CC-BY-ND-4.0"}) == 1
    with project.transaction() as stores:
        stores.papers.save(replace(paper("a", version="2"), licence="CC0-1.0"), pdf("a"))
    assert licence(project) == "CC-BY-ND-4.0"
    with project.transaction() as stores:
        stores.paper_edits.undo(action, stores.actions.begin("anna", "y", now))
    assert licence(project) == "CC-BY-4.0"


def test_tei_states_a_licence_by_address_or_text() -> None:
    stated = [
        ("https://creativecommons.org/licenses/by-nc/4.0/", ""),
        ("", "<p>Distributed under the Creative Commons Attribution License</p>"),
        ("", ""),
    ]
    assert [parse_tei(TEI.format(*one).encode()).licence for one in stated] == ["CC-BY-NC-4.0", "CC-BY", ""]
