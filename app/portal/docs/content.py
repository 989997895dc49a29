"""The pages of the documentation as values: the list of pages, and the content of each as HTML and as Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from flask import url_for

from app.domain import client_tokens, engines, fetches, file_names, limits, retention, sandbox_addresses, webhooks
from app.domain.deprecation import NOTICE, Deprecation
from app.domain.errors import require_found
from app.domain.field_errors import MAX_FAULTS
from app.domain.keys import MAX_KEYS
from app.domain.order_files import MAX_FILE_NAME, MAX_PHOTOS
from app.domain.presets import MAX_PRESETS
from app.domain.request_limits import MAX_FIELDS
from app.domain.revisions import MAX_ROUNDS
from app.domain.shares import MAX_LIVE_LINKS
from app.domain.upload_origins import MAX_ORIGINS
from app.portal.docs.changes import list_days
from app.portal.docs.errors import list_errors
from app.portal.docs.guides import GUIDES, Guide
from app.portal.docs.reference import Reference, ResourceReference, read_reference
from app.portal.snippets import (
    list_receivers,
    sample_delivery,
    write_client_program,
    write_programs,
    write_upload_examples,
)
from app.services.photos import sandbox_engine
from app.services.previews.outlooks import MAX_WAITING
from app.web import documents, idempotency
from app.web.bodies import MAX_JSON_BYTES
from app.web.context import container
from app.web.parking import MAX_KEPT_PER_ACCOUNT, MAX_WAIT_SECONDS
from engine.types import photo_limits
from engine.types.media import FORMATS

_WITH_KEY = frozenset({"agents", "authentication", "clients", "introduction", "programs", "resource"})
"""The chapters whose examples carry a key."""
_SAMPLE_DEPRECATION = Deprecation(date(2027, 1, 1), date(2027, 1, 1) + NOTICE, "")
_LIMITS: Mapping[str, Any] = {
    "formats": FORMATS,
    "photo_limits": photo_limits,
    "max_megabytes": limits.MAX_FILE_MEGABYTES,
    "max_frames": photo_limits.MAX_FRAMES,
    "max_photos": MAX_PHOTOS,
    "max_rounds": MAX_ROUNDS,
    "max_file_name": MAX_FILE_NAME,
    "max_name_bytes": file_names.MAX_BYTES,
    "max_image_bytes": file_names.MAX_IMAGE_BYTES,
    "max_json_bytes": MAX_JSON_BYTES,
    "max_fields": MAX_FIELDS,
    "max_faults": MAX_FAULTS,
    "max_idempotency_key": idempotency.MAX_KEY,
    "max_keys": MAX_KEYS,
    "max_origins": MAX_ORIGINS,
    "token_seconds": client_tokens.DEFAULT_SECONDS,
    "max_token_seconds": client_tokens.MAX_SECONDS,
    "max_fetches": fetches.MAX_FETCHES,
    "max_url": fetches.MAX_URL,
    "max_redirects": fetches.MAX_REDIRECTS,
    "fetch_seconds": fetches.FETCH_SECONDS,
    "max_wait_seconds": MAX_WAIT_SECONDS,
    "max_kept": MAX_KEPT_PER_ACCOUNT,
    "max_presets": MAX_PRESETS,
    "max_live_links": MAX_LIVE_LINKS,
    "max_waiting": MAX_WAITING,
    "test_credits": limits.TEST_CREDITS,
    "test_side": sandbox_engine.MAX_SIDE,
    "sandbox_addresses": sandbox_addresses.ADDRESSES,
}


@dataclass(frozen=True, slots=True)
class DocsPage:
    """One page. `chapters`: its templates, in order; `values`: what the chapters show beside the facts of all
    pages; the `key` in them is put into examples, and None means placeholders.
    """

    title: str
    address: str
    about: str
    chapters: Sequence[str]
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def templates(self) -> Sequence[str]:
        """The paths of the chapters' templates."""
        return [f"portal/docs/_{name}.html" for name in self.chapters]

    @property
    def shows_key(self) -> bool:
        """Whether examples of the page carry a key."""
        return not _WITH_KEY.isdisjoint(self.chapters)


def find_index() -> DocsPage:
    """The first page: how an order works, and every operation in one line."""
    about = "How an order works, and every operation in one line."
    return DocsPage("Introduction", url_for("docs.show"), about, ("introduction", "operations"))


def find_guide(name: str) -> DocsPage:
    """The page of a guide, about what all operations have in common. Raises NotFound."""
    return _guide_page(require_found(next((each for each in GUIDES if each.name == name), None)))


def find_resource(name: str) -> DocsPage:
    """The page of one resource: its operations, with every shape that they use. Raises NotFound."""
    return _resource_page(require_found(next((each for each in _api().resources if each.name == name), None)))


def find_error(code: str) -> DocsPage:
    """The page of a code: its meaning, what to do about it, and which operations answer it. Raises NotFound."""
    found = require_found(list_errors().get(code))
    every = _api().operations.values()
    answered_by = [each for each in every if any(code in refusal.codes for refusal in each.refusals)]
    # If all operations answer it, a list of them says nothing.
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
    """The values for the chapters of all pages: the API, and the rules of the service."""
    return {
        "api": _api(),
        "guides": GUIDES,
        "errors": list_errors(),
        "programs": write_programs(container().settings.base_url),
        "key": None,
        "python_order": write_client_program("order.py", container().settings.base_url),
        "command_line": write_client_program("folder.sh", container().settings.base_url),
        "typescript_order": write_client_program("order.ts", container().settings.base_url),
        "upload_examples": write_upload_examples(container().settings.base_url),
        "store_origin": container().storage.direct_origin,
        "receivers": list_receivers(),
        "delivery": sample_delivery(),
        "settings": container().settings,
        "rules": webhooks,
        "retention": retention,
        "test_limits": limits,
        "test_kept": retention.find_length(container().settings.retention_seconds, livemode=False),
        "notice": NOTICE,
        "engine_notice": engines.NOTICE,
        "sample_deprecation": _SAMPLE_DEPRECATION.headers(f"{container().settings.base_url}/docs/versions"),
        "days": list_days(),
        **_LIMITS,
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
