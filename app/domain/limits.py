"""How much a customer may send, and how much an account may have open at a time."""

MAX_FILE_MEGABYTES = 50
MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1024**2
MAX_SESSION_FILES = 3000
"""Files one upload session takes over its whole life, replaced and removed ones among them."""
MAX_DRAFT_FILES = 1000
"""Files of one draft, frames of one photo each counted: more photos than an order takes become several orders."""
MAX_REFERENCE_PARTS = 400
"""Pictures of materials in one multipart order."""
MAX_OPEN_DRAFTS = 100
"""Drafts of one account at a time."""
MAX_OPEN_PURCHASES = 50
"""Payment pages of one account that wait to be paid."""
MAX_WEIGHT = 10
"""Of an account's photos, so many in a row: all others wait so long at each of its turns."""
GUESSES_PER_MINUTE = 60
"""Links that lead nowhere, opened from one address: of 71 random bits and more, anyone who guesses finds none."""
ANSWERS_PER_MINUTE = 60
"""Forms that clients may send by one share link, and from one address."""
