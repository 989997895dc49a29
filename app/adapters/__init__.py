"""The outside world for real: one module for each thing, behind the ports of the domain."""
