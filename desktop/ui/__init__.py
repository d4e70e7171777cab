"""The window: Qt is used only here and in `desktop.app`. Pages display and ask; jobs do the work."""
