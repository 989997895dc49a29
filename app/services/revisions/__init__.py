"""Results that were sent back: rounds begun by their owner, answered by reviewers, settled."""
