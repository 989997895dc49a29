"""The container of the running application, as views reach it."""

from flask import Flask, current_app

from app.container import Container

_NAME = "brightlist"


def attach(app: Flask, container: Container) -> None:
    """Give the application its container."""
    app.extensions[_NAME] = container


def container() -> Container:
    """The container of the application that answers this request."""
    found: Container = current_app.extensions[_NAME]
    return found
