"""TEI recorded from real GROBID, by the PDF it was made of."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_MD5 = re.compile(rb'(<idno type="MD5">)[^<]*')


class MissingRecording(Exception):
    """A variant that was never recorded is asked for; it is never made up."""


class Recordings:
    """Answers by SHA-256 of the PDF, with and without marked sentences; and, for any other PDF, those of `for_any`."""

    def __init__(self) -> None:
        self._by_pdf: dict[str, dict[bool, bytes]] = {}
        self._any: dict[bool, bytes] = {}

    def __len__(self) -> int:
        return len(self._by_pdf)

    @classmethod
    def of_corpus(cls, folder: Path) -> Recordings:
        """The recordings in a folder of NAME.pdf with NAME.tei.xml."""
        found = cls()
        for tei in sorted(folder.glob("*.tei.xml")):
            pdf = tei.with_name(tei.name.removesuffix(".tei.xml") + ".pdf")
            if pdf.exists():
                found.add(pdf.read_bytes(), tei.read_bytes())
        return found

    def add(self, pdf: bytes, tei: bytes) -> None:
        self._by_pdf.setdefault(hashlib.sha256(pdf).hexdigest(), {})[_segmented(tei)] = tei

    def for_any(self, folder: Path) -> None:
        """Serve the samples of tests/data/tei for every PDF that has no recording, with that PDF's MD5 written in."""
        for name in ("kelp.sentences.tei.xml", "kelp.paragraphs.tei.xml"):
            tei = (folder / name).read_bytes()
            self._any[_segmented(tei)] = tei

    def find(self, pdf: bytes, *, segmented: bool) -> bytes | None:
        """The answer for this PDF; None when it is unknown. Raises `MissingRecording` for an unrecorded variant."""
        variants = self._by_pdf.get(hashlib.sha256(pdf).hexdigest())
        if variants is not None:
            if segmented not in variants:
                raise MissingRecording(
                    f"no recording {'with' if segmented else 'without'} <s> of {len(pdf)} bytes of PDF"
                )
            return variants[segmented]
        tei = self._any.get(segmented)
        return with_md5(tei, pdf) if tei is not None else None


def with_md5(tei: bytes, pdf: bytes) -> bytes:
    """A copy whose MD5 is this PDF's; nothing else of a recording is ever changed, save by a fault."""
    return _MD5.sub(rb"\g<1>" + hashlib.md5(pdf).hexdigest().upper().encode(), tei)


def _segmented(tei: bytes) -> bool:
    return re.search(rb"<s[ >]", tei) is not None
