"""What the engine takes and gives: requests, reports, pictures. No module here needs a picture library."""
