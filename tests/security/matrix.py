"""Every route, asked with ids of others: what is asked, by whom, and what tells one answer from another."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from app.container import Container
from app.domain.ids import RANDOM_LENGTH, random_base62
from app.portal import blueprints, visitors
from tests.conftest import Api
from tests.portal.person import Person, csrf_of
from tests.reading import contents
from tests.security.things import Things
from tests.statements import counted

BY_LINK = {
    "files.upload",
    "files.download",
    "sign_up.confirm",
    "sign_up.confirmed",
    "resets.edit",
    "new_address.confirm",
    "new_address.confirmed",
    "invitations.show",
    "invitations.accept",
    "originals.index",
    "originals.show",
    "originals.sheet",
    "originals.qr",
    "originals.picture",
    "shared.show",
    "shared.unlock",
    "shared.favorite",
    "shared.comment",
    "shared.answer",
    "shared.download",
    "shared.zip",
    "shared_pictures.show",
    "shared_pictures.stylesheet",
    "shared_pictures.logo",
}
"""Whoever has the link may: it holds a secret, not an id."""


NO_ID = {"code", "filename", "name", "size", "way", "part", "rule_id", "which"}
"""Arguments that name nothing of anybody's."""


IN_QUERIES = {
    "keys.index": {"before": "key_id"},
    "receipts.index": {"before": "receipts purchase_id"},
    "orders.index": {"before": "job_id", "after": "job_id", "q": "job_id"},
    "deliveries.index": {"after": "delivery_id", "job": "job_id"},
    "credits.index": {"draft": "draft_id", "job": "job_id"},
    "credits.export": {"job": "job_id"},
    "board.forecasts": {"waiting": "board photo_id"},
    "board.previews": {"waiting": "board photo_id"},
    "board.show": {"photo": "board photo_id"},
    "api_v1.webhooks_v1.delete_webhook": {"id": "webhook_id"},
    "api_v1.deliveries_v1.list_deliveries": {"jobId": "job_id"},
    "api_v1.ledger_v1.list_ledger": {"jobId": "job_id"},
}
"""Arguments of queries that are ids."""


IN_FORMS = {
    "board.change": {"photo": "board photo_id"},
    "board.undo": {"photo": "board photo_id"},
    "board.forget_unfinished": {"file": "board photo_id"},
    "properties.zip": {"photo": "properties photo_id"},
    "team.switch": {"account": "account_id"},
}
"""Ids that forms name; the field of purchases.create has a test of its own."""


BODIES = {
    "api_v1.variants_v1.request_variant": {"without": ["hdr_enhancement"]},
    "api_v1.mls_packs_v1.request_mls_pack": {"mls": "crmls"},
    "api_v1.presets_v1.change_preset": {"name": "x", "interiorEnhancements": ["declutter"]},
    "api_v1.revisions_v1.request_revision": {"reason": "other"},
    "api_v1.webhooks_v1.rotate_webhook_secret": {},
    "api_v1.webhooks_v1.change_webhook": {"active": False},
    "api_v1.deliveries_v1.redeliver_failed_deliveries": {"since": "2026-11-01T00:00:00Z"},
    "drafts.keep_expecting": {"ids": []},
    "drafts.stop_expecting": {"ids": []},
    "api_v1.regions_v1.read_regions": {
        "serviceType": "interior",
        "interiorFiles": [{"filePath": "x"}],
        "interiorEnhancements": ["declutter"],
    },
}
"""Bodies without which a request is refused before whose it is."""


FILLED_IN = {
    "name": "x",
    "overlap": "0",
    "reason": "x",
    "note": "x",
    "answer": "x",
    "verdict": "approved",
    "way": "give",
    "amount": "5",
    "pack": "50",
    "url": "https://elsewhere.example/",
    "service_type": "interior",
    "street": "1 Elsewhere, Springfield, IL 62704",
    "since": "2026-01-01",
    "password": "correct horse battery",
    "mls": "crmls",
    "without": "hdr_enhancement",
    "do": "remove",
    "role": "owner",
}
"""Forms are filled in far enough to reach the service behind them."""


FRAGMENTS = {"deliveries.outcome", "board.forecasts", "board.previews", "revisions.index", "variants.index"}
"""Asked by htmx alone."""


STAFF_TOO = {
    "pictures.before",
    "pictures.full",
    "pictures.layout",
    "pictures.of_round",
    "pictures.original",
    "pictures.original_full",
    "pictures.photo_of_round",
    "pictures.result",
}
"""Reviewers look at the pictures of orders."""


NOISE = re.compile(
    rb'req_[0-9a-f]{32}|[\w-]{20,}\.[\w-]{6}\.[\w-]{20,}|(?<=name="form_token" value=")[^"]+|"t=\d+|r=\d+|t=\d+'
)


@dataclass(frozen=True)
class Answer:
    """What tells one answer from another: status, headers and body without ids, and the statements it took."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    statements: int


Asker = Callable[[Rule, str, dict[str, str], dict[str, str]], Any]


def of_the_portal(rule: Rule) -> bool:
    return rule.endpoint.rpartition(".")[0] in blueprints.NAMES


def for_staff(app: Flask, rule: Rule) -> bool:
    return visitors._require_staff in app.before_request_funcs.get(rule.endpoint.rpartition(".")[0], ())


def methods(rule: Rule) -> list[str]:
    return sorted(rule.methods - {"HEAD", "OPTIONS"})


def arguments(rule: Rule) -> set[str]:
    """Those of the path that are ids."""
    return set() if rule.endpoint in BY_LINK else rule.arguments - NO_ID


@dataclass(frozen=True)
class Case:
    """A route with ids for its path, query and form, of which those named `asked_for` are looked at."""

    rule: Rule
    method: str
    path: dict[str, str]
    query: dict[str, str]
    form: dict[str, str]
    asked_for: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.rule.endpoint} {','.join(self.asked_for)}"

    def with_unknown(self, unknown: dict[str, str]) -> "Case":
        """The same with ids of nothing."""
        swapped = [{name: unknown.get(value, value) for name, value in part.items()} for part in self._parts()]
        return Case(self.rule, self.method, *swapped, self.asked_for)

    def _parts(self) -> tuple[dict[str, str], ...]:
        return self.path, self.query, self.form

    def url(self) -> str:
        """Where it is asked."""
        values = {name: next(iter(getattr(found, "items", "1"))) for name, found in self.rule._converters.items()}
        return self.rule.build({**values, **self.path, **self.query}, append_unknown=True)[1]


def cases(app: Flask, theirs: Things, mine: Things | None, wanted: Callable[[Rule], bool]) -> Iterator[Case]:
    """Every route with another's ids; where it has several, also with only one of them another's."""
    for rule in app.url_map.iter_rules():
        if not wanted(rule):
            continue
        names = sorted(arguments(rule))
        sets = [tuple(names)] + ([(name,) for name in names] if mine and len(names) > 1 else [])
        for asked_for in filter(None, sets):
            owner = {name: theirs if name in asked_for else mine for name in names}
            path = {name: whose.id_for(rule.endpoint, name) for name, whose in owner.items()}
            yield from (Case(rule, method, path, {}, {}, asked_for) for method in methods(rule))
        own = {name: (mine or theirs).id_for(rule.endpoint, name) for name in names}
        for name, kind in IN_QUERIES.get(rule.endpoint, {}).items():
            yield from (Case(rule, each, own, {name: theirs.ids[kind]}, {}, (name,)) for each in methods(rule))
        for name, kind in IN_FORMS.get(rule.endpoint, {}).items():
            yield Case(rule, "POST", own, {}, {name: theirs.ids[kind]}, (name,))


def unknown_ids(things: Things) -> dict[str, str]:
    """For each of the things' ids one of the same form that names nothing."""
    return {each: f"{each[:3]}_{random_base62(RANDOM_LENGTH)}" for each in things.ids.values() if each[3] == "_"}


class Watch:
    """Tells whether anything in the database has changed since it was last asked."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._connection = container.database.engine.connect()
        self._version, self._contents = self._count(), contents(container)

    def close(self) -> None:
        self._connection.close()

    def changed(self) -> bool:
        """Compare all rows, if anything was committed at all: SQLite counts what others commit."""
        before, version = self._contents, self._count()
        if version is None or version != self._version:
            self._version, self._contents = version, contents(self._container)
        return self._contents != before

    def _count(self) -> int | None:
        if self._connection.dialect.name != "sqlite":
            return None
        with self._connection.begin():
            counted: int = self._connection.exec_driver_sql("PRAGMA data_version").scalar_one()
            return counted


def asked(ask: Callable[[Case], Any], case: Case, ids: list[str]) -> Answer:
    """The answer without what differs between any two."""
    found: list[Any] = []
    statements = counted(lambda: found.append(ask(case)))
    answer = found[0]
    shown = answer.body if hasattr(answer, "body") else answer.data
    for each in ids:
        shown = shown.replace(each.encode(), b"ID")
    told = {name: value for name, value in answer.headers.items() if name not in ("X-Request-Id", "Set-Cookie")}
    told = {name: re.sub(r"\b[rt]=\d+", "", value) for name, value in told.items() if name != "Content-Length"}
    for each in ids:
        told = {name: value.replace(each, "ID") for name, value in told.items()}
    status = answer.status_int if hasattr(answer, "status_int") else answer.status_code
    return Answer(status, tuple(sorted(told.items())), NOISE.sub(b"", shown), statements)


class Matrix:
    """Asks every case twice, for a thing that is there and for one that is not, and holds the answers together."""

    def __init__(self, container: Container, theirs: Things, subtests: pytest.Subtests) -> None:
        self.container, self.theirs, self.subtests = container, theirs, subtests
        self.asked = 0

    def hold(self, every: Iterator[Case], ask: Callable[[Case], Any], expected: set[int]) -> None:
        unknown = unknown_ids(self.theirs)
        hidden = [*self.theirs.ids.values(), *unknown.values()]
        with closing(Watch(self.container)) as database:
            for case in every:
                with self.subtests.test(str(case)):
                    self.asked += 1
                    there, nowhere = (asked(ask, each, hidden) for each in (case, case.with_unknown(unknown)))
                    assert there == nowhere
                    assert there.status in expected, there.body[-2000:]
                    assert [word for word in self.theirs.words if word.encode() in there.body] == []
                    assert not database.changed()


def browsing(browser: Person) -> Callable[[Case], Any]:
    """Ask as a person at a browser would, with the token of this browser's forms."""
    token = csrf_of(browser.web.get("/prices"))

    def ask(case: Case) -> Any:
        options: dict[str, Any] = {"headers": {"HX-Request": "true"}} if case.rule.endpoint in FRAGMENTS else {}
        if case.method == "POST" and case.rule.endpoint in IN_FORMS:
            options["POST"] = {**FILLED_IN, **case.form, "csrf_token": token}
        elif case.method == "POST":
            options["POST"] = {**FILLED_IN, "csrf_token": token}
        return browser.web.request(case.url(), method=case.method, expect_errors=True, **options)

    return ask


def calling(api: Api, body: Any = None) -> Callable[[Case], Any]:
    """Ask as a program with a key would."""

    def ask(case: Case) -> Any:
        sent = BODIES.get(case.rule.endpoint, body)
        options = {"data": json.dumps(sent)} if case.method in ("POST", "PUT", "PATCH") else {}
        return api.call(case.method, case.url().removeprefix("/api/v1"), **options)

    return ask
