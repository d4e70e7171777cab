"""The jobs of the lab: what is measured of models by experiments, probes and the layers of models."""
