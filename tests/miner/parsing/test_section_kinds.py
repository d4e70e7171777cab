"""Which sections count."""

from __future__ import annotations

import pytest

from miner.parsing.section_kinds import section_kind
from miner.records import SectionKind


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Abstract", SectionKind.ABSTRACT),
        ("A B S T R A C T", SectionKind.ABSTRACT),
        ("Summary", SectionKind.ABSTRACT),
        ("6 Summary", SectionKind.BODY),
        ("", SectionKind.BODY),
        ("1 Introduction", SectionKind.BODY),
        ("Funding models of open science", SectionKind.BODY),
        ("Data collection", SectionKind.BODY),
        ("Ethical questions", SectionKind.BODY),
        ("Data availability in memorization", SectionKind.BODY),
        ("Disclosure of conflicts of interest", None),
        ("Data and code availability", None),
        ("A References to earlier work", SectionKind.BODY),
        ("Appendix A: Proofs", SectionKind.ANNEX),
        ("Acknowledgments.", None),
        ("7. ACKNOWLEDGEMENTS", None),
        ("References", None),
        ("Conflict of Interest Statement", None),
        ("Declaration of competing interest", None),
        ("Authors’ contributions", None),
        ("Data Availability Statement", None),
        ("Funding", None),
        ("Supplementary data", None),
        ("Keywords", None),
    ],
)
def test_section_kind(title: str, kind: SectionKind | None) -> None:
    assert section_kind(title) is kind
