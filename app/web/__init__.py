"""What both HTTP entry points share: who asks, how a refusal looks, headers, request ids, signed files."""
