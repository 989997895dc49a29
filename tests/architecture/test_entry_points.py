"""Who may call: every route asks for a key or a sign-in, or stands on the list of public ones."""

import re

from flask import Flask
from werkzeug.routing import Rule

from app.api.v1.operations import OPERATIONS
from app.portal import blueprints
from tests.conftest import Api

PUBLIC = {
    "static",
    "files.upload",  # its URL carries the permission
    "api_v1.client_uploads_v1.preflight",  # says the same to everybody, and does nothing
    "files.download",
    "embed.uploader",  # the same script for everybody
    "health.healthz",
    "health.readyz",
    "payment_events.stripe",  # its signature carries the permission
    "front.show",
    "front.status",
    "front.robots",
    "prices.show",
    "how.show",
    "developers.show",
    "originals.index",  # the link carries the permission
    "originals.show",
    "originals.sheet",
    "originals.qr",
    "originals.picture",
    "shared.show",  # the link carries the permission
    "shared.unlock",
    "shared.comment",
    "shared.favorite",
    "shared.answer",
    "shared.download",
    "shared.zip",
    "shared_pictures.show",
    "shared_pictures.stylesheet",
    "shared_pictures.logo",
    "terms.show",
    "disclosure.index",
    "disclosure.show",
    "docs.show",
    "docs.guide",
    "docs.error",
    "plain_docs.show_all",
    "plain_docs.guide",
    "plain_docs.resource",
    "plain_docs.error",
    "plain_docs.llms",
    "plain_docs.feed",
    "plain_docs.postman",
    "docs.resource",
    "api_v1.openapi_v1.show_openapi",
    "api_v1.rules_v1.list_all_rules",
    "api_v1.rules_v1.show_rule",
    "themes.update",
    "sign_in.new",
    "sign_in.create",
    "sign_in.delete",
    "sign_in.code",  # only after the password
    "sign_in.prove",
    "sign_up.new",
    "sign_up.create",
    "sign_up.sent",
    "sign_up.confirm",  # the link carries the permission
    "sign_up.confirmed",
    "resets.new",
    "resets.sent",
    "resets.edit",  # the link carries the permission
    "new_address.confirm",  # the link carries the permission
    "new_address.confirmed",
    "invitations.show",  # the link carries the permission
    "invitations.accept",
}
SAFE = {"GET", "HEAD", "OPTIONS"}


def of_the_portal(rule: Rule) -> bool:
    return rule.endpoint.rpartition(".")[0] in blueprints.NAMES


def path(rule: Rule) -> str:
    values = {name: next(iter(getattr(found, "items", "1"))) for name, found in rule._converters.items()}
    return rule.build(values, append_unknown=False)[1]


def method(rule: Rule) -> str:
    return next(iter(rule.methods - {"HEAD", "OPTIONS"}), "OPTIONS")


def test_every_route_for_programs_is_public_by_name_or_asks_for_a_key(app: Flask, api: Api) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if not of_the_portal(rule)]
    guarded = [rule for rule in rules if rule.endpoint not in PUBLIC]
    operations = [each for each in OPERATIONS.values() if each.scope or each.for_clients]
    assert len(guarded) == len(operations) + len(["mcp.serve"])
    for rule in guarded:
        answer = app.test_client().open(path(rule), method=method(rule))
        assert (answer.status_code, answer.json["code"]) == (401, "unauthorized"), path(rule)


def test_every_page_is_public_by_name_or_asks_to_sign_in(app: Flask) -> None:
    client = app.test_client()
    token = {"csrf_token": re.search(r'name="csrf_token" value="([^"]+)"', client.get("/sign-in").text)[1]}
    for rule in app.url_map.iter_rules():
        if of_the_portal(rule) and rule.endpoint not in PUBLIC:
            answer = client.open(path(rule), method=method(rule), data=token)
            assert (answer.status_code, answer.headers.get("Location", "")[:9]) == (303, "/sign-in?"), path(rule)


def test_every_form_of_the_portal_is_refused_without_its_token(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        if of_the_portal(rule) and rule.methods - SAFE:
            answer = app.test_client().open(path(rule), method=next(iter(rule.methods - SAFE)))
            assert answer.status_code == 400, path(rule)
            assert "open too long" in answer.text


def test_every_public_route_exists(app: Flask) -> None:
    assert {rule.endpoint for rule in app.url_map.iter_rules()} >= PUBLIC
