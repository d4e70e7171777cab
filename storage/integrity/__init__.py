"""What shows that stored rows are what was stored: checksums of pairs, and the chain of hashes over the histories."""
