"""The documentation for programs: each page and the whole as Markdown, /llms.txt, a feed, and a Postman collection.

See https://llmstxt.org for the form of /llms.txt.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from flask import Response, current_app, render_template, request, url_for

from app.portal.docs import changes, content
from app.portal.docs.content import DocsPage
from app.portal.docs.errors import list_errors
from app.portal.docs.markdown import write_markdown
from app.portal.docs.postman import write_collection
from app.portal.page_blueprint import PageBlueprint
from app.settings import Settings
from app.web import documents
from app.web.context import container

blueprint = PageBlueprint("plain_docs", __name__)

_MARKDOWN = "text/markdown"
_CACHE_SECONDS = 3600


@blueprint.get("/docs.md")
def show_all() -> Response:
    """The whole documentation; each shape is described once, at the end, and calls are written as curl commands."""
    return _answer(_write_all(documents.openapi(), container().settings), _MARKDOWN)


@blueprint.get("/docs/<name>.md")
def guide(name: str) -> Response:
    """A guide."""
    return _answer(_write(content.find_guide(name)), _MARKDOWN)


@blueprint.get("/docs/api/<name>.md")
def resource(name: str) -> Response:
    """The operations of one resource."""
    return _answer(_write(content.find_resource(name)), _MARKDOWN)


@blueprint.get("/docs/errors/<code>.md")
def error(code: str) -> Response:
    """The page of an error code."""
    return _answer(_write(content.find_error(code)), _MARKDOWN)


@blueprint.get("/docs/changes.atom")
def feed() -> Response:
    """The changes as an Atom feed."""
    page_url = f"{container().settings.base_url}/docs/changes"
    values = {"page_url": page_url, "changes": changes.list_newest()}
    return _answer(render_template("portal/docs/changes.atom.xml", **values), "application/atom+xml")


@blueprint.get("/docs/postman.json")
def postman() -> Response:
    """The API as a collection to import into Postman."""
    return _answer(write_collection(documents.openapi()), "application/json")


@blueprint.get("/llms.txt")
def llms() -> Response:
    """What the service is, and a list of all pages of its documentation."""
    base_url = container().settings.base_url
    about = content.facts()["api"].about.partition("\n")[0]
    parts = [
        f"# Brightlist\n\n> {about}",
        "An HTTP API in JSON, authenticated by a bearer key. Orders cost credits; nothing here places one. Agents "
        f"have tools at {base_url}/mcp (MCP, streamable HTTP, the same keys).",
        _write_links("Guides", content.list_guides()[1:]),
        _write_links("Operations", content.list_resources()),
        "## Optional\n\n"
        f"- [Everything on one page]({base_url}{url_for('plain_docs.show_all')}): the whole documentation\n"
        f"- [OpenAPI 3.1]({base_url}{url_for('api_v1.openapi_v1.show_openapi')}): for generators of clients",
    ]
    return _answer("\n\n".join(parts) + "\n", "text/plain")


def _write_links(title: str, pages: Sequence[DocsPage]) -> str:
    base_url = container().settings.base_url
    links = [f"- [{page.title}]({base_url}{page.address}.md): {page.about}" for page in pages]
    return "\n".join([f"## {title}\n", *links])


@lru_cache(maxsize=4)
def _write_all(_document: str, _settings: Settings) -> str:
    """The whole documentation; written again only after the document or the settings have changed."""
    guides, resources = content.list_guides(), content.list_resources()
    errors = [content.find_error(code) for code in list_errors()]
    shapes = {shape.name: shape for page in resources for shape in page.values["shapes"]}
    brief = [replace(page, chapters=("resource",), values={**page.values, "is_brief": True}) for page in resources]
    last = DocsPage(
        "Data shapes", url_for("docs.show"), "", ("shapes",), {"shapes": [*map(shapes.get, sorted(shapes))]}
    )
    return "\n".join(_write(page) for page in (*guides, *errors, *brief, last))


def _write(page: DocsPage) -> str:
    values = content.facts() | dict(page.values)
    html = "".join(current_app.jinja_env.get_template(each).render(**values) for each in page.templates)
    return write_markdown(html, f"{container().settings.base_url}{page.address}")


def _answer(text: str, mimetype: str) -> Response:
    response = Response(text, mimetype=mimetype)
    response.cache_control.public, response.cache_control.max_age = True, _CACHE_SECONDS
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response
