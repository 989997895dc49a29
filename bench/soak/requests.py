"""Requests made from the service's own OpenAPI document, good and bad ones, with good keys and wrong ones.

    python -m bench.soak requests [--count 20000] [--minutes 60] [--seed S] [--database postgresql://…]

The application runs in this process over a database of its own; queue and engine are the suite's fakes. Aims: no
answer of ours at fault (5xx), none that the document does not promise, every wrong key refused.
"""

import argparse
import itertools
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from random import Random, SystemRandom

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy
from schemathesis import GenerationMode, Response
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import Failure, FailureGroup
from werkzeug.test import TestResponse

from app.application import create_app
from app.container import Container
from app.domain.actors import Scope
from app.domain.client_tokens import MAX_TOKEN_FILES
from app.migrations import migrate
from app.services import audit
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys
from app.settings import Settings
from bench.soak.places import fresh_database
from bench.tables import say_where, show
from engine.types.enhancements import Enhancement
from tests import redis_server
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import FakeEngine, FakePreviewMaker, FakeQueue

AT_A_TIME = 100
SOUND_ORDER = {"address": "12 Garden Lane, Springfield, IL 62704", "serviceType": "interior"}
ORDERS = 6
"""Real jobs that generated requests may ask about."""
PLENTY = "1000000"
WITH_A_WRONG_KEY = ("not_a_server_error", "status_code_conformance", "content_type_conformance")
REFUSED_THOUGH_WELL_FORMED = ["2xx", "400", "402", "403", "404", "409", "415", "422"]
"""A request may keep to its schema and name a session, a job or a photo that is not there."""


@dataclass
class Found:
    """What was answered, and what was wrong with it."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    keys: Counter[str] = field(default_factory=Counter)
    faults: dict[tuple[str, str], str] = field(default_factory=dict)
    many: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """How many requests were answered."""
        return self.answers.total()

    def fault(self, operation: str, title: str, told: str) -> None:
        """Note a fault, the first of its kind in full."""
        self.many[operation, title] += 1
        self.faults.setdefault((operation, title), told)


@dataclass
class World:
    """The application, and what is in it that requests may name."""

    container: Container
    app: Flask
    api: Api
    wrong: dict[str, str | None]
    """What stands in Authorization that opens nothing, or not this."""
    jobs: list[str]
    uploads: Callable[[], dict[str, object]]

    @classmethod
    def made(cls, container: Container) -> "World":
        """An account with credits, jobs in several states, and keys that are not or no more good."""
        container.queue, container.engine, container.previews = FakeQueue(), FakeEngine(), FakePreviewMaker()
        app = create_app(container=container)
        now = container.clock()
        with container.database.unit_of_work() as session:
            member = accounts.create(session, "soak@example.com", now, name="Jo Agent")
            credits.adjust(session, member.organization_id, Decimal(PLENTY), "Opening balance", now)
            _, secret = api_keys.create(session, member.organization_id, now)
            gone, gone_secret = api_keys.create(session, member.organization_id, now)
            api_keys.revoke(session, member.organization_id, gone.id, now)
            before = now - timedelta(days=2)
            _, old_secret = api_keys.create(
                session, member.organization_id, before, expires_at=now - timedelta(days=1)
            )
            _, narrow = api_keys.create(session, member.organization_id, now, scopes=[Scope.CREDITS_READ])
        wrong = {
            "none": None,
            "empty": "Bearer ",
            "another scheme": f"Basic {secret}",
            "bare": secret,
            "cut": f"Bearer {secret[:-1]}",
            "with more": f"Bearer {secret} {secret}",
            "unknown": "Bearer ims_live_0123456789abcdefghijkl000000",
            "very long": "Bearer " + "x" * 8000,
            "latin": "Bearer \xe9\xff",
            "revoked": f"Bearer {gone_secret}",
            "expired": f"Bearer {old_secret}",
            "too narrow": f"Bearer {narrow}",
        }
        api = Api(app.test_client(), member.organization_id, secret)
        jobs = [api.order([PHOTO])["jobId"] for _ in range(ORDERS)]
        work(container)
        develop(container)
        jobs += [api.order([PHOTO])["jobId"], "job_unknown"]
        return cls(container, app, api, wrong, jobs, lambda: api.upload([PHOTO]))


def _report(found: Found, seconds: float, mismatches: Sequence[str]) -> None:
    operations = sorted({operation for operation, _ in found.answers})
    statuses = sorted({status for _, status in found.answers})
    rows = [(each, *(found.answers[each, status] or "" for status in statuses)) for each in operations]
    show("Answers", ("", *statuses), rows)
    show("Keys", ("", "requests"), sorted(found.keys.items()))
    at_fault = sum(many for (_, status), many in found.answers.items() if status >= 500)
    outside = sum(found.many.values())
    print(f"\n{found.total} requests in {seconds:.0f} s, {found.total / seconds:.0f} a second")
    print(f"5xx {at_fault}, outside the document {outside}, books that disagree {len(mismatches)}")
    for (operation, title), told in found.faults.items():
        print(f"\n{operation}: {title} ({found.many[operation, title]} times)\n{told}")


@contextmanager
def _quiet() -> Iterator[None]:
    """What is expected here, thousands of times, would drown the figures."""
    logger = logging.getLogger("app")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def world(server: str | None) -> Iterator[World]:
    """The application over a database of its own."""
    with (
        _quiet(),
        tempfile.TemporaryDirectory(prefix="brightlist-soak-") as name,
        fresh_database(server, Path(name)) as url,
        redis_server.run_server(Path(name) / "redis") as redis_url,
    ):
        limits = {"rate_limit_reads": 1_000_000, "rate_limit_writes": 1_000_000, "upload_quota_sessions": 1_000_000}
        given_settings = Settings(
            data_dir=Path(name) / "data",
            database_url=url,
            redis_url=redis_url,
            base_url="http://localhost",
            secret_key="s" * 32,
            allow_private_webhooks=True,
            **limits,
        )
        container = Container(given_settings)
        migrate(container.database)
        try:
            yield World.made(container)
        finally:
            container.database.engine.dispose()


def _is_public(operation: schemathesis.APIOperation) -> bool:
    return operation.definition.raw.get("security") == []


class Soak:
    """Asks until there were enough answers."""

    def __init__(self, here: World, seed: int, count: int, minutes: float) -> None:
        self.here, self.count, self.found = here, count, Found()
        self._end = time.monotonic() + minutes * 60
        self._strategies: dict[tuple[str, GenerationMode], SearchStrategy[schemathesis.Case]] = {}
        self._seed, self._random = seed, Random(seed)
        load_all_checks()
        self._every = CHECKS.get_all()
        self._few = [CHECKS.get_one(name) for name in WITH_A_WRONG_KEY]
        self._schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", here.app)
        self._schema.config.checks.positive_data_acceptance.expected_statuses = REFUSED_THOUGH_WELL_FORMED

    def run(self) -> Found:
        """Every operation in turn, with data that keeps to its schema and with data that does not."""
        operations = [each.ok() for each in self._schema.get_all_operations()]
        turns = itertools.cycle(itertools.product(operations, GenerationMode))
        for number, (operation, mode) in enumerate(turns):
            if self._enough:
                return self.found
            self._ask(operation, mode, self._seed + number)
        return self.found

    @property
    def _enough(self) -> bool:
        return self.found.total >= self.count or time.monotonic() > self._end

    def _ask(self, operation: schemathesis.APIOperation, mode: GenerationMode, seed: int) -> None:
        if mode is GenerationMode.NEGATIVE and _is_public(operation):
            return  # nothing can be sent wrong: no key, no body, and every text is a name that may be asked for
        if (operation.label, mode) not in self._strategies:
            self._strategies[operation.label, mode] = operation.as_strategy(generation_mode=mode)

        @seeded(seed)
        @settings(
            max_examples=AT_A_TIME,
            deadline=None,
            database=None,
            derandomize=False,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=self._strategies[operation.label, mode])
        def hold(case: schemathesis.Case) -> None:
            if not self._enough:
                self._one(case, mode)

        hold()

    def _one(self, case: schemathesis.Case, mode: GenerationMode) -> None:
        name, key = f"{case.operation.method.upper()} {case.operation.path}", "good"
        if self._random.random() < 0.25:
            key = self._random.choice(sorted(self.here.wrong))
        real = mode is GenerationMode.POSITIVE and self._random.random() < 0.4
        if real and key == "good":
            self._name_what_is_there(case)
        authorization = self.here.wrong[key] if key != "good" else f"Bearer {self._good_secret(case)}"
        # Schemathesis asks for gzip by itself, and reads none where no network is between.
        headers = {"Accept-Encoding": "identity"}
        if authorization:
            headers["Authorization"] = authorization
        with_photo = real and case.operation.path == "/orders"
        response = Response.from_any(self._with_a_photo(headers) if with_photo else case.call(headers=headers))
        self.found.answers[name, response.status_code] += 1
        self.found.keys[key] += 1
        # A header of the request's own, made wrong on purpose, may stand in the key's place.
        if _is_public(case.operation):
            key = "good"
        allowed = {200, 401} if key == "too narrow" and name == "GET /user/credits" else {401, 403}
        if key != "good" and response.status_code not in allowed:
            self.found.fault(
                name, f"answered {response.status_code} to a key that is {key}", case.as_curl_command()
            )
        try:
            case.validate_response(response, checks=self._every if key == "good" else self._few, headers=headers)
        except (Failure, FailureGroup) as group:
            for each in group.exceptions if isinstance(group, FailureGroup) else [group]:
                told = f"{each}\n{case.as_curl_command(headers)}\n{response.status_code} {response.text[:600]}"
                self.found.fault(name, each.title, told)

    def _good_secret(self, case: schemathesis.Case) -> str:
        """The key, or a client token where the operation takes one."""
        if case.operation.path != "/uploads":
            return self.here.api.secret
        return str(self.here.api.post("/client-tokens", {"maxFiles": MAX_TOKEN_FILES}).json["token"])

    def _name_what_is_there(self, case: schemathesis.Case) -> None:
        """A job, a session with its photo, or a webhook that exists; a webhook that may be made."""
        if "jobId" in (case.path_parameters or {}):
            case.path_parameters["jobId"] = self._random.choice(self.here.jobs)
        if case.operation.path == "/orders/from-uploads":
            case.body = {**SOUND_ORDER, **self.here.uploads(), "interiorEnhancements": [self._step()]}
        if case.operation.path == "/webhooks" and case.operation.method == "post":
            case.body = {"url": f"http://127.0.0.1:8000/{self._random.random()}", "events": []}
        if case.operation.path == "/webhooks" and case.operation.method == "delete":
            hooks = self.here.api.get("/webhooks").json["webhooks"]
            case.query = {"id": self._random.choice(hooks)["id"]} if hooks else case.query

    def _with_a_photo(self, headers: dict[str, str]) -> TestResponse:
        """A form with a file in it, which Schemathesis sends without its field's name."""
        photo = BytesIO(PHOTO), "room.jpg"
        form = {**SOUND_ORDER, "interiorPhoto0": photo, "interiorEnhancements": json.dumps([self._step()])}
        return self.here.app.test_client().post("/api/v1/orders", data=form, headers=headers)

    def _step(self) -> str:
        return self._random.choice([Enhancement.HDR, Enhancement.DECLUTTER]).value


def main(argv: Sequence[str]) -> int:
    """Run, print the figures; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak requests")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32))
    parser.add_argument("--database", metavar="URL", help="postgresql://… (default: SQLite)")
    asked = parser.parse_args(argv)
    say_where()
    print(f"seed {asked.seed}, {'PostgreSQL' if asked.database else 'SQLite'}", flush=True)
    with world(asked.database) as here:
        start = time.monotonic()
        found = Soak(here, asked.seed, asked.count, asked.minutes).run()
        seconds = time.monotonic() - start
        with here.container.database.read_session() as session:
            mismatches = list(audit.find_mismatches(session, here.container.storage))
    _report(found, seconds, mismatches)
    at_fault = any(status >= 500 for _, status in found.answers)
    return int(at_fault or bool(found.faults) or bool(mismatches) or found.total < asked.count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
