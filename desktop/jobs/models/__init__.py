"""The local model: training it, having it suggest, and measuring it."""
