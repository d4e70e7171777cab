"""Digests of papers, which show whether the parse or the text of a paper has changed."""

from __future__ import annotations

import json
from hashlib import blake2b

from miner.parsing.spans import pack_spans
from miner.records import Paper

_TEXT_DIGITS = 40  # of `text_digest`; digests by earlier versions have 32 in all


def paper_digest(paper: Paper) -> str:
    """A digest of all that a parser returns: parses with the same digest are equal. It begins with `text_digest`."""
    metadata = (paper.title, paper.authors, paper.year, paper.doi, paper.licence, paper.journal, paper.keywords)
    digest = blake2b(json.dumps((*metadata, paper.language, sorted(paper.sources))).encode(), digest_size=16)
    return text_digest(paper) + digest.hexdigest()


def text_digest(paper: Paper) -> str:
    """A digest of a paper's text and sentences, and of the programs that made them."""
    digest = blake2b(digest_size=_TEXT_DIGITS // 2)
    digest.update(json.dumps((paper.parser, paper.parser_version, paper.splitter)).encode())
    for section in paper.sections:
        digest.update(json.dumps((section.title, section.kind, len(section.paragraphs))).encode())
        for paragraph in section.paragraphs:
            digest.update(json.dumps((paragraph.text, paragraph.sentences, paragraph.after_break)).encode())
            digest.update(pack_spans(paragraph.spans) or b"")
    return digest.hexdigest()


def text_part(digest: str) -> str:
    """The `text_digest` in a paper's digest; "" if an earlier version made it, for text and metadata together."""
    return digest[:_TEXT_DIGITS] if len(digest) >= _TEXT_DIGITS else ""


def with_text(digest: str, paper: Paper) -> str:
    """The digest of a stored paper after its text was replaced by that of `paper`; its metadata stays."""
    return text_digest(paper) + digest[_TEXT_DIGITS:]
