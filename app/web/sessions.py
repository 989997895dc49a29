"""The session of a browser, kept in its cookie; programs have none."""

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

from app.web.errors import JSON_PATHS


class BrowserSessions(SecureCookieSessionInterface):
    """Flask's sessions, for pages alone."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of who asks for a page; None, so Flask's null session, where programs ask."""
        return None if request.path.startswith(JSON_PATHS) else super().open_session(app, request)
