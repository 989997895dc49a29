"""The visitor of a page: the browser's sign-in, pages only for signed-in users or staff, redirects to sign in."""

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

import flask_login
from flask import (
    Blueprint,
    Response,
    after_this_request,
    current_app,
    redirect,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError
from structlog.contextvars import bind_contextvars

from app.domain.actors import Browser, Visitor
from app.domain.errors import NotFound, StalePage
from app.domain.retention import BROWSERS_KEPT
from app.domain.security_events import SecurityEvent
from app.domain.sign_in_limits import PROOF_VALID_FOR
from app.domain.staff import StaffTwoFactor
from app.portal import account_modes, permissions, typed_forms
from app.services import security_log
from app.services.accounts import organizations, users
from app.services.security import known_browsers, sign_ins
from app.services.team import members
from app.web.context import container
from app.web.wsgi import Application

NEXT = "next"
TYPED = "typed"
"""Query parameter by which the sign-in page knows that a form was kept, see typed_forms.py."""
KNOWN = "known"
"""The cookie that marks a browser as one from which its users have signed in; it gives no access."""
_OWN_PATH = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""A path of this site; not `//host` or `/\\host`, which browsers take for another site."""
TWO_FACTOR_SETUP = frozenset({"security.show", "security.begin", "security.set_up"})
"""The only endpoints that staff without two-factor can reach where it is required."""
POLLS = frozenset(
    {
        "again",
        "arriving",
        "deliveries",
        "delivery",
        "forecasts",
        "going",
        "hold",
        "layout-preview",
        "logo-state",
        "looking",
        "making",
        "news",
        "not-right",
        "orders",
        "outcome",
        "pack",
        "parts",
        "previews",
        "purchase",
        "queue",
    }
)
"""Ids of page elements that poll, as HX-Trigger names them: polling does not count as use of a sign-in."""
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


class _User(flask_login.UserMixin):
    """A visitor for Flask-Login, identified by the secret of the sign-in."""

    def __init__(self, secret: str, visitor: Visitor) -> None:
        self.secret, self.visitor = secret, visitor

    def get_id(self) -> str:
        """The sign-in's secret, which the session cookie holds."""
        return self.secret


def install(app: Application) -> None:
    """Let the application recognize visitors by their cookie, and give every template the `visitor`."""
    # init_app() is not called: its hook for remember-me cookies, which are not used here, would run for API
    # requests too, and its context processor queries the database for every page, error pages too.
    app.login_manager = _manager
    app.context_processor(lambda: {"visitor": _visitor_for_templates()})
    app.jinja_env.globals["acting_for"] = _name_organization


def for_signed_in(blueprint: Blueprint) -> Blueprint:
    """Let only signed-in visitors into the blueprint whose role allows it; all others are redirected to sign in,
    and back afterwards.
    """
    blueprint.before_request(require_visitor)
    return blueprint


def require_staff(blueprint: Blueprint) -> Blueprint:
    """Let only staff into the blueprint: other users get NotFound, and visitors without a sign-in must sign in."""
    blueprint.before_request(_require_staff)
    return blueprint


def fresh_login_required(view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Open a view of a guarded blueprint only to users who proved their password within PROOF_VALID_FOR (_load()).

    All others are asked for password and code again, and redirected back to the page they were on.
    """
    guarded: Callable[..., ResponseReturnValue] = flask_login.fresh_login_required(view)
    return guarded


def visitor() -> Visitor:
    """The signed-in visitor of a guarded page. Raises LookupError on an unguarded page without one."""
    found = find_visitor()
    if found is None:
        raise LookupError("this view is not guarded")
    return found


def find_visitor() -> Visitor | None:
    """The visitor, or None if nobody is signed in. Raises SQLAlchemyError when the database is unreachable."""
    found: Visitor | None = getattr(flask_login.current_user, "visitor", None)
    return found


def _visitor_for_templates() -> Visitor | None:
    """The visitor for templates; None while the database is unreachable, so that the error page can be rendered."""
    try:
        return find_visitor()
    except SQLAlchemyError:
        return None


def _name_organization() -> str:
    """The name of the organization for which the visitor acts, for pages of users who belong to several."""
    with container().database.read_session() as unit:
        return organizations.name_of(unit, visitor().account_id)


def lacks_two_factor(who: Visitor) -> bool:
    """Whether the operator requires two-factor sign-in of this visitor, and the visitor has not set it up."""
    required = container().settings.staff_two_factor is StaffTwoFactor.REQUIRED
    return required and who.is_staff and not who.two_factor


def sign_in(user_id: str) -> None:
    """Sign the user in at this browser with a new session; the browser is a known one of the user from now on."""
    here, now = container(), container().clock()
    # After a new proof of identity the browser acts for the same organization as before.
    account_id = typed_forms.find_last_account(user_id)
    known = _known_secret() or secrets.token_urlsafe(32)
    browser = Browser(request.user_agent.string, request.remote_addr or "", known)
    with here.database.unit_of_work() as unit:
        lifetime = _ends_at(now, now) - now
        secret = sign_ins.begin(unit, user_id, browser, now, lifetime, account_id=account_id)
    tested_id = account_modes.leave() if account_id else None
    session.clear()
    user = _load(secret)
    flask_login.login_user(user)
    typed_forms.remember_user(user_id, user.visitor.account_id if user else account_id)
    if tested_id is not None:
        account_modes.enter(tested_id)
    after_this_request(lambda response: _set_known_cookie(response, known))


def act_for(account_id: str) -> None:
    """Let this browser act for another organization of the visitor. Raises NotFound if they are no member of it, or
    it is deleted or suspended.

    Forms of pages that are still open for the other organization no longer work.
    """
    here, who = container(), visitor()
    with here.database.unit_of_work() as unit:
        members.switch(unit, who.sign_in_id, who.user_id, account_id, here.clock())
    typed_forms.remember_user(who.user_id, account_id)
    session.pop("csrf_token", None)
    account_modes.leave()


def renew() -> None:
    """Replace this browser's sign-in by a new one, after the user has proved their password again."""
    old = visitor()
    sign_in(old.user_id)
    with suppress(NotFound), container().database.unit_of_work() as unit:
        sign_ins.end(unit, old.user_id, old.sign_in_id)


def find_known_browser(email: str) -> str | None:
    """The secret of this browser's KNOWN cookie, if the user with this e-mail has signed in from it; else None."""
    known = _known_secret()
    if not known:
        return None
    with container().database.read_session() as unit:
        return known if known_browsers.is_trusted(unit, users.lookup(unit, email), known) else None


def sign_out() -> None:
    """End this browser's sign-in, if it has one, and forget its session."""
    found = find_visitor()
    if found is not None:
        # Another tab, or the user in another browser, may have ended the sign-in a moment ago.
        with suppress(NotFound), container().database.unit_of_work() as unit:
            sign_ins.end(unit, found.user_id, found.sign_in_id)
    flask_login.logout_user()
    session.clear()


def current_url() -> str:
    """Path and query string of this request as a browser writes them."""
    query = request.query_string.decode("ascii", "replace")
    return quote(request.path) + (f"?{query}" if query else "")


def choose_target(target: str | None) -> str:
    """Choose the path for a redirect after signing in: `target` if it is a path of this site, else the queue of
    reviews for staff and the list of orders for everybody else.
    """
    if target and _OWN_PATH.fullmatch(target):
        return target
    found = find_visitor()
    return url_for("reviews.index" if found is not None and found.is_staff else "orders.index")


def redirect_after_sign_in(user_id: str, target: str | None) -> ResponseReturnValue:
    """Redirect a user who has just signed in: to their kept form if there is one, else to `target`."""
    if typed_forms.claim_redirect_to_form(user_id):
        values: dict[str, Any] = {NEXT: choose_target(target)}
        return redirect(url_for("typed.show", **values), 303)
    return redirect(choose_target(target), 303)


def _known_cookie() -> str:
    # The prefix is the same as for the session cookie: browsers send a __Host- cookie only to exactly this host.
    return f"__Host-{KNOWN}" if current_app.config["SESSION_COOKIE_SECURE"] else KNOWN


def _known_secret() -> str:
    secret = request.cookies.get(_known_cookie(), "")
    return secret if _SECRET.fullmatch(secret) else ""


def _set_known_cookie(response: Response, known: str) -> Response:
    response.set_cookie(
        _known_cookie(),
        known,
        max_age=BROWSERS_KEPT,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
    return response


def _load(secret: str) -> _User | None:
    here = container()
    now = here.clock()
    with here.database.read_connection() as connection:
        found = sign_ins.recognize(connection, secret, now)
    if found is None:
        return None
    who, stale = found
    _set_fresh(now - who.proved_at < PROOF_VALID_FOR)
    if stale and request.headers.get("HX-Trigger") not in POLLS:
        with here.database.unit_of_work() as unit:
            sign_ins.record_use(unit, who.sign_in_id, now, _ends_at(who.proved_at, now))
    return _User(secret, account_modes.apply(who))


def _set_fresh(fresh: bool) -> None:
    """Tell Flask-Login whether the sign-in is fresh: its database row, not the cookie, is authoritative."""
    if session.get("_fresh") is not fresh:
        session["_fresh"] = fresh


def _ends_at(begun_at: datetime, now: datetime) -> datetime:
    """The end of a sign-in that is used now: after its full lifetime, or earlier if it is not used for too long."""
    settings = container().settings
    latest = begun_at + timedelta(seconds=settings.sign_in_seconds)
    return min(latest, now + timedelta(seconds=settings.sign_in_idle_seconds))


def require_visitor(**_: str) -> ResponseReturnValue | None:
    """Redirect to sign in if nobody is signed in, or to set up a required two-factor; else return None. Raises
    NotPermitted if the visitor's role does not allow the request, and StalePage for a form of test mode, which ends
    with this request.

    It works like Flask-Login's login_required, but also for OPTIONS requests. The view's arguments are ignored.
    """
    found = find_visitor()
    if found is None:
        if request.method == "POST":
            typed_forms.keep_sent_form()
        return _answer_unauthorized()
    if account_modes.has_ended() and request.method == "POST":
        raise StalePage
    bind_contextvars(account_id=found.account_id)
    security_log.name_sender(user_id=found.user_id)
    answer = _require_two_factor(found)
    if answer is None:
        permissions.require(found)
    return answer


def _require_staff() -> ResponseReturnValue | None:
    found = find_visitor()
    if found is None:
        return _answer_unauthorized()
    if not found.is_staff:
        security_log.record(SecurityEvent.NOT_STAFF, found.user_id)
        raise NotFound
    return _require_two_factor(found)


def _require_two_factor(found: Visitor) -> ResponseReturnValue | None:
    """Redirect staff who lack a required two-factor to the page that sets it up."""
    if not lacks_two_factor(found) or request.endpoint in TWO_FACTOR_SETUP:
        return None
    return _redirect_whole_page(url_for("security.show"))


def _answer_unauthorized() -> ResponseReturnValue:
    answer: ResponseReturnValue = _manager.unauthorized()
    return answer


def _redirect_to_sign_in() -> ResponseReturnValue:
    values: dict[str, Any] = {NEXT: _address_of_page()} | ({"ended": 1} if "_user_id" in session else {})
    values |= {TYPED: 1} if typed_forms.was_kept() else {}
    return _redirect_whole_page(url_for("sign_in.new", **values))


def _redirect_to_confirmation() -> ResponseReturnValue:
    back: dict[str, Any] = {NEXT: _address_of_page()}
    return _redirect_whole_page(url_for("security.confirm", **back))


def _redirect_whole_page(target: str) -> ResponseReturnValue:
    if request.headers.get("HX-Request") == "true":
        return "", 401, {"HX-Redirect": target}
    return redirect(target, 303)


def _address_of_page() -> str:
    """The address of the page behind this request: its own, or for a form or fragment the page around it."""
    page = request.headers.get("HX-Current-URL") or (request.referrer if request.method != "GET" else None)
    parts = urlsplit(page or "")
    if page and parts.netloc == request.host:
        return f"{parts.path}?{parts.query}" if parts.query else parts.path
    paths = current_app.create_url_adapter(request)
    return current_url() if paths and paths.test(method="GET") else url_for("orders.index")


_manager = flask_login.LoginManager()
_manager.session_protection = None  # the sign-in's database row is authoritative, and its user can end it
_manager.user_loader(_load)
_manager.unauthorized_handler(_redirect_to_sign_in)
_manager.needs_refresh_handler(_redirect_to_confirmation)
