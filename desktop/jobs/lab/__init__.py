"""The jobs of the lab, which measure models by experiments, by probes and layer by layer."""
