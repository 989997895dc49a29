"""Webhooks and their deliveries: registered, sent, logged, and switched off when they keep failing."""
