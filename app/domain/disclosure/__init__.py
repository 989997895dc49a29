"""What must be told of altered photos, and where: rules of places and listing services, as data."""
