"""Plots: what they show (`figures`), how it is drawn (`plot`, on pyqtgraph), and the cards that hold them."""
