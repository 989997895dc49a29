"""Access: sign-ins, passwords, second factors and API keys; and the log of staff's acts."""
