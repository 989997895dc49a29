"""How long what is kept is kept: the sweep removes it afterwards."""

from datetime import timedelta

DRAFTS_KEPT = timedelta(days=7)
"""A draft is forgotten this long after its last change, with its files."""
REMOVED_PHOTOS_KEPT = timedelta(hours=1)
"""A photo taken out of a draft can come back so long; then it goes with its file."""
UPLOADS_KEPT = timedelta(hours=24)
"""An upload session that no order used is swept away after this."""
INCOMING_KEPT = max(UPLOADS_KEPT, DRAFTS_KEPT) + timedelta(days=1)
"""After this a bucket itself removes what customers put there: never before the sweep does it."""
PARTIAL_FILES_KEPT = timedelta(hours=6)
"""No upload takes this long."""
DELIVERIES_KEPT = timedelta(days=7)
"""How long deliveries stay in the log."""
HELD_DELIVERIES_KEPT = timedelta(days=30)
"""How long deliveries are held for a webhook that is off."""
ANSWERS_KEPT = timedelta(hours=24)
"""The answer of a request with an Idempotency-Key."""
MAIL_KEPT = timedelta(days=30)
"""A mail, sent or not: nobody waits for one so late."""
BROWSERS_KEPT = timedelta(days=90)
"""A browser that an account was signed in from, after it was seen last."""
KEPT_FORMS_KEPT = timedelta(hours=1)
"""What somebody typed and sent when their sign-in had ended."""
PUBLIC_PAGES_KEPT_MONTHS = 24
"""How long originals stay published where nothing else is chosen."""
MAX_PUBLIC_PAGE_MONTHS = 120
SHARE_LINK_DAYS = 7
"""How long a link for a client opens where nothing else is chosen; never longer than the pictures are kept."""
MAX_SHARE_LINK_DAYS = 90
UNCONFIRMED_ACCOUNTS_KEPT = timedelta(days=7)
"""An account that nobody confirmed, and to which no link leads any more, is forgotten after this."""
