"""Limits on what customers may send, and on what an account may have open at a time."""

from decimal import Decimal

MAX_FILE_MEGABYTES = 50
MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1024**2
"""The size of the largest file that may be uploaded."""
MAX_SESSION_FILES = 3000
"""The most files of one upload session in its whole life, including replaced and removed ones."""
MAX_DRAFT_FILES = 1000
"""The most files of one draft, where each frame is a file. A draft may have more photos than one order may; then it
becomes several orders.
"""
MAX_REFERENCE_PARTS = 400
"""The most reference pictures in one multipart order."""
MAX_OPEN_DRAFTS = 100
"""The most open drafts of one account."""
MAX_OPEN_PURCHASES = 50
"""The most purchases of one account that wait for payment."""
TEST_CREDITS = Decimal(1000)
"""The balance of a new sandbox, and after each refill."""
# Sandboxes cost their accounts nothing, so their limits are lower than those of live accounts. Where a setting
# gives live accounts an even lower limit, it applies to sandboxes too.
TEST_OPEN_SESSIONS = 50
"""The most upload sessions of a sandbox without an order."""
TEST_HELD_MEGABYTES = 1000
"""The most megabytes in these upload sessions together."""
TEST_OPEN_DRAFTS = 20
"""The most open drafts of a sandbox."""
TEST_WAITING_OUTLOOKS = 20
"""The most photos of a sandbox that wait to be looked at."""
TEST_PHOTOS_IN_WORK = 100
"""The most ordered photos of a sandbox whose results are not made yet: as many as one order may have."""
TEST_PHOTOS_A_DAY = 1000
"""The most photos that a sandbox may order within 24 hours."""
MAX_WEIGHT = 10
"""The greatest weight of an account: how many of its photos workers take in a row, while all other accounts
wait.
"""
GUESSES_PER_MINUTE = 60
"""How many links that do not exist may be opened per minute from one address. Links have at least 71 random bits,
so nobody finds one by guessing at this rate.
"""
ANSWERS_PER_MINUTE = 60
"""How many forms clients may send per minute with one share link, and from one address."""
