"""The Flask application class: it sees requests as the outermost trusted proxy saw them, and retries a request
whose database connection was cut.
"""

from collections.abc import Callable, Iterable, MutableMapping
from functools import lru_cache
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Request, has_request_context, request
from flask.ctx import RequestContext
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask.templating import Environment

from app.settings.proxies import TrustedProxies
from app.web import retries
from app.web.errors import JSON_PATHS
from app.web.proxies import apply_proxy_headers


class BrowserSessions(SecureCookieSessionInterface):
    """Flask's cookie sessions, for pages only."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request for a page; None, so Flask's null session, for requests of programs."""
        return None if request.path.startswith(JSON_PATHS) else super().open_session(app, request)


class Templates(Environment):
    """Flask's template environment, made faster for templates without globals of their own."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the environment's own globals if the template adds none. Jinja would put an empty mapping in front
        of them, and each import would look up all of them again.
        """
        return super().make_globals(d) if d else self.globals


class Application(Flask):
    """The application that servers run: Flask with trusted proxies, retries, and some faster look-ups."""

    trusted_proxies: TrustedProxies | None = None
    session_interface = BrowserSessions()
    jinja_environment = Templates
    login_manager: Any = None
    """The attribute in which Flask-Login expects its manager."""

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The answer to one request."""
        return retries.call(super().wsgi_app, environ, start_response)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: with every request Flask would check whether it is a coroutine, but none is."""
        return func

    def url_for(self, endpoint: str, **values: Any) -> str:
        """The URL of the endpoint. URLs without arguments, of which every page has two dozen, are cached."""
        is_cacheable = not values and "." in endpoint[1:] and has_request_context()
        if not is_cacheable or endpoint.partition(".")[0] in self.url_default_functions:
            return super().url_for(endpoint, **values)
        return self._address(endpoint, request.script_root, request.method)

    @lru_cache(maxsize=1024)  # noqa: B019  # an application lives as long as its process
    def _address(self, endpoint: str, _script_root: str, _method: str) -> str:
        return super().url_for(endpoint)

    def request_context(self, environ: WSGIEnvironment) -> RequestContext:
        """The context of one request."""
        if self.trusted_proxies is not None:
            apply_proxy_headers(environ, self.trusted_proxies)
        return super().request_context(environ)
