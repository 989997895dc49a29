"""What the service does, as plain functions over a database session; every entry point calls these."""
