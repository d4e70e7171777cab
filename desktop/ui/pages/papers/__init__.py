"""The Papers page: the table of papers, adding and importing files, and actions on papers."""
