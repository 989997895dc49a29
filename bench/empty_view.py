"""The floor of the status bench: a Flask application whose one view does nothing."""

from flask import Flask

application = Flask(__name__)


@application.get("/")
def nothing() -> str:
    """An empty answer."""
    return ""
