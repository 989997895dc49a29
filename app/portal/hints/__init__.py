"""Pages on which people give hints about a photo: the questions, their forms, and the parts of the picture."""
