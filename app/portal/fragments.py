"""Pages and their fragments: htmx gets the fragment, every other client the whole page."""

from flask import Response, make_response, render_template, request
from htmx_flask.requests import HtmxHeaders


def wants_fragment() -> bool:
    """Whether htmx sent this request."""
    return bool(HtmxHeaders(request.headers))


def render_page_or_fragment(page: str, fragment: str, http_status: int = 200, /, **values: object) -> Response:
    """Render the fragment for htmx, else the whole page. `Vary` keeps caches from mixing them up."""
    response = make_response(render_template(fragment if wants_fragment() else page, **values), http_status)
    response.vary.add("HX-Request")
    return response
