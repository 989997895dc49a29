"""What is seen in a photo: sky, lawn, trees, walls, glass, rooms."""
