"""One logo from claim to what clients see: the work that a wake-up starts."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from app.database import Database
from app.domain.ports import LogoEncoder
from app.services.accounts import logos
from app.services.accounts.logos import LogoClaim
from app.services.leases import WorkHold
from engine.types.pictures import UnusablePhotoError

log = logging.getLogger(__name__)

TOO_SLOW = "Your picture takes too long to open; save it anew and send it again."


@dataclass(frozen=True, slots=True)
class LogoWorker:
    """What the work needs. `watch` guards a hold while the picture is decoded, see WorkHold."""

    database: Database
    encode: LogoEncoder
    clock: Callable[[], datetime]
    watch: Callable[[WorkHold], AbstractContextManager[None]]

    def make(self, account_id: str) -> None:
        """Make the logo that was sent if it is due and nobody else's; harmless otherwise, also when repeated."""
        with self.database.unit_of_work() as session:
            held = logos.claim(session, account_id, self.clock())
        if held is None:
            return
        try:
            with self.watch(self._hold(held)):
                logo = self.encode(BytesIO(held.sent))
            with self.database.unit_of_work() as session:
                logos.finish(session, held, logo, self.clock())
        except UnusablePhotoError as unusable:
            self._refuse(held, unusable.message)
        except Exception:
            log.exception("logo of %s: making it broke", account_id)
            with self.database.unit_of_work() as session:
                logos.retry(session, held, self.clock())

    def _hold(self, held: LogoClaim) -> WorkHold:
        return WorkHold(
            lambda: self._renew(held), lambda: self._refuse(held, TOO_SLOW), lambda: self._release(held)
        )

    def _renew(self, held: LogoClaim) -> bool:
        with self.database.unit_of_work() as session:
            return logos.QUEUE.renew(session, held, self.clock())

    def _release(self, held: LogoClaim) -> None:
        with self.database.unit_of_work() as session:
            logos.QUEUE.release(session, held, self.clock())

    def _refuse(self, held: LogoClaim, fault: str) -> None:
        with self.database.unit_of_work() as session:
            logos.refuse(session, held, fault)
