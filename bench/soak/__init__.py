"""Long runs with random seeds, each with aims of its own: `python -m bench.soak NAME --count N --seed S`."""
