"""A pair is traced to its paper, its paragraph and the files it came in."""

from __future__ import annotations

from hashlib import md5
from pathlib import Path

from miner.parsing.files import FileKind
from storage.papers.files import FileSource
from storage.project import Project
from tests.storage.factories import add, mine, some_pairs

CELLS = md5(b"cells").hexdigest()


def test_a_pair_leads_to_its_paper(project: Project) -> None:
    add(project, ["cells", "yeast"])
    mine(project)
    wanted = some_pairs(CELLS).pairs[0]
    with project.read_transaction() as stores:
        origin = stores.evidence.origin(wanted.key)
        assert origin is not None
        assert origin.pair == wanted
        assert origin.current
        assert origin.paper == stores.papers.summary(CELLS)
        assert stores.evidence.origin("no such pair") is None


def test_a_paragraph_is_found_by_its_position_or_its_text(project: Project) -> None:
    add(project, ["cells", "yeast"])
    with project.read_transaction() as stores:
        by_place = stores.evidence.paragraph(CELLS, 1, 0)
        assert by_place is not None
        assert by_place.title == "Introduction"
        assert by_place.paragraph == stores.papers.get(CELLS).sections[1].paragraphs[0]
        assert stores.evidence.paragraph_with(CELLS, "However, they die.") == by_place
        assert stores.evidence.paragraph_with(CELLS, "Cells of yeast grow") is None
        assert stores.evidence.paragraph(CELLS, 1, 7) is None


def test_files_have_their_hash_and_folders_are_ordered_by_file_count(project: Project) -> None:
    add(project, ["cells", "yeast", "moss"])
    with project.transaction() as stores:
        stores.files.add(FileSource(Path("/elsewhere/cells.pdf"), FileKind.PDF), CELLS, "other")
    with project.read_transaction() as stores:
        paths = [(str(file.path), file.line, file.sha256) for file in stores.evidence.files(CELLS)]
        paper = stores.papers.summary(CELLS)
        assert paper is not None
        assert paths == [("/papers/cells.pdf", 0, paper.sha256), ("/elsewhere/cells.pdf", 0, "other")]
        assert stores.evidence.folders() == [Path("/papers"), Path("/elsewhere")]
