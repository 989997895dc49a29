"""The soak runs in short: hostile pictures, generated requests, slow receivers do no harm; harm would be told."""

import os
import signal
import subprocess
import sys

import pytest

from app.services import audit
from bench.soak import images, webhooks
from bench.soak import requests as generated
from tests import databases
from tests.conformance.test_openapi_document import ENDPOINTS
from tests.journeys.service import ROOT

SECONDS = 600
"""For a busy laptop; each takes some ten on an idle one."""


def soaked(name: str, *words: str) -> str:
    """What the soak prints in a process of its own, which must find all its aims reached."""
    command = [sys.executable, "-m", "bench.soak", name, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_mutated_pictures_are_taken_or_refused_and_end_no_process() -> None:
    told = soaked("images", "--count", "80", "--seed", "3")
    assert "80 pictures" in told
    assert "crashes 0, stuck 0, broke 0" in told


@pytest.mark.long
def test_slow_receivers_end_on_time_and_no_spelling_leads_to_a_refused_address() -> None:
    told = soaked("webhooks", "--count", "70", "--seed", "3", "--deadline", "1", "--grace", "60")
    assert "late 0, connections to refused addresses 0, redirects followed 0" in told
    assert "let through or dialled otherwise 0" in told


def test_a_picture_that_ends_its_process_is_told_and_the_others_are_still_seen(monkeypatch) -> None:
    def harm(content: bytes, _: bool) -> str:
        if content == b"2":
            os.kill(os.getpid(), signal.SIGKILL)
        return "made"

    monkeypatch.setattr(images, "made", lambda _, number: ("flipped", str(number).encode(), False))
    monkeypatch.setattr(images, "through", harm)
    seen = images.run("1", 0, 5, 1)
    assert seen.crashes == ["2: flipped, -9"]
    assert seen.outcomes == {"made": 4}
    assert seen.stuck == []


def test_a_picture_that_never_ends_is_told_and_the_others_are_still_seen(monkeypatch) -> None:
    def hang(content: bytes, _: bool) -> str:
        if content == b"1":
            signal.pause()
        return "made"

    monkeypatch.setattr(images, "made", lambda _, number: ("flipped", str(number).encode(), False))
    monkeypatch.setattr(images, "through", hang)
    monkeypatch.setattr(images, "WORK_SECONDS", 0.5)
    seen = images.run("1", 0, 4, 1)
    # On a busy machine others may seem stuck, too.
    stuck = {each.partition(":")[0] for each in seen.stuck}
    assert "1" in stuck
    assert seen.crashes == []
    assert seen.outcomes["made"] + len(stuck) == 4


def test_a_fault_of_the_decoder_that_is_no_refusal_is_told(monkeypatch) -> None:
    monkeypatch.setattr(images.PicturePreviews, "make", lambda *_: {}["missing"])
    assert images.through(b"\xff\xd8\xff" + bytes(100), False).startswith("fault KeyError")
    assert images.through(b"GIF89a" + bytes(100), False) == "refused"


def test_the_same_seed_and_number_give_the_same_picture() -> None:
    first, second = ([images.made("7", number) for number in range(20)] for _ in range(2))
    assert first == second
    assert len({content for _, content, _ in first}) == 20


def test_requests_generated_from_the_document_get_what_it_promises_with_any_key_but_where_it_is_broken(
    monkeypatch,
) -> None:
    # Once each, so that every operation has its turn among so few requests.
    monkeypatch.setattr(generated, "AT_A_TIME", 1)
    with generated.world(databases.GIVEN or None) as here:
        rules = here.app.url_map.iter_rules()
        [endpoint] = [rule.endpoint for rule in rules if rule.rule == "/api/v1/user/credits"]
        here.app.view_functions[endpoint] = lambda: ("a teapot", 418)
        found = generated.Soak(here, 1, 200, minutes=5).run()
        with here.container.database.read_session() as session:
            assert list(audit.find_mismatches(session, here.container.storage)) == []
    assert len({operation for operation, _ in found.answers}) >= len(ENDPOINTS)
    assert {operation for operation, _ in found.faults} == {"GET /user/credits"}
    assert not [status for _, status in found.answers if status >= 500]


def test_an_attempt_that_is_late_and_an_address_that_is_let_through_are_told() -> None:
    found = webhooks.Found()
    found.attempt("drip", 10.6, 10.5)
    assert found.late == ["drip: 10.60 s"]
    transport = webhooks.HttpTransport(1.0, True, None, "soak", resolve=webhooks.Resolver([["127.0.0.1"]]))
    webhooks._refused(found, transport, "this machine", "http://hooks.example:1/", 60.0)
    assert len(found.wrong) == 2
