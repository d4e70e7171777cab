"""The project file: one SQLite database with papers, pairs, people's answers, and the source of each.

    with Project.open(path) as project:                               # storage.project
        with project.transaction(bulk=True) as stores:                # one writer; all or nothing
            stores.papers.save(paper, FileSource(path, FileKind.PDF)) # storage.papers.store
            stores.files.save_failure(path, unreadable, md5=md5, sha256=sha256)
        with project.reading() as stores:
            paper = stores.papers.get(md5)

Papers are mined in the order of their MD5s. Mining can be interrupted at any time, and resumes where it was:

    with project.transaction() as stores:
        run = stores.mining_runs.start(id, settings_json, program=version, language_model=model)
    while pending := (read: stores.mining_runs.next_papers(run, limit=64)):
        mined = [mine(stores.papers.get(paper.md5)) for paper in pending]   # outside the writing transaction
        with project.transaction(bulk=True) as stores:
            for paper, pairs in zip(pending, mined):
                if stores.pairs.replace_for(paper, pairs, quota) is None:
                    break                                     # papers were added or removed meanwhile: query again
    with project.transaction() as stores:
        stores.mining_runs.finish(run); stores.mining_runs.funnel(run)

Suggestions are stored in runs. A run is shown once it is complete, the first one also before:

    with project.transaction() as stores:
        run = stores.suggestions.begin(model, temperature, device="cpu", program=version, at=now)
    while wanted := (read: stores.suggestions.missing(run, after=last, limit=2048)):
        made = [NewSuggestion(pair, probabilities, doubt) for ...]         # outside the writing transaction
        with project.transaction(bulk=True) as stores:
            stores.suggestions.put(run, made)
    with project.transaction() as stores:
        stores.suggestions.complete(run, now)
"""
