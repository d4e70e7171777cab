"""What the lab keeps: experiments, their cells, the pairs that they are tested on, and what was predicted of them."""
