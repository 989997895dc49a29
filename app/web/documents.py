"""Passes the OpenAPI document from the API to the pages, so that neither entry point imports the other."""

from collections.abc import Callable

from flask import current_app
from flask.sansio.app import App

_NAME = "brightlist.openapi"


def offer(app: App, write: Callable[[], str]) -> None:
    """Register the function that returns the document, for the application's pages."""
    app.extensions[_NAME] = write


def openapi() -> str:
    """The OpenAPI document of the running application: the same JSON text that the API serves."""
    write: Callable[[], str] = current_app.extensions[_NAME]
    return write()
