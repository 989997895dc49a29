"""Several frames of one photo made one: aligned exposures, and flash with ambient light."""
