"""Waiting for a job."""

import time
from collections.abc import Callable

from brightlist.calls import JobsCalls
from brightlist.errors import NotDecided
from brightlist.models import JobStatusAnswer

DECIDED = frozenset({"approved", "delivered", "undeliverable", "failed"})
USABLE = frozenset({"approved", "delivered"})
"""Status of a job that has pictures to download."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
HOLD_SECONDS = 20
"""How long the service may keep a question until the job is decided."""
JOB_SECONDS = 7200.0
"""No job takes longer: then it fails by itself."""


class Jobs(JobsCalls):
    """The work on an order."""

    def wait(
        self,
        job_id: str,
        timeout: float = JOB_SECONDS,
        *,
        hold: int = HOLD_SECONDS,
        on_status: Callable[[JobStatusAnswer], None] = lambda _: None,
    ) -> JobStatusAnswer:
        """The status of the job once it is decided: `approved`, `delivered`, `undeliverable` or `failed`.

        `timeout`: seconds; then raises NotDecided. `hold`: for how many the service may keep each question; where
        it does not, pauses get longer. `on_status`: told of each answer meanwhile. A status that came with a newer
        service counts as undecided.
        """
        deadline, pause = time.monotonic() + timeout, FIRST_PAUSE
        while True:
            asked_at = time.monotonic()
            found = self.show_job_status(job_id, wait=min(hold, int(deadline - asked_at)) or None)
            on_status(found)
            if found.status in DECIDED:
                return found
            now = time.monotonic()
            if now + FIRST_PAUSE > deadline:
                raise NotDecided(f"The job {job_id} is {found.status} after {timeout:g} seconds.")
            if now - asked_at < FIRST_PAUSE:
                self._transport.sleep(min(pause, deadline - now))
                pause = min(LONGEST_PAUSE, pause * 1.5)
