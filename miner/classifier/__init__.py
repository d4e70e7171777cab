"""The local model: training examples, training, suggestions, evaluation and doubts about labels.

Modules that import torch and transformers run in child processes, which start with `training` or `predictor`. Where
torch is not installed, `numpy_model` predicts.
"""
