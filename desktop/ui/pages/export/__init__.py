"""The Export page: writes pairs to files, after a preview."""
