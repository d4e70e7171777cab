"""Widgets that know no word of the domain."""
