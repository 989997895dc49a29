"""The geometry of a room: its camera, vanishing points, floor, walls and ceiling in meters."""
