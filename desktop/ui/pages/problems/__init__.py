"""Problems: what went wrong since the window opened, and what to do about it."""
