"""Plots: what they show (`figures`), the widget that draws them (`plot`, on pyqtgraph), and a card for it (`card`)."""
