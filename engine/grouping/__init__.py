"""Groups files that are frames of one view, by capture time, exposure and content."""
