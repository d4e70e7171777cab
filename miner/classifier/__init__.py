"""The local model: what it learns from, how it is trained, what it suggests, and which labels it doubts.

torch and transformers are imported by `bert`, `device`, `encoding`, `inference`, `loading`, `network`, `trainer` and
`train_state` alone, in processes of their own that begin with `training` or `predictor`; the rest needs numpy at most.
"""
