"""What is taken out of the service whole: what people think of results, all that is kept about a customer."""
