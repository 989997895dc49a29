"""What members of staff see and change."""
