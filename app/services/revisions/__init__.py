"""Results that were sent back: asked for, answered by reviewers, settled."""
