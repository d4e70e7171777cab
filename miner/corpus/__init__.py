"""A corpus: the pairs of more papers than one project holds, mined by many processes into Parquet files.

    papers -> map: each paper by itself (`mapping`), into parts (`parts`) that are complete or not there
           -> settle: which papers are forms of one (`forms`), and which pairs duplicate an earlier paper's (`settle`),
              by the rules that projects follow
           -> shards: one Parquet file for each table and beginning of the MD5 (`shards`), by the schema in `schema`

The shards hold what `add` and `mine` would store of the same papers. Nothing depends on the order of files, on the
number of processes or on the engine.
"""
