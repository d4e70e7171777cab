"""Mining a project, previews of other settings, and examples of dropped candidates."""
