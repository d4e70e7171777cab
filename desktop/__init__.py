"""The application: the window and the command line."""
