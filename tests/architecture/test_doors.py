"""Who may call: every route is guarded or stands on the list of public ones."""

from flask import Flask

from app.api.v1.operations import OPERATIONS
from tests.conftest import Api

PUBLIC = {
    "static",
    "files.upload",  # its URL carries the permission
    "files.download",
    "health.healthz",
    "health.readyz",
    "front.show",
    "front.status",
    "docs.show",
    "api_v1.openapi_v1.show_openapi",
}


def test_every_route_is_public_by_name_or_asks_for_a_key(app: Flask, api: Api) -> None:
    guarded = [rule for rule in app.url_map.iter_rules() if rule.endpoint not in PUBLIC]
    assert len(guarded) == len(OPERATIONS)
    for rule in guarded:
        path = rule.build(dict.fromkeys(rule.arguments, "x"), append_unknown=False)[1]
        method = next(iter(rule.methods - {"HEAD", "OPTIONS"}))
        answer = app.test_client().open(path, method=method)
        assert (answer.status_code, answer.json["code"]) == (401, "unauthorized"), path


def test_every_public_route_exists(app: Flask) -> None:
    assert {rule.endpoint for rule in app.url_map.iter_rules()} >= PUBLIC
