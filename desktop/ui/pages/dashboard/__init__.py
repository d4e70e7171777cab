"""The project in six plots, each with its numbers and the pairs behind them."""
