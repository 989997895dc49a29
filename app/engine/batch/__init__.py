"""The engine for people with a folder of photos: finds them, works them in processes, writes what came of it."""
