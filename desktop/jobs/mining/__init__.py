"""Mining the project, and what other settings would change."""
