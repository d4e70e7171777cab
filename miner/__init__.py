"""Plain Python in, plain Python out: papers become sentence pairs here, and nothing is stored, shown or configured."""
