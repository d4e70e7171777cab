"""The window: all of Qt is here and in `desktop.app`. Pages show and ask; jobs do the work."""
