"""How work is tried: how long a worker may hold it, when another attempt follows, and when it is given up."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class AttemptRules:
    """The rules of one kind of work.

    `lease`: a claim whose holder shows no sign of life for this long may be taken over. `delays`: before each
    attempt after the first. `pauses`: before the next look at a store or a database that was away, which counts as
    no attempt; the last again and again.
    """

    lease: timedelta
    delays: tuple[timedelta, ...] = ()
    pauses: tuple[timedelta, ...] = ()

    @property
    def max_attempts(self) -> int:
        """How often the work is tried before it is given up."""
        return 1 + len(self.delays)


def _seconds(*each: int) -> tuple[timedelta, ...]:
    return tuple(timedelta(seconds=seconds) for seconds in each)


PHOTOS = AttemptRules(timedelta(seconds=30), _seconds(5, 30), _seconds(5, 10, 20, 30))
"""Its last pause and one round of the sweep are 35 seconds: so soon after its return a store is used again."""
PREVIEWS = AttemptRules(timedelta(seconds=30), _seconds(5, 60), _seconds(5, 10, 20, 40, 60, 300))
LOGOS = AttemptRules(timedelta(seconds=30), _seconds(5, 60))
PACKS = AttemptRules(timedelta(seconds=30), _seconds(5, 60), _seconds(5, 10, 20, 40, 60, 300))
PICTURES = AttemptRules(timedelta(seconds=30), _seconds(5, 60), _seconds(5, 10, 20, 40, 60, 300))
MAIL = AttemptRules(timedelta(minutes=2), _seconds(60, 300, 1800, 7200, 43_200))
"""Its lease is longer than a mailer takes over a message: what is held longer was cut off by a crash."""
DELIVERIES = AttemptRules(timedelta(), _seconds(30, 120, 600, 3600))
"""Settings may say otherwise, of their delays and of how long an attempt, and so a claim, may take."""
LATE_AFTER = timedelta(minutes=1)
"""What is due for longer is late: its workers are down, or a receiver holds up its own queue."""
