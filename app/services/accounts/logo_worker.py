"""Encodes an uploaded logo after a worker was notified: claims it, encodes it, and stores it."""

import logging
from dataclasses import dataclass
from functools import partial
from io import BytesIO

from app.domain.ports import LogoEncoder
from app.services.accounts import logos
from app.services.accounts.logos import LogoClaim
from app.services.leases import LeasedWorker
from engine.types.pictures import UnusablePhotoError

log = logging.getLogger(__name__)

TOO_SLOW = "Your picture takes too long to open; save it again and send it again."


@dataclass(frozen=True, slots=True)
class LogoWorker(LeasedWorker):
    """Encodes uploaded logos."""

    queue = logos.QUEUE

    encode: LogoEncoder

    def make(self, account_id: str) -> None:
        """Encode the account's uploaded logo, unless it is not due or another worker has claimed it."""
        with self.database.unit_of_work() as session:
            held = logos.claim(session, account_id, self.clock())
        if held is None:
            return
        try:
            with self._watched(held, partial(self._refuse, held, TOO_SLOW)):
                logo = self.encode(BytesIO(held.sent))
            with self.database.unit_of_work() as session:
                logos.finish(session, held, logo, self.clock())
        except UnusablePhotoError as unusable:
            self._refuse(held, unusable.message)
        except Exception:
            log.exception("logo of %s: making it broke", account_id)
            self._write(logos.retry, held)

    def _refuse(self, held: LogoClaim, fault: str) -> None:
        with self.database.unit_of_work() as session:
            logos.refuse(session, held, fault)
