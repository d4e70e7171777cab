"""What every page uses: the open project, the job runner, events, actions, settings and problems."""
