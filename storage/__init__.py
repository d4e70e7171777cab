"""The project file: one SQLite database with papers, pairs, people's answers, and the source of each.

`Project` (`storage.project`) opens it. Data is read in `project.read_transaction()` and written in
`project.transaction()`, each of which gives `Stores`: an attribute for each kind of data, with the methods that read
and write it. There is one writer at a time, so long computations run outside of the writing transaction, and their
results are stored in batches.

Papers are mined in the order of their MD5s: `stores.mining_runs.next_papers` gives the next ones, and
`stores.pairs.replace_for` stores the pairs of one and notes that it is mined. So mining can be interrupted at any time.
Suggestions are stored in runs: `stores.suggestions.missing` gives the next pairs, `put` stores their suggestions, and
`complete` makes the run the current one.
"""
