"""Experiments: a file names data, systems and tables; running it fills cells; a table is a view of cells."""
