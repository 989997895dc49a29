"""The steps for photos of the outside: lawn, sky, golden hour, twilight."""
