"""A worker process: waits for rings on its one lane; pictures are worked in forked work-horses, all else here."""

import logging
import os

from redis import Redis
from rq import Queue, SimpleWorker, Worker
from rq.serializers import JSONSerializer

from app.container import Container
from app.domain.ports import Lane
from app.tasks import hooks, runtime

FORKING = frozenset({Lane.PHOTOS, Lane.PREVIEWS})
"""Lanes whose work decodes what customers sent: a file that ends its process ends no other's work."""


def work(container: Container, lane: Lane) -> None:
    """Work until told to stop. One lane a process: RQ loses rings on two when a worker is killed."""
    runtime.use(container)
    connection = Redis.from_url(container.settings.redis_url)
    queue = Queue(lane, connection=connection, serializer=JSONSerializer)
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    if lane in FORKING:
        _ = container.engine, container.previews  # loaded before the fork, so that no work-horse has to
        Worker([queue], connection=connection, serializer=JSONSerializer).work(logging_level="WARNING")
        return
    SimpleWorker([queue], connection=connection, serializer=JSONSerializer).work(logging_level="WARNING")
    if not hooks.senders().drain(hooks.STOP_SECONDS):
        # Python would wait for its threads; the receivers that hold them may take longer than a stop may.
        os._exit(0)
