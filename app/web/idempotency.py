"""Idempotency-Key on POST: the first answer is kept in the transaction of its effect, and given again for 24 hours.

A refusal is not kept: nothing happened, so the same key may be used again once the cause is mended.
"""

import hashlib
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Response, g, request
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.domain.api_types import WireAnswer
from app.domain.errors import InvalidRequest
from app.domain.sending import DecryptionError
from app.services.idempotency import idempotency_records
from app.services.idempotency.idempotency_records import KeyUse, StoredResponse
from app.web.authentication import actor
from app.web.context import container

log = logging.getLogger(__name__)

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
MAX_KEY = 255


class Replay(Exception):
    """The request was carried out before; this was its answer."""

    def __init__(self, http_status: int, content: str) -> None:
        super().__init__(http_status)
        self.http_status = http_status
        self.content = content

    def response(self) -> Response:
        """The first answer, marked."""
        return Response(self.content, self.http_status, mimetype="application/json", headers={REPLAYED: "true"})


class RecordedEffect:
    """A unit of work under way, and the answer to it, which must be set before it ends."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.answer: WireAnswer | None = None


def check_key() -> None:
    """Raises InvalidRequest for a key that is none."""
    key = request.headers.get(HEADER)
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise InvalidRequest({HEADER: f"Must be 1 to {MAX_KEY} printable ASCII characters."})


def begin(content: Any) -> None:
    """Claim the request's key, if it has one, for this content (JSON-like, equal for equal requests).

    Raises Replay when it was carried out before, IdempotencyMismatch and InFlight.
    """
    key = request.headers.get(HEADER)
    if key is None or "idempotent_use" in g:
        return
    here = container()
    with here.database.unit_of_work() as session:
        found = idempotency_records.claim(session, actor().account_id, key, _fingerprint(content), here.clock())
    if isinstance(found, StoredResponse):
        raise _replay(found)
    g.idempotent_use = found
    here.renewals.hold(found)


@contextmanager
def effect(status: int = 200) -> Iterator[RecordedEffect]:
    """A unit of work whose answer is kept with it, under the key that begin() claimed."""
    with container().database.unit_of_work() as session:
        made = RecordedEffect(session)
        yield made
        if made.answer is not None:
            _keep(session, made.answer, status)
    g.idempotent_kept = made.answer is not None


def keep_late(answer: WireAnswer, status: int) -> None:
    """Keep the answer of a request that had no effect, such as a quote."""
    use: KeyUse | None = g.get("idempotent_use")
    if use is not None and "idempotent_kept" not in g:
        with container().database.unit_of_work() as session:
            _keep(session, answer, status)
        g.idempotent_kept = True


def end() -> None:
    """Let go of a key whose request brought nothing about."""
    use: KeyUse | None = g.pop("idempotent_use", None)
    if use is None:
        return
    container().renewals.let_go(use)
    if g.pop("idempotent_kept", False):
        return
    try:
        with container().database.unit_of_work() as session:
            idempotency_records.release(session, use)
    except SQLAlchemyError:
        log.exception("the key could not be released; its lease runs out")


def _keep(session: Session, answer: WireAnswer, status: int) -> None:
    use: KeyUse | None = g.get("idempotent_use")
    if use is not None:
        # Sealed: an answer may hold signed URLs, or a secret that is shown only once.
        idempotency_records.keep(session, use, status, container().vault.seal(answer.to_json()))


def _replay(found: StoredResponse) -> Exception:
    try:
        return Replay(found.http_status, container().vault.open(found.answer))
    except DecryptionError as broken:
        return broken


def _fingerprint(content: Any) -> str:
    whole = [request.method, request.path, content]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
