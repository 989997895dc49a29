"""Which files are frames of one view, by when and how they were taken and by what they show."""
