"""The operator's commands, and those by which the service starts its own processes."""
