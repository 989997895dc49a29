"""What is removed when its time is over: files, rows, accounts."""
