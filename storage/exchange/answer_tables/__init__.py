"""Answer tables: an assignment for annotators without Pairwright, as a table or as tasks of another program.

Each row says by its own id whose answer to which pair it is (`row_ids`), so that rows may come back in any order and
file. They are untrusted: a row counts only if its sentences are those that were sent.
"""
