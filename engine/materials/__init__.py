"""Materials of surfaces: parsing descriptions, generating materials, mapping them in perspective."""
