"""The rules of the service in plain Python: no web framework, no database, no queue."""
