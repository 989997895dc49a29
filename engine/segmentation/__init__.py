"""What each pixel of a photo shows: sky, lawn, trees, walls, glass, the parts of a room."""
