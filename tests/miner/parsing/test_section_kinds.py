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
        ("Acknowledgments and Disclosure of Funding", None),
        ("Acknowledgement of funding", None),
        ("Compliance with Ethical Standards", None),
        ("Declaration of interests", None),
        ("Statement of competing interests", None),
        ("Declaration of generative AI in scientific writing", None),
        ("CRediT author statement", None),
        ("Author contribution statement", None),
        ("Sources of Funding", None),
        ("Corresponding author", None),
        ("Copyright © 2019 the authors", None),
        ("Copyright law and maps", SectionKind.BODY),
        ("Availability of fresh water", SectionKind.BODY),
        ("Consent for the use of maps", SectionKind.BODY),
        ("Declarations of war", SectionKind.BODY),
        ("Acknowledging the crew", SectionKind.BODY),
    ],
)
def test_section_kind(title: str, kind: SectionKind | None) -> None:
    assert section_kind(title) is kind
