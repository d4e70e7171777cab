"""What the table of pairs and the dashboard read."""
