"""The Kinds page: which kinds of reasoning pairs need, asked one question at a time, and what the answers show."""
