"""The operator's commands, and the commands by which the service starts its own processes."""
