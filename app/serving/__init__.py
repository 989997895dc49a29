"""The web server: a thread gets whole requests and hands over its answers, and never waits for a client."""
