"""Photos in and out: decoding, encoding, capture data, small pictures for pages."""
