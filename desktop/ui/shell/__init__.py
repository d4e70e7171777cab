"""The window around the pages: navigation, menus, command palette, status bar, and the open project."""
