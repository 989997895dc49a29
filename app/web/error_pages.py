"""Refusals and errors as pages: what happened in plain words, one link to go on, and the reference to quote."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import urlsplit

from flask import Response, render_template, request

from app.domain import errors, sandbox_errors
from app.domain.errors import Refusal
from app.web.context import request_id
from app.web.fault_messages import describe_faults

_OWN_PATH = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")


class ErrorLink(StrEnum):
    """The target of the link on an error page: the home page, the page with the form, or the same page again."""

    HOME = "home"
    BACK = "back"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """The texts of an error page, and the target of its link. `faults`: messages about the form that was sent."""

    title: str
    text: str
    link: ErrorLink = ErrorLink.HOME
    faults: Sequence[str] = ()


PAGES: Mapping[int, ErrorPage] = {
    400: ErrorPage("This did not work", "Something in it is not valid. Nothing was changed.", ErrorLink.BACK),
    402: ErrorPage("Not enough credits", "Your balance is too low for this. Nothing was charged.", ErrorLink.BACK),
    403: ErrorPage("No access", "Your sign-in does not allow this."),
    404: ErrorPage("Not found", "It does not exist, or is no longer kept."),
    405: ErrorPage("This cannot be done here", "The address exists, but not for this. Nothing was changed."),
    408: ErrorPage("It took too long", "Your data did not arrive in time. Nothing was changed.", ErrorLink.AGAIN),
    409: ErrorPage("This cannot be done now", "It was done already, or something else came first.", ErrorLink.BACK),
    410: ErrorPage("This link no longer works", "It has expired, or was already used."),
    413: ErrorPage("Too large", "You sent more than we take at once. Nothing was saved.", ErrorLink.BACK),
    415: ErrorPage("This kind of file is not supported", "Nothing was saved.", ErrorLink.BACK),
    422: ErrorPage("This did not work", "Something in it cannot be done. Nothing was changed.", ErrorLink.BACK),
    429: ErrorPage("Too many tries", "Wait a minute, then try again. Nothing was changed.", ErrorLink.AGAIN),
    500: ErrorPage(
        "Something went wrong on our side",
        "We have recorded it. Try again; if it happens again, send us the reference.",
        ErrorLink.AGAIN,
    ),
    503: ErrorPage(
        "Unavailable for a moment", "Nothing was changed. Wait a few seconds, then try again.", ErrorLink.AGAIN
    ),
}
_WITH_OWN_TITLE = (
    errors.StalePage,
    errors.NotPermitted,
    errors.NotReady,
    errors.UploadQuotaExceeded,
    errors.OpenSessionsExceeded,
    sandbox_errors.SandboxFull,
)
"""Refusals whose `error` phrase is written for people, so that it can be the title of the page."""


def of_refusal(refusal: Refusal, status: int) -> ErrorPage:
    """The page for a refusal, in the refusal's own words if they are written for people."""
    page = PAGES.get(status, PAGES[400])
    if isinstance(refusal, errors.InvalidRequest):
        return replace(page, faults=[str(fault) for fault in describe_faults(refusal).values()])
    own_title = isinstance(refusal, _WITH_OWN_TITLE)
    if isinstance(refusal, errors.RateLimited) and refusal.retry_after_seconds and not own_title:
        return replace(page, text=f"Wait {_duration(refusal.retry_after_seconds)}, then try again.")
    title = refusal.error if own_title else page.title
    return replace(page, title=title, text=refusal.message or page.text)


def of_status(status: int) -> ErrorPage:
    """The page for an HTTP status that comes from Flask or from an unexpected error."""
    return PAGES.get(status, PAGES[400 if status < 500 else 500])


def answer(page: ErrorPage, status: int) -> Response:
    """The whole page as an answer. A request of htmx is answered with a line of text: htmx shows no error pages."""
    fragment = request.headers.get("HX-Request") == "true"
    template = "errors/_line.html" if fragment else "errors/error.html"
    values = {"page": page, "status": status, "reference": request_id(), "target": _target(page.link)}
    return Response(render_template(template, **values), mimetype="text/html")


def _target(link: ErrorLink) -> str:
    """The URL that the link leads to; empty for the home page."""
    if link is ErrorLink.HOME:
        return ""
    if link is ErrorLink.AGAIN and request.method == "GET":
        target = request.full_path.rstrip("?")
    else:
        # The referrer is the page with the form that was sent; a link to it is given only if it is our own page.
        came_from = urlsplit(request.referrer or "")
        path = f"{came_from.path}?{came_from.query}" if came_from.query else came_from.path
        target = path if came_from.netloc == request.host else ""
    return target if _OWN_PATH.fullmatch(target) else ""


def _duration(seconds: int) -> str:
    minutes = -(-seconds // 60)
    if seconds <= 90:
        return f"{seconds} {'second' if seconds == 1 else 'seconds'}"
    return f"{minutes} minutes"
