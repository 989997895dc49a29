"""The refusal of orders for what a sandbox may have in work; errors.py lists it with all others."""

from app.domain.errors import RateLimited, Refusal


class SandboxFull(RateLimited):
    """The sandbox has as many photos in work, or ordered within 24 hours, as it may have. For live keys there is no
    such limit.

    Wait until photos are done, or order fewer; `details` has the limit.
    """

    error = "Too many photos in test mode"

    def __init__(self, photos: int, limit: int, *, per_day: bool) -> None:
        span = "ordered within 24 hours" if per_day else "in work at a time"
        Refusal.__init__(
            self,
            f"In test mode at most {limit} photos may be {span}; with this order they would be {photos}.",
            details={"photos": photos, "limit": limit},
        )
        self.retry_after_seconds = 3600 if per_day else 60
