"""Mail: mails are queued, sent and retried; users can switch off notices."""
