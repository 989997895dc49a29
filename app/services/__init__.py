"""All operations of the service, as functions of a database session; every entry point calls them."""
