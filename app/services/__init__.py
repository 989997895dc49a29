"""What the service does, as plain functions over a database session; every door calls these."""
