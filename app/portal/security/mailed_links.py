"""The pages that links in mail lead to, and the one for a link that leads nowhere any more."""

from collections.abc import Callable

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import LinkExpired
from app.services.accounts.sign_ups import Pages
from app.web.context import container


def address_of(endpoint: str) -> Callable[[str], str]:
    """The whole address of the page for a secret. Never by the Host header: anyone who asks may have forged it."""
    return lambda secret: container().settings.base_url + url_for(endpoint, secret=secret)


def sign_up_pages() -> Pages:
    """Where mail about signing up leads to."""
    base_url = container().settings.base_url
    return Pages(
        confirm=address_of("sign_up.confirm"),
        reset=base_url + url_for("resets.new"),
        sign_in=base_url + url_for("sign_in.new"),
    )


def explain_dead_links(blueprint: Blueprint, again: str, label: str) -> None:
    """Show, for links of this blueprint that hold no longer, why, and the page `again` that helps."""

    def explain(refusal: LinkExpired) -> ResponseReturnValue:
        page = render_template(
            "portal/security/mailed/dead.html", why=refusal.message, again=url_for(again), again_label=label
        )
        return page, 410

    blueprint.register_error_handler(LinkExpired, explain)


def lies_in_a_file() -> bool:
    """Whether mail ends in a folder on this machine, as on a first `make run`."""
    settings = container().settings
    return settings.demo and settings.mail_url is None
