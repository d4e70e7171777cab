"""From files to papers: PDFs with or without GROBID, TEI, and papers as JSON lines."""
