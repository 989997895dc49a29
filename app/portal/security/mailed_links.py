"""URLs for links in mail, and the page for a link that no longer works."""

from collections.abc import Callable

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import LinkExpired
from app.services.accounts.sign_ups import Pages
from app.web.context import container


def make_url_builder(endpoint: str) -> Callable[[str], str]:
    """Make the function that returns the full URL of the endpoint for a secret. It does not use the Host header,
    which a client may forge.
    """
    return lambda secret: container().settings.base_url + url_for(endpoint, secret=secret)


def sign_up_pages() -> Pages:
    """The pages to which mail about signing up links."""
    base_url = container().settings.base_url
    return Pages(
        confirm=make_url_builder("sign_up.confirm"),
        reset=base_url + url_for("resets.new"),
        sign_in=base_url + url_for("sign_in.new"),
    )


def explain_dead_links(blueprint: Blueprint, again: str, label: str) -> None:
    """For a link of this blueprint that no longer works, show why, and a link to the endpoint `again`."""

    def explain(refusal: LinkExpired) -> ResponseReturnValue:
        page = render_template(
            "portal/security/mailed/dead.html", why=refusal.message, again=url_for(again), again_label=label
        )
        return page, 410

    blueprint.register_error_handler(LinkExpired, explain)


def is_mail_in_files() -> bool:
    """Whether mail is only written to a folder on this machine, as on a first `make run`."""
    settings = container().settings
    return settings.demo and settings.mail_url is None
