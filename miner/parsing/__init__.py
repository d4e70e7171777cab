"""From files to papers: PDFs with or without GROBID, TEI, publishers' XML, and papers as JSON lines."""
