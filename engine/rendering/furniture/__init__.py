"""Furniture, built in meters about its own middle, standing on z = 0, its front towards -y."""
