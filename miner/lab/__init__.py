"""The lab, which measures models on data sets by experiments, by probes and layer by layer."""
