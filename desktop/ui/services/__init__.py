"""What every page is given: the open project, the job runner, events, actions, settings and problems."""
