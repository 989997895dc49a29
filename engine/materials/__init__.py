"""Materials of surfaces: descriptions parsed, materials synthesized and mapped in perspective."""
