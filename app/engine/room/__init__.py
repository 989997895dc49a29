"""The room in a photo: its camera, its floor, walls and ceiling in metres, what each pixel is a part of."""
