"""Furniture, built in metres about its own middle, standing on z = 0, its front towards -y."""
