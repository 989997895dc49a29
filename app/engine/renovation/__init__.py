"""Renovation on this machine: what a description asks for, the material, and the old light on the new surface."""
