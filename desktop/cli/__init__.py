"""The command line: arguments, one module of commands for each subject, and what they print. Never imports Qt."""
