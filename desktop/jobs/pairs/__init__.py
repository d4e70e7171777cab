"""The jobs of the table of pairs, the dashboard and the audit."""
