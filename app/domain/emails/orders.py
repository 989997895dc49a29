"""Mails about orders: ready, not deliverable, failed, a result sent back, and answers of clients."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.domain.amounts import counted, credits_
from app.domain.emails.writing import link, quote, write_notice
from app.domain.hint_questions import ASKS
from app.domain.promises import EXTERIOR_REFUND, SEND_BACK_WINDOW, describe_outcome
from app.domain.sending import Email
from engine.types.outlook import HintPart

_MAX_ADDRESS = 120


MAX_ASKED = 3
"""The maximum number of questions in a mail; the order's page has all questions."""


@dataclass(frozen=True, slots=True)
class DecidedCounts:
    """Counts for the mail about a decided order: its photos by type, photos with a result, cancelled photos, and
    the refunded credits.
    """

    finished: int
    exterior: int
    interior: int
    refund: Decimal
    cancelled: int = 0


@dataclass(frozen=True, slots=True)
class AskedPhoto:
    """A photo that could not be done as ordered, and the part of it that somebody can show. `is_free`: whether the
    steps that are then done are paid for already; otherwise they are ordered again.
    """

    id: str
    file_name: str
    part: HintPart
    is_free: bool = False


def order_ready(
    to: str, job_id: str, address: str, counts: DecidedCounts, asked: Sequence[AskedPhoto] = ()
) -> Email:
    """The mail sent when results can be downloaded. `asked`: the photos that can be done after all once the
    customer shows what we missed.
    """
    finished, exterior, refund = counts.finished, counts.exterior, counts.refund
    total, where = exterior + counts.interior, _short(address)
    outcome = describe_outcome(finished, total, refund, counts.cancelled)
    missing = "For each photo that could not be done, the page says why, and what you can do next."
    return write_notice(
        to,
        f"Ready: {where}" if finished == total else f"{finished} of {total} photos ready: {where}",
        f"Your order for {where} is checked: {outcome}. Look at the results and download them here:",
        link(f"/properties/{job_id}"),
        *([missing] if finished + counts.cancelled < total else []),
        *_ask(job_id, asked),
        *([EXTERIOR_REFUND] if exterior else []),
        f"{SEND_BACK_WINDOW} The page says until when.",
    )


def _ask(job_id: str, asked: Sequence[AskedPhoto]) -> Iterator[str]:
    """For each part that can be shown, a sentence and a link to the first photo that lacks it."""
    for part, is_free in list(dict.fromkeys((each.part, each.is_free) for each in asked))[:MAX_ASKED]:
        first, *others = (each for each in asked if (each.part, each.is_free) == (part, is_free))
        more = f" and {counted(len(others), 'other photo')}" if others else ""
        price = "for free, because other photos got it" if is_free else "at the price that was refunded"
        yield f"{ASKS[part]} in {_short(first.file_name)}{more}: what was not done is then tried again, {price}."
        place = f"show-free-{first.id}" if is_free else "show-us"
        yield link(f"/properties/{job_id}/photos/{first.id}#{place}")


def order_undeliverable(
    to: str, job_id: str, address: str, reason: str, refund: Decimal, asked: Sequence[AskedPhoto] = ()
) -> Email:
    """The mail sent when every result was rejected. `asked`: as in order_ready()."""
    return write_notice(
        to,
        f"Not deliverable, refunded: {_short(address)}",
        f"There is no usable result for your order for {_short(address)}. {quote(reason)}",
        f"You pay nothing. Refunded to your balance: {credits_(refund)}. See the order and each photo here:",
        link(f"/properties/{job_id}"),
        *_ask(job_id, asked),
    )


def order_cancelled(to: str, job_id: str, address: str, refund: Decimal) -> Email:
    """The mail sent when an order was cancelled before any of its photos was begun."""
    return write_notice(
        to,
        f"Cancelled, refunded: {_short(address)}",
        f"Your order for {_short(address)} was cancelled before work on its photos began.",
        f"You pay nothing. Refunded to your balance: {credits_(refund)}. You can order again with the same "
        "photos from this page:",
        link(f"/properties/{job_id}"),
    )


def order_cancelled_partly(
    to: str, job_id: str, address: str, cancelled: int, going_on: int, refund: Decimal
) -> Email:
    """The mail sent when some photos of an order were cancelled, and others had been begun."""
    begun = "1 photo had begun: it" if going_on == 1 else f"{going_on} photos had begun: they"
    are = "it is" if going_on == 1 else "they are"
    return write_notice(
        to,
        f"Cancelled in part: {_short(address)}",
        f"Your order for {_short(address)} was cancelled as far as possible: {counted(cancelled, 'photo')} of it. "
        f"Work on {begun} will be completed, and you get an e-mail when {are} done.",
        f"Refunded to your balance: {credits_(refund)}. See the order here:",
        link(f"/properties/{job_id}"),
    )


def order_failed(to: str, job_id: str, address: str, error: str, refund: Decimal) -> Email:
    """The mail sent when the processing failed."""
    return write_notice(
        to,
        f"Failed, refunded: {_short(address)}",
        f"Your order for {_short(address)} failed. {quote(error)}",
        f"You pay nothing. Refunded to your balance: {credits_(refund)}. You can order again with the same "
        "photos from this page:",
        link(f"/properties/{job_id}"),
    )


def photo_revised(
    to: str, job_id: str, address: str, file_name: str, answer: str, *, had_result: bool, revised: bool
) -> Email:
    """The mail sent when a round has ended; `answer` says how, in one or two sentences. `had_result`: a picture was
    sent back, not a photo without one. `revised`: there is a new picture.
    """
    sent = "sent back the result of" if had_result else "asked a person to look at"
    after = "The previous picture stays there to compare and download, as long as the results are kept."
    return write_notice(
        to,
        f"Sent back: {_short(address)}",
        f"You {sent} {_short(file_name)}, from your order for {_short(address)}. {answer}",
        link(f"/properties/{job_id}"),
        *([after] if had_result and revised else []),
    )


def client_answered(to: str, job_id: str, address: str, approved: bool, who: str, message: str) -> Email:
    """The mail sent when a client approves shared results or asks for changes; `who`, the client, may be empty."""
    client = quote(who, _MAX_ADDRESS) or "Your client"
    said = "approves all pictures" if approved else "asks for changes"
    return write_notice(
        to,
        f"{'Approved' if approved else 'Changes requested'}: {_short(address)}",
        f"{client} {said} for {_short(address)}.",
        *([f'"{quote(message)}"'] if message else []),
        "The full answer, with favorites and comments:",
        link(f"/orders/{job_id}/shares"),
    )


def client_commented(to: str, job_id: str, address: str) -> Email:
    """The mail sent when a client begins to choose favorites or to comment, once for each share link."""
    return write_notice(
        to,
        f"Your client comments: {_short(address)}",
        f"Your client started to choose favorites or comment on the pictures of {_short(address)}. "
        "You get another e-mail when they approve them or ask for changes. What they said so far:",
        link(f"/orders/{job_id}/shares"),
    )


def _short(address: str) -> str:
    return quote(address, _MAX_ADDRESS)
