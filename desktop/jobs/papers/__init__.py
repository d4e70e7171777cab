"""Papers into the project and out of it, their list, their files and the evidence in them."""
