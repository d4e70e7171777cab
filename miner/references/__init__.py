"""References on disk: bibliographies as BibTeX, RIS or CSL-JSON, read and matched with papers.

recognition.py     which files are bibliographies
reading.py         reads one, in whatever encoding
reference.py       what an entry says
bibtex.py latex.py names.py      BibTeX and BibLaTeX, by bibtexparser and pylatexenc
ris.py             RIS, by rispy
csl_json.py        CSL-JSON, and the JSON of Better BibTeX
file_links.py      the files that an entry names; never opened here
matching.py likeness.py paths.py      which entry is about which paper
same_paper.py wording.py      which files are forms of one paper: a PDF and its publisher's XML
proposals.py       what an entry says of its paper that the paper does not say, or says differently
"""
