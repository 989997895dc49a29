"""Webhooks of the whole service: a receiver written from the interface alone hears every event, whatever dies."""

import signal
from collections import Counter

from redis import Redis

from tests import scenes
from tests.journeys.receiver import Receiver
from tests.journeys.service import ASK_SECONDS, Client, Service
from tests.waiting import ORDER_SECONDS, eventually

LIFE = ["job.created", "job.processing", "job.completed", "job.approved", "job.delivered"]


def register(client: Client, receiver: Receiver, url: str) -> None:
    made = client.session.post(f"{client.url}/webhooks", json={"url": url}, timeout=ASK_SECONDS)
    assert made.status_code == 201, made.text
    receiver.secret = made.json()["secret"]


def order(client: Client) -> str:
    files = client.upload({"interior": [scenes.encoded(scenes.room(320, 214))]})
    placed = client.order(files, serviceType="interior", interiorEnhancements=["hdr_enhancement"])
    return str(placed["jobId"])


def test_a_receiver_verifies_every_delivery_of_an_orders_whole_life(service: Service) -> None:
    client, receiver = service.client(), Receiver()
    with receiver.serving() as url:
        register(client, receiver, url)
        job = order(client)
        client.settled(job)
        client.call("GET", f"/downloads/{job}")
        eventually("all five events have come", lambda: len(receiver.bodies) == 5)
    assert receiver.faults == []
    assert sorted(receiver.names()) == sorted(LIFE)
    assert set(receiver.seen.values()) == {1}
    assert {body["data"]["jobId"] for body in receiver.bodies.values()} == {job}


def test_redis_wiped_sweeper_and_senders_killed_every_delivery_arrives(service: Service) -> None:
    client, receiver = service.client(), Receiver()
    redis = Redis.from_url(service.redis_url())
    receiver.answers = [500, 503, 500]
    with receiver.serving() as url:
        register(client, receiver, url)
        jobs = [order(client) for _ in range(2)]
        for victim in ("sweeper$", "hooks-fast$", "hooks-slow$"):
            redis.flushdb()
            for process in service.processes(victim):
                process.send_signal(signal.SIGKILL)
        for job in jobs:
            client.settled(job)
            redis.flushdb()
            client.call("GET", f"/downloads/{job}")
        eventually("all events of both orders have come", lambda: len(receiver.bodies) == 10, ORDER_SECONDS)
    assert receiver.faults == []
    assert max(receiver.seen.values()) <= 5
    assert Counter(receiver.names()) == dict.fromkeys(LIFE, 2)
