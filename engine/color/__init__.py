"""Colors: profiles, channels, and how different two colors look."""
