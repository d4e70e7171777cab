"""The Dashboard page: figures of the project as plots and a table, each opening the pairs behind them."""
