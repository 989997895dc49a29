"""Pages and their parts: htmx gets the part it asked for, everybody else the whole page."""

from flask import Response, make_response, render_template, request
from htmx_flask.requests import HtmxHeaders


def wants_fragment() -> bool:
    """Whether htmx asks."""
    return bool(HtmxHeaders(request.headers))


def render_page_or_fragment(page: str, fragment: str, http_status: int = 200, /, **values: object) -> Response:
    """The template that fits who asks, never kept by anybody."""
    response = make_response(render_template(fragment if wants_fragment() else page, **values), http_status)
    response.vary.add("HX-Request")
    return response
