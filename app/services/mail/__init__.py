"""Mail: what is posted, sent, tried again."""
