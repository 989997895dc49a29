"""The pages of the documentation as values: which there are, and what each shows, as HTML and as Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import url_for

from app.domain import limits, retention, webhooks
from app.domain.errors import require_found
from app.portal.docs.errors import list_errors
from app.portal.docs.guides import GUIDES, Guide
from app.portal.docs.reference import Reference, ResourceReference, read_reference
from app.portal.snippets import list_receivers, sample_delivery, write_programs
from app.web import documents
from app.web.context import container
from engine.types import photo_limits
from engine.types.media import FORMATS
from engine.types.photo_limits import MAX_FRAMES


@dataclass(frozen=True, slots=True)
class DocsPage:
    """One page. `chapters`: its templates, in order; `values`: what they show beside the facts of all pages."""

    title: str
    address: str
    about: str
    chapters: Sequence[str]
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def templates(self) -> Sequence[str]:
        """The paths of the chapters' templates."""
        return [f"portal/docs/_{name}.html" for name in self.chapters]


def find_index() -> DocsPage:
    """How an order works, and every operation in one line."""
    about = "How an order works, and every operation in one line."
    return DocsPage("Introduction", url_for("docs.show"), about, ("introduction", "operations"))


def find_guide(name: str) -> DocsPage:
    """What all operations have in common. Raises NotFound."""
    return _guide_page(require_found(next((each for each in GUIDES if each.name == name), None)))


def find_resource(name: str) -> DocsPage:
    """The operations of one resource, with every shape that they use. Raises NotFound."""
    return _resource_page(require_found(next((each for each in _api().resources if each.name == name), None)))


def find_error(code: str) -> DocsPage:
    """What a code means, what to do about it, and which operations answer it. Raises NotFound."""
    found = require_found(list_errors().get(code))
    every = _api().operations.values()
    answered_by = [each for each in every if any(code in refusal.codes for refusal in each.refusals)]
    # Where all answer it, it tells nothing.
    only = answered_by if len(answered_by) < len(every) / 2 else ()
    values = {"error": found, "answered_by": only}
    return DocsPage(code, url_for("docs.error", code=code), found.cases[0].meaning, ("error",), values)


def list_guides() -> Sequence[DocsPage]:
    """The guides, after the index."""
    return [find_index(), *map(_guide_page, GUIDES)]


def list_resources() -> Sequence[DocsPage]:
    """The pages of all resources."""
    return [_resource_page(each) for each in _api().resources]


def facts() -> dict[str, Any]:
    """What chapters show: the API, and the rules themselves."""
    return {
        "api": _api(),
        "guides": GUIDES,
        "errors": list_errors(),
        "programs": write_programs(container().settings.base_url),
        "receivers": list_receivers(),
        "delivery": sample_delivery(),
        "settings": container().settings,
        "rules": webhooks,
        "retention": retention,
        "max_megabytes": limits.MAX_FILE_MEGABYTES,
        "formats": FORMATS,
        "photo_limits": photo_limits,
        "max_frames": MAX_FRAMES,
    }


def _api() -> Reference:
    return read_reference(documents.openapi())


def _guide_page(guide: Guide) -> DocsPage:
    address = url_for("docs.guide", name=guide.name)
    return DocsPage(guide.title, address, guide.about, guide.chapters, {"guide": guide})


def _resource_page(resource: ResourceReference) -> DocsPage:
    address = url_for("docs.resource", name=resource.name)
    values = {"resource": resource, "shapes": resource.shapes}
    return DocsPage(resource.title, address, resource.about, ("resource", "shapes"), values)
