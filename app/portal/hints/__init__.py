"""Pages on which people show what a photo shows: the questions, their forms, and the parts of the picture."""
