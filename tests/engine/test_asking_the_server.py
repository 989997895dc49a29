"""How often, how long and for how much the engine asks a picture server."""

import io
import logging
from dataclasses import replace

import pytest

from app.adapters.generative_http import ImagesEditServer
from engine.pipeline import SERVER_SECONDS, PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from engine.types.server import GenerativeRequest, ServerBusyError, ServerUnavailableError
from tests import edit_server
from tests.engine import edits
from tests.engine.generative_runs import FakeTime, Purse, Studio
from tests.engine.rooms import ROOMS

pytestmark = pytest.mark.usefixtures("seen_roughly")

STAGING = Enhancement.STAGING
ROOM = ROOMS[0].drawn(480, 320)
BIG_ROOM = ROOMS[0].drawn()
good, bad = edit_server.edit(edits.furnished), edit_server.edit(edits.shifted)


@pytest.mark.long
@pytest.mark.parametrize(
    "trouble",
    [
        edit_server.status(429, "rate_limit_exceeded", Retry_After="7"),
        edit_server.status(500),
        edit_server.status(503),
        edit_server.says({"created": 1}),
        edit_server.says({"data": [{"b64_json": "AAAA%"}]}),
        edit_server.raw(b"{"),
    ],
    ids=["429", "500", "503", "no data", "no base64", "no JSON"],
)
def test_trouble_that_passes_costs_a_wait_and_a_call(trouble: edit_server.Answer) -> None:
    with edit_server.running(trouble, good) as server:
        studio = Studio(server)
        studio.after(BIG_ROOM, STAGING)
    assert studio.purse.spent == len(server.seen) == 2
    assert studio.time.slept in ([7.0], [2.0])


@pytest.mark.long
def test_the_server_is_waited_for_as_long_as_it_asks() -> None:
    with edit_server.running(edit_server.status(429, Retry_After="40"), good) as server:
        studio = Studio(server)
        studio.after(BIG_ROOM, STAGING)
    assert studio.time.slept == [40.0]


def test_trouble_that_stays_ends_after_four_calls_with_longer_waits_each() -> None:
    with edit_server.running(edit_server.status(500)) as server:
        studio = Studio(server)
        outcome = studio.declined(ROOM, STAGING)
    assert outcome.reason is Reason.SERVER_UNAVAILABLE
    assert studio.purse.spent == len(server.seen) == 4
    assert studio.time.slept == [2.0, 4.0, 8.0]


def test_where_the_photo_may_be_done_later_trouble_that_stays_declines_nothing() -> None:
    with edit_server.running(edit_server.status(500)) as server:
        studio = Studio(server)
        engine = PictureEngine(ImagesEditServer(server.url), 20, studio.time, studio.time.sleep)
        context = EngineContext(spend=studio.purse, may_wait=True)
        with pytest.raises(ServerUnavailableError):
            engine.enhance(io.BytesIO(edit_server.encoded(ROOM)), EditRequest(enhancements=(STAGING,)), context)
    assert studio.purse.spent == len(server.seen) == 4


def test_a_wait_beyond_the_photos_time_is_not_begun() -> None:
    with edit_server.running(edit_server.status(429, Retry_After="3600")) as server:
        studio = Studio(server)
        outcome = studio.declined(ROOM, STAGING)
    assert outcome.reason is Reason.SERVER_UNAVAILABLE
    assert studio.time.slept == []
    assert len(server.seen) == 1


@pytest.mark.long
def test_all_steps_of_a_photo_share_one_deadline() -> None:
    time = FakeTime()

    def slow(seen: edit_server.Seen, server: edit_server.EditServer) -> edit_server.Response:
        time.now += 70
        return bad(seen, server)

    with edit_server.running(slow) as server:
        studio = Studio(server, time=time)
        started = time.now
        done = studio.enhanced(
            edit_server.encoded(BIG_ROOM), Enhancement.DECLUTTER, Enhancement.FURNITURE_REMOVAL, STAGING
        )
    assert [step.reason for step in done.report.steps][1:] == [Reason.SERVER_UNAVAILABLE] * 2
    # A fifth call would have begun after the deadline.
    assert len(server.seen) == 4
    assert time.now - started < SERVER_SECONDS + 70


def test_a_call_may_take_no_longer_than_the_photo_has_left() -> None:
    time, seconds = FakeTime(), []

    class Slow:
        def edit(self, request: GenerativeRequest) -> bytes:
            seconds.append(request.timeout_seconds)
            time.now += SERVER_SECONDS - 20
            raise ServerBusyError("slow")

    engine = PictureEngine(Slow(), 90, time, time.sleep)
    request = EditRequest(enhancements=(STAGING,))
    assert (
        engine.enhance(io.BytesIO(edit_server.encoded(ROOM)), request, EngineContext(spend=Purse())).picture is None
    )
    assert seconds == [90, 18]


@pytest.mark.long
def test_a_server_that_hangs_is_left_at_the_calls_deadline() -> None:
    purse, time, calls = Purse(), FakeTime(), iter((0.5, 90.0))

    with edit_server.running(edit_server.hang(), good) as server:
        real = ImagesEditServer(server.url)

        class Hasty:
            """Has no patience in its first call, and all of it in the next, which a busy machine may need."""

            def edit(self, request: GenerativeRequest) -> bytes:
                return real.edit(replace(request, timeout_seconds=next(calls)))

        engine = PictureEngine(Hasty(), 90, time, time.sleep)
        done = engine.enhance(
            io.BytesIO(edit_server.encoded(BIG_ROOM)), EditRequest(enhancements=(STAGING,)), EngineContext(purse)
        )
    assert done.report.passed
    assert purse.spent == len(server.seen) == 2


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422])
def test_a_refusal_is_taken_at_its_word(code: int) -> None:
    with edit_server.running(edit_server.status(code, "content_policy_violation")) as server:
        outcome = Studio(server).declined(ROOM, STAGING)
    assert outcome.reason is Reason.SERVER_REFUSED
    assert len(server.seen) == 1


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_no_call_is_made_that_the_job_cannot_pay(calls: int) -> None:
    with edit_server.running(bad) as server:
        studio = Studio(server, Purse(calls))
        outcome = studio.declined(ROOM, STAGING)
    assert outcome.reason is Reason.SPEND_LIMIT
    assert len(server.seen) == calls


def test_bad_edits_and_busy_answers_together_are_bounded() -> None:
    busy = edit_server.status(503)
    with edit_server.running(busy, bad, busy, bad, busy, bad, good) as server:
        studio = Studio(server)
        outcome = studio.declined(ROOM, STAGING)
    assert outcome.reason is Reason.DRIFTED
    assert studio.purse.spent == len(server.seen) == 6


def test_neither_key_nor_prompt_gets_into_the_log_or_to_the_customer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with edit_server.running(edit_server.status(500), edit_server.status(400, "moderation_blocked")) as server:
        outcome = Studio(server).declined(ROOM, STAGING)
    told = caplog.text + outcome.message
    assert "status 400 (moderation_blocked)" in told
    assert server.seen[0].authorization == "Bearer key-of-the-operator"
    assert "key-of-the-operator" not in told
    assert server.seen[0].fields["prompt"][:40] not in told
    assert "no: " not in told
