"""Where the API leaves its OpenAPI document and the pages find it: neither entry point knows the other."""

from collections.abc import Callable

from flask import current_app
from flask.sansio.app import App

_NAME = "brightlist.openapi"


def offer(app: App, write: Callable[[], str]) -> None:
    """Let the application's pages read the document that `write` gives."""
    app.extensions[_NAME] = write


def openapi() -> str:
    """The OpenAPI document of the running application, the very JSON text that the API serves."""
    write: Callable[[], str] = current_app.extensions[_NAME]
    return write()
