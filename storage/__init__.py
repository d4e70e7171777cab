"""The project file: one SQLite database that holds papers, pairs, people's answers and where all of it came from.

    with Project.open(path) as project:                       # storage.project
        with project.transaction(bulk=True) as stores:        # one writer; all or nothing
            stores.papers.save(paper, Source(path, Kind.PDF)) # storage.papers.store: Saved.NEW, KNOWN or REPLACED
            stores.files.save_failure(path, unreadable, md5=md5, sha256=sha256)
        with project.reading() as stores:
            paper = stores.papers.get(md5)

Papers are mined in order of identity; mining may be killed, and goes on where it was:

    with project.transaction() as stores:
        run = stores.mining_runs.start(id, settings_json, program=version, language_model=model)
    while pending := (read: stores.mining_runs.next_papers(run, limit=64)):
        mined = [mine(stores.papers.get(paper.md5)) for paper in pending]   # outside the writing transaction
        with project.transaction(bulk=True) as stores:
            for paper, found in zip(pending, mined):
                if stores.pairs.replace_for(paper, found, quota) is None:
                    break                                     # papers came or went meanwhile: ask anew
    with project.transaction() as stores:
        stores.mining_runs.finish(run); stores.mining_runs.funnel(run)

Suggestions come in runs, piece by piece, and are shown when complete (the first also before); answers outvote them:

    with project.transaction() as stores:
        run = stores.suggestions.begin(model, temperature, device="cpu", program=version, at=now)
    while wanted := (read: stores.suggestions.missing(run, after=last, limit=2048)):
        made = [NewSuggestion(pair, probabilities, doubt) for ...]         # outside the writing transaction
        with project.transaction(bulk=True) as stores:
            stores.suggestions.put(run, made)
    with project.transaction() as stores:
        stores.suggestions.complete(run, now)
"""
