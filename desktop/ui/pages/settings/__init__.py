"""The Settings page: settings of the user and the computer, each found by a search."""
