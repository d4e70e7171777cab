"""The Train page: training models on the labels of the project, and comparing them."""
