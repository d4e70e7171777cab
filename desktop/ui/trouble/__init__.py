"""Problems: the list of them, and the dialog for bugs of ours."""
