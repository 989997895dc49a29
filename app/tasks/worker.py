"""A worker process of the photos: waits for rings on its lane and forks a work-horse for each photo."""

import logging

from redis import Redis
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from app.container import Container
from app.domain.ports import Lane
from app.tasks import runtime


def work(container: Container) -> None:
    """Work until told to stop. One queue a process: RQ loses rings on two when a worker is killed."""
    runtime.use(container)
    _ = container.engine  # loaded before the fork, so that no work-horse has to
    connection = Redis.from_url(container.settings.redis_url)
    queue = Queue(Lane.PHOTOS, connection=connection, serializer=JSONSerializer)
    worker = Worker([queue], connection=connection, serializer=JSONSerializer)
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    worker.work(logging_level="WARNING")
