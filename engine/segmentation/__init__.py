"""Segmentation of photos: sky, lawn, trees, walls, glass, the surfaces of a room."""
