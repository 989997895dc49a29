"""Furniture for empty rooms: built in metres, placed by rules, lit by tracing light, laid into the photo."""
