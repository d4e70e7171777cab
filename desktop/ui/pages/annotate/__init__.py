"""The Rounds page: people, rounds and targets of a benchmark, and what to do next."""
