"""Every kind of file is declared once, and completely."""

from __future__ import annotations

from miner.parsing.formats import ACCEPTED, FORMATS, IMPORT_ORDER, FileKind


def test_every_kind_of_file_is_declared_once_and_is_imported() -> None:
    kinds = [format.kind for format in FORMATS]
    assert sorted(kinds) == sorted(FileKind)
    assert sorted(IMPORT_ORDER) == sorted(FileKind)
    assert len({format.turn for format in FORMATS}) == len(FORMATS)


def test_publishers_xml_is_imported_before_pdfs_which_are_linked_to_it() -> None:
    turn = IMPORT_ORDER.index
    assert max(turn(FileKind.JATS), turn(FileKind.ARCHIVE)) < turn(FileKind.TEI) < turn(FileKind.PDF)
    assert IMPORT_ORDER[-1] is FileKind.PDF  # as a GROBID server may fail


def test_a_file_that_is_too_large_comes_with_a_hint() -> None:
    assert all(format.too_large_hint for format in FORMATS if format.limit is not None)


def test_what_papers_are_names_every_kind() -> None:
    assert ACCEPTED == (
        "PDFs, publishers' XML (JATS: .xml, .nxml), GROBID's TEI (.xml), JSON lines (.jsonl), "
        "or archives of PDFs and publishers' XML (.tar.gz, .zip)"
    )
