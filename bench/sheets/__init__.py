"""Contact sheets: what every effect does to every fitting photo, to be looked at."""
