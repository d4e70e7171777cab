"""Export: what goes out, exactly as it will be written."""
