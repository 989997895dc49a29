"""Tests of what the benches measure with."""
