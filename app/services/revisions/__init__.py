"""Results that were sent back: by their owner, answered by reviewers, settled."""
