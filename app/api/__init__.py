"""The JSON entry point."""
