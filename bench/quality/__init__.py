"""How good the engine's pictures are, in figures beside their aims, on labeled, real, rendered and drawn ones."""
