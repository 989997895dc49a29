"""Who looks at a page: the browser's sign-in, what only signed-in people or staff may see, the way to sign in."""

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from flask import Blueprint, Flask, current_app, g, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import LoginManager, UserMixin, current_user, login_user
from sqlalchemy.exc import SQLAlchemyError

from app.domain.actors import Browser, Visitor
from app.domain.errors import NotFound
from app.services import sign_ins
from app.web.context import container

NEXT = "next"
_OWN_PATH = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""A path of this site: `//host` and `/\\host` would lead a browser elsewhere."""


class _User(UserMixin):
    """A visitor as Flask-Login keeps them: by the secret of the sign-in."""

    def __init__(self, secret: str, visitor: Visitor) -> None:
        self.secret, self.visitor = secret, visitor

    def get_id(self) -> str:
        """What the cookie holds."""
        return self.secret


def install(app: Flask) -> None:
    """Let the application know visitors by their cookie, and show them to every template as `visitor`."""
    # Without its own context processor, which asks the database for every page, pages of errors too.
    manager = LoginManager(app, add_context_processor=False)
    manager.session_protection = None  # the sign-in's row says what holds, and its owner can end it
    manager.user_loader(_load)
    app.context_processor(lambda: {"visitor": _shown()})


def for_signed_in(blueprint: Blueprint) -> Blueprint:
    """Let only signed-in visitors into the blueprint; the others are sent to sign in, and back afterwards."""
    blueprint.before_request(require_visitor)
    return blueprint


def for_staff(blueprint: Blueprint) -> Blueprint:
    """Let only staff into the blueprint; for all others its pages do not exist."""
    blueprint.before_request(_require_staff)
    return blueprint


def visitor() -> Visitor:
    """The signed-in visitor of a guarded page."""
    found = somebody()
    if found is None:
        raise LookupError("this view is not guarded")
    return found


def somebody() -> Visitor | None:
    """The visitor, or None where nobody is signed in. Raises SQLAlchemyError when the database cannot say."""
    found: Visitor | None = getattr(current_user, "visitor", None)
    return found


def _shown() -> Visitor | None:
    """The visitor for templates: the page that tells of a lost database needs none."""
    try:
        return somebody()
    except SQLAlchemyError:
        return None


def sign_in(account_id: str) -> None:
    """Sign this browser in to the account: a new session in place of whatever it had."""
    here = container()
    browser = Browser(request.user_agent.string, request.remote_addr or "")
    holds = timedelta(seconds=here.settings.sign_in_seconds)
    with here.database.unit_of_work() as unit:
        secret = sign_ins.begin(unit, account_id, browser, here.clock(), holds)
    session.clear()
    user = _load(secret)
    login_user(user)


def sign_out() -> None:
    """End this browser's sign-in, if it has one, and forget its session."""
    found = somebody()
    if found is not None:
        # Another tab, or its owner elsewhere, may have ended it a moment ago.
        with suppress(NotFound), container().database.unit_of_work() as unit:
            sign_ins.end(unit, found.account_id, found.sign_in_id)
    session.clear()
    g.pop("_login_user", None)


def own_address() -> str:
    """Path and query of this request as a browser writes them."""
    query = request.query_string.decode("ascii", "replace")
    return quote(request.path) + (f"?{query}" if query else "")


def way_back(target: str | None) -> str:
    """The path of ours to go to after signing in; the orders where none was given or it leads elsewhere."""
    return target if target and _OWN_PATH.fullmatch(target) else url_for("orders.index")


def _load(secret: str) -> _User | None:
    here = container()
    now = here.clock()
    with here.database.glance() as connection:
        found = sign_ins.recognise(connection, secret, now)
    if found is None:
        return None
    who, stale = found
    if stale:
        with here.database.unit_of_work() as unit:
            sign_ins.note_use(unit, who.sign_in_id, now)
    return _User(secret, who)


def require_visitor(**_: str) -> ResponseReturnValue | None:
    """The way to sign in where nobody is signed in; whatever the view's own arguments are."""
    return None if somebody() is not None else _to_sign_in()


def _require_staff() -> ResponseReturnValue | None:
    found = somebody()
    if found is None:
        return _to_sign_in()
    if not found.is_staff:
        raise NotFound
    return None


def _to_sign_in() -> ResponseReturnValue:
    values: dict[str, Any] = {NEXT: _here()} | ({"ended": 1} if "_user_id" in session else {})
    target = url_for("sign_in.new", **values)
    if request.headers.get("HX-Request") == "true":
        return "", 401, {"HX-Redirect": target}
    return redirect(target, 303)


def _here() -> str:
    """The page this request belongs to: its own address, or for a form and a fragment the page they stand on."""
    page = request.headers.get("HX-Current-URL") or (request.referrer if request.method != "GET" else None)
    parts = urlsplit(page or "")
    if page and parts.netloc == request.host:
        return f"{parts.path}?{parts.query}" if parts.query else parts.path
    paths = current_app.create_url_adapter(request)
    return own_address() if paths and paths.test(method="GET") else url_for("orders.index")
