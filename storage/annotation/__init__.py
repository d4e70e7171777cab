"""What people said of pairs: answers and marks as histories, rounds of review, and the status that follows."""
