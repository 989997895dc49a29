"""Payments without money, for trying out the service: a payment page of our own, and its sessions as files."""

import hmac
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.adapters import private_files
from app.domain.ids import Prefix, is_id
from app.domain.payments import (
    AWAITING_PAYMENT,
    Checkout,
    CheckoutRequest,
    InvalidSignatureError,
    Payment,
    PaymentRefusedError,
    PaymentsUnavailableError,
    Provider,
    ProviderEvent,
    PurchaseState,
)

_SESSION, _PAYMENT = "demo_", "demo_payment_"
_PURPOSE = b"brightlist demo payments 1"


class DemoPayments:
    """Implements app.domain.payments.Payments with one JSON file per session in a folder.

    `secret` signs its messages; messages signed with one of the `older` secrets are accepted too.
    """

    provider = Provider.DEMO
    origin = None

    def __init__(self, folder: Path, secret: str, *older: str) -> None:
        self._folder = folder
        self._keys = [hmac.digest(each.encode(), _PURPOSE, sha256) for each in (secret, *older)]

    def begin(self, request: CheckoutRequest) -> Checkout:
        """Write an open session, unless the purchase has one; the payment page is a page of this service."""
        session_id = _SESSION + request.purchase_id
        if not self._file(session_id).exists():
            entry = {
                "purchase_id": request.purchase_id,
                "account_id": request.account_id,
                "amount_cents": request.price_cents,
                "currency": request.currency,
                "state": PurchaseState.OPEN,
            }
            self._write(session_id, entry)
        return Checkout(session_id, f"/credits/purchases/{request.purchase_id}/demo")

    def look_up(self, session_id: str) -> Payment:
        """The payment as its session's file has it. Raises PaymentRefusedError for an unknown session."""
        return _payment(session_id, self._read(session_id))

    def close(self, session_id: str) -> None:
        """Expire the session if it is open."""
        if self.look_up(session_id).state is PurchaseState.OPEN:
            self.act(session_id, PurchaseState.EXPIRED)

    def purchase_of(self, payment_id: str) -> str | None:
        """The purchase's id, which is part of the payment's id; None for any other text."""
        purchase_id = payment_id.removeprefix(_PAYMENT)
        return purchase_id if is_id(purchase_id, Prefix.PURCHASE) else None

    def act(self, session_id: str, state: PurchaseState) -> tuple[bytes, str]:
        """Give the payment this state unless it is decided already; returns the signed message about its state.

        Raises PaymentRefusedError for an unknown session.
        """
        entry = self._read(session_id)
        if entry["state"] in AWAITING_PAYMENT:
            entry["state"] = state
            self._write(session_id, entry)
        event = {"id": f"{session_id}_{entry['state']}", "session_id": session_id, "entry": entry}
        body = json.dumps(event).encode()
        return body, _signature(self._keys[0], body)

    def read(self, body: bytes, signature: str) -> ProviderEvent:
        """The event in a message that we signed. Raises InvalidSignatureError."""
        accepted = [_signature(key, body).encode() for key in self._keys]
        if not any(hmac.compare_digest(each, signature.encode()) for each in accepted):
            raise InvalidSignatureError("The signature does not hold.")
        event = json.loads(body)
        payment = _payment(event["session_id"], event["entry"])
        return ProviderEvent(event["id"], f"demo.{payment.state}", payment)

    def _file(self, session_id: str) -> Path:
        if not is_id(session_id.removeprefix(_SESSION), Prefix.PURCHASE):
            raise PaymentRefusedError("There is no such payment page.")
        return self._folder / f"{session_id}.json"

    def _read(self, session_id: str) -> dict[str, Any]:
        try:
            entry: dict[str, Any] = json.loads(self._file(session_id).read_text())
        except FileNotFoundError:
            raise PaymentRefusedError("There is no such payment page.") from None
        except OSError as error:
            raise PaymentsUnavailableError(str(error)) from error
        return entry

    def _write(self, session_id: str, entry: dict[str, Any]) -> None:
        try:
            private_files.replace(self._file(session_id), json.dumps(entry).encode())
        except OSError as error:
            raise PaymentsUnavailableError(f"the books cannot be written: {error}") from error


def _signature(key: bytes, body: bytes) -> str:
    return hmac.new(key, body, sha256).hexdigest()


def _payment(session_id: str, entry: dict[str, Any]) -> Payment:
    state = PurchaseState(entry["state"])
    moved = state in (PurchaseState.PAID, PurchaseState.AWAITED)
    return Payment(
        purchase_id=entry["purchase_id"],
        account_id=entry["account_id"],
        session_id=session_id,
        payment_id=_PAYMENT + entry["purchase_id"] if moved else None,
        state=state,
        amount_cents=entry["amount_cents"],
        currency=entry["currency"],
    )
