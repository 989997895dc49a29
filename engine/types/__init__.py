"""The engine's inputs and outputs: requests, reports, pictures. No module here needs a picture library."""
