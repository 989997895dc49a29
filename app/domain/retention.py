"""How long data is kept before the sweep removes it. Results are kept for the setting `retention_seconds`, or
longer if their owner keeps them.
"""

from datetime import datetime, timedelta
from enum import StrEnum

# Each docstring names the data, and the moment from which the time counts.
KEPT_MONTHS = 12
RESULTS_KEPT = timedelta(days=365)
"""Photos and results that their owner chose to keep, from that choice: KEPT_MONTHS."""
TEST_RESULTS_KEPT = timedelta(days=3)
"""Photos, results and published originals of test orders, at most; nobody can keep them longer."""
DRAFTS_KEPT = timedelta(days=7)
"""A draft and its files, after its last change."""
REMOVED_PHOTOS_KEPT = timedelta(hours=1)
"""A photo that was removed from a draft, with its file. Until then the removal can be undone."""
UPLOADS_KEPT = timedelta(hours=24)
"""An upload session without an order, from its creation."""
INCOMING_KEPT = max(UPLOADS_KEPT, DRAFTS_KEPT) + timedelta(days=1)
"""Files uploaded directly to the bucket: its lifecycle rule removes them after this time, if the sweep has not."""
PARTIAL_FILES_KEPT = timedelta(hours=6)
"""Unfinished files of uploads; no upload takes this long."""
DELIVERIES_KEPT = timedelta(days=7)
"""Deliveries in the log of a webhook."""
EVENTS_KEPT = timedelta(days=30)
"""Events, which programs can read; an event with a delivery is kept at least as long as the delivery."""
HELD_DELIVERIES_KEPT = timedelta(days=30)
"""Deliveries that are held because their webhook is off."""
TEST_EVENTS_KEPT = timedelta(days=7)
"""Events of test mode, and deliveries of test mode that are held."""
ANSWERS_KEPT = timedelta(hours=24)
"""The answer to a request with an Idempotency-Key."""
MAIL_KEPT = timedelta(days=30)
"""A mail, sent or not; nobody waits longer for one."""
BROWSERS_KEPT = timedelta(days=90)
"""A browser in which a user signed in, after it was last seen."""
FORMS_KEPT = timedelta(hours=1)
"""A form that was sent after the sign-in had ended."""
PUBLIC_PAGES_KEPT_MONTHS = 24
"""How long originals are published, unless another time is chosen."""
MAX_PUBLIC_PAGE_MONTHS = 120
"""The longest time that can be chosen for originals."""
SHARE_LINK_DAYS = 7
"""How long a share link works, unless another time is chosen; never longer than the pictures are kept."""
MAX_SHARE_LINK_DAYS = 90
"""The longest time that can be chosen for a share link."""
UNCONFIRMED_ACCOUNTS_KEPT = timedelta(days=7)
"""An account whose e-mail was not confirmed, after all links for that have expired."""
INVITATIONS_KEPT = timedelta(days=30)
"""An invitation to an account, after its link expired: recent ones are counted."""
ACTIVITY_KEPT = timedelta(days=400)
"""What members and API keys did for an account, which its owners can read."""


class Keeping(StrEnum):
    """Whether an owner keeps the photos and results of an order longer than usual.

    WANTED: they will be kept as soon as the order is ready. NO_ROOM: the account's storage was full at that time.
    STOPPED: the owner no longer keeps them.
    """

    WANTED = "wanted"
    KEPT = "kept"
    NO_ROOM = "no_room"
    STOPPED = "stopped"


def find_length(kept_seconds: float, *, livemode: bool) -> timedelta:
    """How long photos and results are kept, by the setting `kept_seconds`."""
    usual = timedelta(seconds=kept_seconds)
    return usual if livemode else min(usual, TEST_RESULTS_KEPT)


def find_end(settled_at: datetime, kept_until: datetime | None, kept_seconds: float, *, livemode: bool) -> datetime:
    """The moment until which photos and results are kept: find_length() after the order was settled, or
    `kept_until` if that is later.
    """
    usual = settled_at + find_length(kept_seconds, livemode=livemode)
    return max(usual, kept_until) if kept_until else usual


def find_events_length(*, livemode: bool) -> timedelta:
    """How long events are kept."""
    return EVENTS_KEPT if livemode else TEST_EVENTS_KEPT


def find_held_length(*, livemode: bool) -> timedelta:
    """How long deliveries are held while their webhook is off."""
    return HELD_DELIVERIES_KEPT if livemode else TEST_EVENTS_KEPT
