"""What both HTTP doors share: who asks, how a refusal looks, headers, request ids, signed files."""
