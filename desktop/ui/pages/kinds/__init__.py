"""The Kinds page: asks which kinds of reasoning pairs need, one question at a time, and shows the results."""
