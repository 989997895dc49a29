"""What was behind things that are taken away: planes, light and pattern of the room continued."""
