"""The application people run: the command line now, the window later."""
