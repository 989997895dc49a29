"""What both HTTP entry points share: authentication, refusals as answers, headers, request ids, signed files."""
