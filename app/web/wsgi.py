"""The kind of Flask served: it sees requests as the outermost trusted proxy saw them, and retries what was cut."""

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
    """Flask's sessions, for pages alone."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of who asks for a page; None, so Flask's null session, where programs ask."""
        return None if request.path.startswith(JSON_PATHS) else super().open_session(app, request)


class Templates(Environment):
    """Flask's templates, none of which has globals of its own."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of all templates as they are: behind an empty map of the template's own, each import would
        look every one of them up again.
        """
        return super().make_globals(d) if d else self.globals


class Application(Flask):
    """Flask, for servers."""

    trusted_proxies: TrustedProxies | None = None
    session_interface = BrowserSessions()
    jinja_environment = Templates
    login_manager: Any = None
    """Where Flask-Login looks for its manager."""

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The answer to one request."""
        return retries.call(super().wsgi_app, environ, start_response)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is: no view and no hook here is a coroutine, and Flask looks at each of them anew with
        every request.
        """
        return func

    def url_for(self, endpoint: str, **values: Any) -> str:
        """The address of the endpoint. Every page has two dozen of such without arguments: those are kept."""
        plain = not values and "." in endpoint[1:] and has_request_context()
        if not plain or endpoint.partition(".")[0] in self.url_default_functions:
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
