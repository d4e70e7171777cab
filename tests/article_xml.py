"""Writes publishers' XML with the text of a paper."""

from __future__ import annotations

from html import escape

from miner.records import Paper


def article_xml(paper: Paper, *, doi: str = "", title: str = "", prose: str = "", more: str = "") -> bytes:
    """title, prose: in place of the paper's; more: XML that comes last."""
    sections = "".join(
        f"<sec><title>{escape(section.title)}</title>"
        + "".join(f"<p>{escape(one.text)}</p>" for one in section.paragraphs)
        + "</sec>"
        for section in paper.sections
    )
    ids = f'<article-id pub-id-type="doi">{doi}</article-id>' if doi else ""
    titles = f"<title-group><article-title>{escape(title or paper.title)}</article-title></title-group>"
    front = f"<front><article-meta>{ids}{titles}</article-meta></front>"
    return f"<article>{front}<body>{prose or sections}{more}</body></article>".encode()
