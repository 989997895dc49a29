"""What lets somebody in: sign-ins, passwords, second factors, API keys; and the log of what staff did."""
