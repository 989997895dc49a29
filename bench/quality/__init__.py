"""How good the engine's pictures are, in figures beside their aims, on labelled, real, rendered and drawn ones."""
