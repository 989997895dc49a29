"""Idempotency-Key on POST: the first answer is saved in the transaction of its effect, and repeated for 24 hours.

A refusal is not saved: it had no effect, so the same key may be used again once the request is corrected.
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
from app.domain.client_tokens import ClientToken
from app.domain.errors import InvalidRequest
from app.domain.sending import DecryptionError
from app.services.idempotency import idempotency_records
from app.services.idempotency.idempotency_records import KeyUse, StoredResponse
from app.web import answers
from app.web.authentication import actor
from app.web.context import container

log = logging.getLogger(__name__)

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
MAX_KEY = 255


class Replay(Exception):
    """Raised when the request was carried out before, with the answer that it got then."""

    def __init__(self, http_status: int, content: str) -> None:
        super().__init__(http_status)
        self.http_status = http_status
        self.content = content

    def response(self) -> Response:
        """The first answer, with a header that marks it as repeated."""
        return answers.write(self.content, self.http_status, {REPLAYED: "true"})


class RecordedEffect:
    """The session of a unit of work. The caller must set `answer` before the unit of work ends."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.answer: WireAnswer | None = None


def check_key() -> None:
    """Raises InvalidRequest when the request's key is malformed."""
    key = request.headers.get(HEADER)
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise InvalidRequest({HEADER: f"Must be 1 to {MAX_KEY} printable ASCII characters."})


def begin(content: Any) -> None:
    """Claim the request's key, if it has one, for this content (JSON-like, equal for equal requests).

    Raises Replay when the request was carried out before, IdempotencyMismatch when the key was used for other
    content, and InFlight while the first request with this key is being answered.
    """
    key = request.headers.get(HEADER)
    if key is None or "idempotent_use" in g:
        return
    here = container()
    with here.database.unit_of_work() as session:
        found = idempotency_records.claim(
            session, actor().account_id, _scope(key), _fingerprint(content), here.clock()
        )
    if isinstance(found, StoredResponse):
        raise _replay(found)
    g.idempotent_use = found
    here.renewals.add(found)


@contextmanager
def effect(status: int = 200) -> Iterator[RecordedEffect]:
    """Open a unit of work. The answer that the caller sets is saved in the same transaction, under the
    claimed key.
    """
    with container().database.unit_of_work() as session:
        recorded = RecordedEffect(session)
        yield recorded
        if recorded.answer is not None:
            _keep(session, recorded.answer, status)
    g.idempotent_kept = recorded.answer is not None


def keep_late(answer: WireAnswer, status: int) -> None:
    """Save the answer of a request that had no effect(), such as a quote."""
    use: KeyUse | None = g.get("idempotent_use")
    if use is not None and "idempotent_kept" not in g:
        with container().database.unit_of_work() as session:
            _keep(session, answer, status)
        g.idempotent_kept = True


def end() -> None:
    """Stop renewing the request's claim on its key, and release the key if no answer was saved."""
    use: KeyUse | None = g.pop("idempotent_use", None)
    if use is None:
        return
    container().renewals.remove(use)
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
        # Encrypted, because an answer may contain signed URLs, or a secret that is shown only once.
        idempotency_records.keep(session, use, status, container().vault.seal(answer.to_json()))


def _replay(found: StoredResponse) -> Exception:
    try:
        return Replay(found.http_status, container().vault.open(found.answer))
    except DecryptionError as broken:
        return broken


def _scope(key: str) -> str:
    """The key as it is stored. Keys of pages with a client token are kept apart from keys of the account's
    programs, so that no visitor can block a program's key, or read the answer that a program got.
    """
    token: ClientToken | None = g.get("client_token")
    return key if token is None else hashlib.sha256(f"{token.session_id}:{key}".encode()).hexdigest()


def _fingerprint(content: Any) -> str:
    identity = [request.method, request.path, content]
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
