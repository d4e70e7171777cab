"""The local model: training, suggestions, calibration and evaluation."""
