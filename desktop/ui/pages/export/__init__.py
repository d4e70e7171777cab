"""The Export page, which writes pairs to files after a preview."""
