"""The rules for attempts at work: how long a worker may hold the work, when the next attempt follows, and when to
give up.
"""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class AttemptRules:
    """The rules of one kind of work.

    `lease`: how long a claim is valid without a sign of life from its holder; then another worker may take over.
    `delays`: the delay before each attempt after the first. `pauses`: the pauses after attempts that found the
    store or the database unreachable; the last pause is repeated. Such attempts are not counted.
    """

    lease: timedelta
    delays: tuple[timedelta, ...] = ()
    pauses: tuple[timedelta, ...] = ()

    @property
    def max_attempts(self) -> int:
        """How many times the work is tried before it is given up."""
        return 1 + len(self.delays)


def _seconds(*each: int) -> tuple[timedelta, ...]:
    return tuple(timedelta(seconds=seconds) for seconds in each)


PHOTOS = AttemptRules(timedelta(seconds=30), _seconds(5, 30), _seconds(5, 10, 20, 30))
"""The last pause and one round of the sweep take 35 seconds together: the longest time until photos are worked on
again once the store is reachable.
"""
PREVIEWS = AttemptRules(timedelta(seconds=30), _seconds(5, 60), _seconds(5, 10, 20, 40, 60, 300))
OUTLOOKS = AttemptRules(timedelta(seconds=30), _seconds(5, 60), _seconds(5, 10, 20, 40, 60, 300))
FETCHES = AttemptRules(timedelta(minutes=3), _seconds(5, 30), _seconds(5, 10, 20, 40, 60, 300))
"""The lease is longer than one attempt takes, so it runs out only after a crash."""
LOGOS = AttemptRules(timedelta(seconds=30), _seconds(5, 60))
PACKS = AttemptRules(timedelta(seconds=30), _seconds(5, 60), _seconds(5, 10, 20, 40, 60, 300))
PICTURES = AttemptRules(timedelta(seconds=30), _seconds(5, 60), _seconds(5, 10, 20, 40, 60, 300))
MAIL = AttemptRules(timedelta(minutes=2), _seconds(60, 300, 1800, 7200, 43_200))
"""The lease is longer than sending one mail takes, so it runs out only after a crash."""
DELIVERIES = AttemptRules(timedelta(), _seconds(30, 120, 600, 3600))
"""The defaults for webhook deliveries. Settings may change the delays; the lease depends on the deadline of an
attempt, which is a setting too.
"""
LATE_AFTER = timedelta(minutes=1)
"""Work counts as late when it has been due for this long: its workers are down, or a receiver delays its
own queue.
"""
