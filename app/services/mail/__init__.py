"""Mail: which mails are written, and how they are sent and retried."""
