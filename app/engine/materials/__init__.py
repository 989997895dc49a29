"""What surfaces are made of: descriptions read, materials drawn and laid in perspective."""
