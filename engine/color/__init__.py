"""Colours: profiles, channels, and how different two colours look."""
