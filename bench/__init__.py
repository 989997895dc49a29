"""Benches: what the service costs, as figures of one run against a floor of the same run."""
