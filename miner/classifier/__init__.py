"""The local model: training examples, training, suggestions, evaluation and doubts about labels.

Only `bert`, `device`, `encoding`, `inference`, `loading`, `network`, `trainer` and `train_state` import torch and
transformers. They run in child processes, which start with `training` or `predictor`.
"""
