"""The figures of the quality report and their limits."""
