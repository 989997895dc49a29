"""The effects: one module for each enhancement that is sold."""
