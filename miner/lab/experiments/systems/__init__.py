"""What experiments train and ask: a system learns labelled pairs and predicts others."""
