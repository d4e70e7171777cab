"""The lab: what is measured of models on data sets, by experiments, probes and the layers of models."""
